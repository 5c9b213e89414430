"""The same call for a model folder, a .tflite file and a SavedModel. A .tflite file needs no TensorFlow."""

import os
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.export.base_predictor import Predictor
from bert_keras.export.tflite_runner import TfliteRunner


def predictor(path: str | os.PathLike, max_length: int | None = None, **settings: Any) -> Predictor:
    """Open a model for raw text, whatever it is kept as.

    Args:
        path: a folder that `bert_keras.load` opens, a `.tflite` file, a SavedModel's version folder, or the folder of
            its versions (the newest is taken).
        max_length: tokens that are read of a text, or of a window of it; the model's longest if None.
        **settings: what the kind of answer has to choose: `windows` (classification of long texts), `thresholds`
            (multi-label), `best` (fill-mask, question-answering), and others that an unknown name lists.

    Returns:
        A callable `(texts, pairs=None, batch_size=32) -> list of dicts` with the attributes `task` and `labels`.

    Raises:
        InputError: there is nothing at `path`, or nothing that this can open; or there is no such setting.
    """
    settings["max_length"] = max_length
    path = Path(path)
    if path.is_file():
        return _from_file(path, settings)
    if not path.is_dir():
        raise InputError(f"{path} does not exist: give a model folder, a .tflite file or a SavedModel folder")
    version = newest_version(path)
    if version is not None:
        from bert_keras.export.keras_predictor import from_saved_model

        return from_saved_model(version, **settings)
    # Here, not above: a .tflite file must not pay for Keras.
    from bert_keras.checkpoint import holds_checkpoint

    if holds_checkpoint(path):
        from bert_keras.export.keras_predictor import from_model_folder

        return from_model_folder(path, **settings)
    raise InputError(
        f"{path} holds no model: expected config.json (a model folder) or saved_model.pb, alone or in numbered folders"
    )


def _from_file(path: Path, settings: dict[str, Any]) -> Predictor:
    with path.open("rb") as file:
        start = file.read(8)
    if start[4:8] != b"TFL3":
        raise InputError(f"{path} is not a .tflite file: give one, a model folder or a SavedModel folder")
    return TfliteRunner(path, **settings)


def newest_version(path: Path) -> Path | None:
    """The SavedModel's version folder that `path` is or, by its number, the newest that it holds; None without any."""
    if (path / "saved_model.pb").is_file():
        return path
    versions = [child for child in path.iterdir() if child.name.isdigit() and (child / "saved_model.pb").is_file()]
    return max(versions, key=lambda child: int(child.name), default=None)
