"""bert-keras evaluate"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bert_keras.cli.columns import chosen_columns, pair_columns
from bert_keras.cli.options import (
    Anchor,
    BatchSize,
    ChoiceColumns,
    DataDir,
    Debug,
    Force,
    Json,
    Label,
    LabelSeparator,
    MaxLength,
    Negative,
    Pair,
    Positive,
    Prompt,
    Scheme,
    Spans,
    Tags,
    Text,
    Words,
)
from bert_keras.cli.session import session


def evaluate(
    model: Annotated[Path, typer.Argument(help="A saved folder, a .tflite file or a SavedModel.")],
    data: Annotated[
        str,
        typer.Argument(
            help="Data with the right answers: a .tsv, .csv, .jsonl or .parquet table, a CoNLL file, SQuAD's .json, "
            "or tfds:NAME[:SPLIT], as the model's task takes it."
        ),
    ],
    against: Annotated[Path | None, typer.Option(help="Another model: say which is better, and how surely.")] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with tables, curves and mistakes to this .html, and a .json.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Write each text with its answer to this .jsonl, or labels to a .tsv.")
    ] = None,
    batch_size: BatchSize = 32,
    max_length: MaxLength = None,
    text: Text = None,
    pair: Pair = None,
    label: Label = None,
    label_separator: LabelSeparator = None,
    words: Words = None,
    tags: Tags = None,
    spans: Spans = None,
    anchor: Anchor = None,
    positive: Positive = None,
    negative: Negative = None,
    prompt: Prompt = None,
    choices: ChoiceColumns = None,
    scheme: Scheme = None,
    data_dir: DataDir = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Score a model on data with the right answers.

    Gives the metrics of its task with 95 % intervals, each class, and which class is taken for which.
    """
    given: dict[str, Any] = {
        "text": text,
        "pair": pair,
        "label": label,
        "label_separator": label_separator,
        "words": words,
        "tags": tags,
        "spans": spans,
        "anchor": anchor,
        "positive": positive,
        "negative": negative,
        "prompt": prompt,
        "choices": choices,
        "scheme": scheme,
        "data_dir": data_dir and str(data_dir),
    }
    with session(as_json, debug) as current:
        from bert_keras import files
        from bert_keras.cli.predictions import check_answers, check_suffix, write_predictions
        from bert_keras.evaluation import compare, lines, report_paths, tables, write_report

        if predictions:
            check_suffix(predictions)
            files.refuse_existing(predictions, force)
        if report:
            report_paths(report, force)

        from bert_keras.cli.scoring import opened_for_scores, scored

        answering, kind = opened_for_scores(model, max_length)
        if predictions:
            check_answers(predictions, answering.kind)
        other = opened_for_scores(against, max_length, answering.task)[0] if against else None
        examples = kind.load(data, **chosen_columns(given, kind))
        current.say(*pair_columns(examples))
        evaluation, answers = scored(answering, examples, batch_size)
        facts: dict[str, Any] = {"model": model, "data": data, "task": answering.task, **evaluation.to_dict()}
        comparison = None
        if other is not None:
            comparison = compare(evaluation, scored(other, examples, batch_size)[0], str(against))
            facts |= {"against": against, "comparison": comparison.to_dict()}
        if predictions:
            with files.output_file(predictions, force) as file:
                write_predictions(file, examples, answers)
        if report:
            about = {"model": str(model), "task": answering.task, "data": data}
            write_report(evaluation, report, f"{model} on {data}", about, comparison, force)
            facts["report"] = report
        current.result(
            facts,
            *lines(evaluation),
            *(comparison.sentences() if comparison else []),
            *(_table(*each) for each in tables(evaluation)),
            *([f"Next: open {report}"] if report else []),
        )


def _table(title: str, header: Sequence[str], rows: list[list[str]]) -> Table:
    table = Table(*header, title=title)
    for row in rows:
        table.add_row(*row)
    return table
