"""Options that several commands share, with one wording."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object; all else goes to stderr.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the whole stack trace of an error.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing result.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the interrupted run of the same --out.")]
# NumPy's seeds end there.
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the order of data, dropout and new weights.")]
BatchSize = Annotated[int, typer.Option(min=1, help="Texts in a batch.")]
MaxLength = Annotated[int | None, typer.Option(min=3, help="Longest text in tokens; default: the model's own limit.")]
Text = Annotated[str | None, typer.Option(help="Column of the text; default: found by its name.")]
Pair = Annotated[str | None, typer.Option(help="Column of the second text, if there is one.")]
Label = Annotated[str | None, typer.Option(help="Column of the label; default: found by its name.")]
LabelSeparator = Annotated[
    str | None, typer.Option(help="What stands between the labels of a cell that holds several, such as a comma.")
]
Words = Annotated[str | None, typer.Option(help="Column of the words: by name, of a CoNLL file by number from 0.")]
Tags = Annotated[str | None, typer.Option(help="Column of their tags: by name, of a CoNLL file by number or -1.")]
Spans = Annotated[str | None, typer.Option(help="Column of the spans of characters, by name.")]
Anchor = Annotated[str | None, typer.Option(help="Column of the texts that others are compared with.")]
Positive = Annotated[str | None, typer.Option(help="Column of a text of like meaning for each.")]
Negative = Annotated[str | None, typer.Option(help="Column of a text of other meaning for each.")]
Prompt = Annotated[str | None, typer.Option(help="Column of the text that the choices are for, or of the query.")]
ChoiceColumns = Annotated[
    str | None, typer.Option("--choices", help="Column of lists of choices, or of lists of documents for the query.")
]
Scheme = Annotated[str | None, typer.Option(help="How tags mark entities: IOB1, IOB2, BIOES or BILOU; else found.")]
Id = Annotated[str | None, typer.Option(help="Column of the id; default: id, _id, doc_id or docid, else the line.")]
DataDir = Annotated[Path | None, typer.Option(help="Folder of prepared TFDS data sets.")]
Warmup = Annotated[float, typer.Option(help="Share of all steps in which the rate rises.")]
WeightDecay = Annotated[float, typer.Option(help="Decay of matrices, off LayerNorm and biases.")]
EarlyStopping = Annotated[
    int | None, typer.Option(min=1, help="Stop after so many epochs without a better loss; keep the best.")
]
TensorBoard = Annotated[Path | None, typer.Option("--tensorboard", help="Folder for TensorBoard's event files.")]
CsvLog = Annotated[Path | None, typer.Option(help="File for the metrics of every epoch.")]
