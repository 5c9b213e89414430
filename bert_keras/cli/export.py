"""bert-keras export"""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bert_keras.cli.columns import chosen_columns
from bert_keras.cli.hints import predict_command
from bert_keras.cli.options import (
    Anchor,
    ChoiceColumns,
    DataDir,
    Debug,
    Force,
    Json,
    Label,
    LabelSeparator,
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

# Of what a file's share of equal answers is, where it is not of texts.
_COUNTED = {
    "token-classification": "tokens",
    "multi-label-classification": "decisions on a label",
    "question-answering": "windows",
}


def export(
    folder: Annotated[str, typer.Argument(help="Model to export: a folder made by finetune or convert, or a hub id.")],
    to: Annotated[Literal["tflite", "saved-model"], typer.Option(help="A file for phones, or a folder for servers.")],
    out: Annotated[Path, typer.Option(help="The .tflite file; or the folder that gets the next numbered version.")],
    recipe: Annotated[
        str, typer.Option(help="How tflite stores weights: float32, float16, int8 or int8-weights.")
    ] = "int8",
    check: Annotated[
        str | None,
        typer.Option(help="For tflite: data, as evaluate takes it, to run the file on beside the model."),
    ] = None,
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
    """Write a model for phones or servers.

    For phones one .tflite file, run and compared with the model before it is kept; for servers a SavedModel.
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
        if to == "saved-model":
            if check:
                raise typer.BadParameter("--check goes with --to tflite")
            from bert_keras.export import saved_model
            from bert_keras.export.saved_model_folder import FACTS
            from bert_keras.weights.json_file import read_json

            version = saved_model(folder, out)
            task = read_json(version / FACTS)["task"]
            current.result({"out": version}, f"saved {version}", *_next(version, task))
            return
        from bert_keras import files

        files.refuse_existing(out, force)

        from bert_keras.export import RECIPES, tflite
        from bert_keras.pretrained import load

        if recipe not in RECIPES:
            raise typer.BadParameter(f"no recipe is named {recipe!r}; known are {', '.join(RECIPES)}")
        model, tokenizer = load(folder)
        examples = _examples(check, model, given) if check else None
        facts = tflite(model, out, recipe, examples, tokenizer, force).to_dict()
        current.result({**facts, "out": out}, *_sentences(facts), *_next(out, facts["task"]))


def _examples(source: str, model: Any, given: dict[str, Any]) -> Any:
    """What a file holds for the model's task; texts alone where the task is not trained from files."""
    from bert_keras.data.kinds import KINDS
    from bert_keras.tasks import TASKS, task_of

    kind = KINDS[TASKS[task_of(model)].examples or "texts"]
    return kind.load(source, **chosen_columns(given, kind))


def _next(out: Path, task: str) -> list[str]:
    command = predict_command(out, task)
    return [] if command is None else [f"Next: {command}"]


def _sentences(facts: dict[str, Any]) -> list[str]:
    size = f"{facts['megabytes']:.1f} MB, {facts['ratio']:.1%} of float32"
    compared = "random texts" if facts["checked_on"] == "probe" else "texts"
    counted = _COUNTED.get(facts["task"], "texts")
    lines = [
        f"saved {facts['path']} ({facts['recipe']}): {size}; {facts['latency_ms']:.2f} ms a text on one thread",
        f"compared with the model on {facts['examples']} {compared}: outputs differ by "
        f"{facts['mean_difference']:.2%} of their size on average",
    ]
    if facts["agreement"] is not None and facts["checked_on"] == "data":
        lines.append(f"same answer for {facts['agreement']:.2%} of the {counted}")
    if facts["file_accuracy"] is not None:
        lines.append(f"accuracy {facts['file_accuracy']:.2%}, of the model {facts['model_accuracy']:.2%}")
    return [*lines, *(f"note: {note}" for note in facts["notes"])]
