"""bert-keras inspect"""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bert_keras.cli.options import Debug, Json
from bert_keras.cli.session import session


def inspect(
    path: Annotated[str, typer.Argument(help="A model folder, hub id, TF1 checkpoint, .tflite file or SavedModel.")],
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Say what a model or an exported file holds.

    Configuration, parameters, labels, tokenizer, tensors; of a file operators, inputs, outputs, signatures.
    """
    with session(as_json, debug) as current:
        facts = _facts(path)
        current.result(facts, *(_shown(name, value) for name, value in facts.items()))


def _facts(path: str) -> dict[str, Any]:
    from bert_keras.export.describe import saved_model_facts, tflite_facts
    from bert_keras.export.open_model import newest_version

    local = Path(path)
    if local.suffix == ".tflite":
        return tflite_facts(local)
    version = newest_version(local) if local.is_dir() else None
    if version:
        return saved_model_facts(version)
    return _of_model(path)


def _of_model(source: str) -> dict[str, Any]:
    from bert_keras.encoder import config_of
    from bert_keras.pretrained import load_with_report
    from bert_keras.tasks import labels_of, task_of

    model, tokenizer, report = load_with_report(source)
    parameters: Counter[str] = Counter()
    for variable in model.weights:
        parameters[variable.path.split("/")[0]] += int(variable.shape.num_elements())
    return {
        "kind": "model",
        "task": task_of(model),
        "labels": labels_of(model),
        "parameters": parameters.total(),
        "parameters_by_part": dict(parameters),
        "config": config_of(model).to_dict(),
        "tokenizer": {
            "kind": tokenizer.kind,
            "pieces": len(tokenizer.vocabulary),
            # byte-level BPE has no such option
            "lowercase": getattr(tokenizer, "lowercase", False),
        },
        "tensors": {variable.path: list(variable.shape) for variable in model.weights},
        "ignored": report.ignored,
        "new": report.new,
    }


def _shown(name: str, value: Any) -> Table | str:
    title = name.replace("_", " ")
    if not isinstance(value, dict) or not value:
        return f"{title}: {_text(value)}"
    table = Table(title, "", show_edge=False)
    for key, item in value.items():
        table.add_row(key, _text(item))
    return table


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "none"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
