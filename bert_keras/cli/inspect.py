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
    local = Path(path)
    if local.suffix == ".tflite":
        return _of_tflite(local)
    if (local / "saved_model.pb").is_file():
        return _of_saved_model(local)
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
        "tokenizer": {"pieces": len(tokenizer.vocabulary), "lowercase": tokenizer.lowercase},
        "tensors": {variable.path: list(variable.shape) for variable in model.weights},
        "ignored": report.ignored,
        "new": report.new,
    }


def _of_tflite(path: Path) -> dict[str, Any]:
    from bert_keras.export import metadata, model_file

    about, files = metadata.read(path)
    model = model_file.unpack(path.read_bytes())
    inputs, outputs = model_file.tensor_names(model)
    vocabulary = files[metadata.VOCABULARY]
    return {
        "kind": "tflite",
        "task": about["task"],
        "labels": about["labels"],
        "recipe": about["recipe"],
        "megabytes": path.stat().st_size / 1e6,
        "max_length": about["max_length"],
        "inputs": inputs,
        "outputs": outputs,
        "operators": model_file.operators(model),
        "tokenizer": {"pieces": vocabulary.count(b"\n"), "lowercase": about["tokenizer"]["lowercase"]},
        "files": {name: len(content) for name, content in files.items()},
    }


def _of_saved_model(path: Path) -> dict[str, Any]:
    import tensorflow as tf
    from tensorflow.core.protobuf import saved_model_pb2

    content = saved_model_pb2.SavedModel.FromString((path / "saved_model.pb").read_bytes())
    signatures = content.meta_graphs[0].signature_def
    return {
        "kind": "saved-model",
        "megabytes": sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / 1e6,
        "signatures": {
            name: {"inputs": _tensors(tf, signature.inputs), "outputs": _tensors(tf, signature.outputs)}
            for name, signature in sorted(signatures.items())
            if not name.startswith("__")
        },
    }


def _tensors(tf: Any, tensors: Any) -> dict[str, str]:
    """Type and shape of each tensor of a signature; -1 where the size is free."""
    return {
        name: f"{tf.dtypes.as_dtype(tensor.dtype).name} {[dimension.size for dimension in tensor.tensor_shape.dim]}"
        for name, tensor in sorted(tensors.items())
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
