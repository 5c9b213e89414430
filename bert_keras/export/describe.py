"""What an exported file holds, without running it."""

from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.export import metadata, model_file


def tflite_facts(path: Path) -> dict[str, Any]:
    """Task, labels, inputs, outputs, operators and files of a .tflite file.

    Args:
        path: a file that `bert_keras.export.tflite` wrote.

    Raises:
        InputError: the file is missing, damaged, or not ours.
    """
    about, files = metadata.read(path)
    model = model_file.unpack(path.read_bytes())
    inputs, outputs = model_file.tensor_names(model)
    tokenizer = about["tokenizer"]
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
        "tokenizer": {name: tokenizer[name] for name in ("kind", "pieces", "lowercase") if name in tokenizer},
        "files": {name: len(content) for name, content in files.items()},
    }


def saved_model_facts(path: Path) -> dict[str, Any]:
    """Size and signatures of a SavedModel, whoever wrote it; of ours the task, labels and longest text too.

    Args:
        path: the folder with `saved_model.pb`.

    Raises:
        InputError: `saved_model.pb` or `bert_keras.json` is damaged.
    """
    # Here, not above: what describes a .tflite file must not pay for TensorFlow.
    import tensorflow as tf
    from google.protobuf.message import DecodeError
    from tensorflow.core.protobuf import saved_model_pb2

    from bert_keras.export.saved_model_folder import FACTS
    from bert_keras.weights.json_file import read_json

    file = path / "saved_model.pb"
    try:
        content = saved_model_pb2.SavedModel.FromString(file.read_bytes())
    except DecodeError:
        raise InputError(f"{file} is damaged: it is no SavedModel that can be read") from None
    if not content.meta_graphs:
        raise InputError(f"{file} is damaged: it holds no graph")
    signatures = content.meta_graphs[0].signature_def
    own = read_json(path / FACTS) if (path / FACTS).is_file() else {}
    return {
        "kind": "saved-model",
        **{name: own[name] for name in ("task", "labels", "max_length") if name in own},
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
