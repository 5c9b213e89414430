"""The state of a training run as one file: everything that the next step depends on.

A `.npz` whose arrays are numbered in the model's own order, with a JSON text beside them. It is written under a
temporary name and renamed, so a save that is cut short leaves the last good one. Nothing is pickled.
"""

import contextlib
import dataclasses
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keras
import numpy as np

from bert_keras.errors import InputError, refuse_not_finite
from bert_keras.files import output_file

_FORMAT = 1


@dataclasses.dataclass
class Progress:
    """Where a run stands.

    Attributes:
        epoch: the epoch that is running or comes next, counted from 0.
        batch: how many of its batches have been trained on.
        batches: how many an epoch has.
        stopped: training ended before the last epoch, at a callback's wish.
        trained: what the running epoch reported after its last batch, before validation.
        logs: what each finished epoch reported.
        stopping: what early stopping remembers.
    """

    epoch: int = 0
    batch: int = 0
    batches: int = 0
    stopped: bool = False
    trained: dict[str, float] = dataclasses.field(default_factory=dict)
    logs: list[dict[str, float]] = dataclasses.field(default_factory=list)
    stopping: dict[str, Any] = dataclasses.field(default_factory=dict)


def save(path: Path, model: keras.Model, progress: Progress) -> None:
    """Write weights, dropout seeds, optimizer state, running metrics and progress to `path`.

    Raises:
        InputError: a weight is not finite; the last state is kept.
    """
    groups = _groups(model)
    text = json.dumps({"format": _FORMAT, "progress": dataclasses.asdict(progress)})
    with _new_archive(path) as archive:
        archive.writestr("state.json", text)
        for name, variables in groups.items():
            # One variable at a time, so that a save costs the memory of the largest one.
            for number, variable in enumerate(variables):
                array = _array(variable)
                if name == "model":
                    refuse_not_finite(array, variable.path)
                _write_array(archive, f"{name}/{number}", array)


def load(path: Path, model: keras.Model) -> Progress:
    """Set the model's weights, seeds and optimizer from `path` and return where the run stood.

    Raises:
        InputError: the file is damaged, or was written for another model or optimizer.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            state = json.loads(archive.read("state.json"))
            if state["format"] != _FORMAT:
                raise InputError(f"{path} has format {state['format']}, this version reads {_FORMAT}: start a new run")
            groups = _groups(model)
            for name in ("model", "optimizer"):
                _check(path, archive, name, groups[name])
            for name in ("model", "optimizer"):
                _assign(archive, name, groups[name])
            return Progress(**state["progress"])
    except (OSError, KeyError, TypeError, zipfile.BadZipFile, json.JSONDecodeError) as error:
        raise InputError(f"{path} is not a readable checkpoint ({error}): delete it to start again") from error


def load_metrics(path: Path, model: keras.Model) -> None:
    """Set the running metrics of the epoch that was cut short; the model's metrics must be built."""
    with zipfile.ZipFile(path) as archive:
        _check(path, archive, "metrics", model.metrics_variables)
        _assign(archive, "metrics", model.metrics_variables)


def save_weights(path: Path, weights: list[np.ndarray]) -> None:
    """Write the arrays of `model.get_weights()`."""
    with _new_archive(path) as archive:
        for number, array in enumerate(weights):
            _write_array(archive, str(number), _plain(array))


def load_weights(path: Path) -> list[np.ndarray]:
    """Read what `save_weights` wrote."""
    try:
        with zipfile.ZipFile(path) as archive:
            return [_read_array(archive, str(number)) for number in range(len(archive.namelist()))]
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise InputError(f"{path} is not readable ({error}): delete its folder to start again") from error


@contextlib.contextmanager
def _new_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    with output_file(path, force=True) as file, file.open("wb") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            yield archive
        # Without this a power cut after the rename could leave an empty file under the final name.
        stream.flush()
        os.fsync(stream.fileno())


def _groups(model: keras.Model) -> dict[str, list[keras.Variable]]:
    optimizer = model.optimizer
    if not optimizer.built:
        with model.distribute_strategy.scope():
            optimizer.build(model.trainable_variables)
    # `variables`, unlike `weights`, holds the seeds of dropout too.
    return {"model": model.variables, "optimizer": optimizer.variables, "metrics": model.metrics_variables}


def _check(path: Path, archive: zipfile.ZipFile, name: str, variables: list[keras.Variable]) -> None:
    stored = sum(entry.startswith(f"{name}/") for entry in archive.namelist())
    if stored != len(variables):
        raise InputError(
            f"{path} holds {stored} {name} variables and there are {len(variables)} here: "
            "resume with the model and the optimizer that the run began with, or choose another folder"
        )
    for number, variable in enumerate(variables):
        shape = _read_shape(archive, f"{name}/{number}")
        if tuple(variable.shape) != shape:
            raise InputError(
                f"{path} does not fit: {variable.path} has shape {shape} there and {tuple(variable.shape)} here; "
                "resume with the model that the run began with, or choose another folder"
            )


def _assign(archive: zipfile.ZipFile, name: str, variables: list[keras.Variable]) -> None:
    for number, variable in enumerate(variables):
        variable.assign(_read_array(archive, f"{name}/{number}"))


def _array(variable: keras.Variable) -> np.ndarray:
    return _plain(variable.numpy())


def _plain(array: np.ndarray) -> np.ndarray:
    # .npy knows no bfloat16; float32 holds it exactly.
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> None:
    with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
        np.lib.format.write_array(entry, array, allow_pickle=False)


def _read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(f"{name}.npy") as entry:
        return np.lib.format.read_array(entry, allow_pickle=False)


def _read_shape(archive: zipfile.ZipFile, name: str) -> tuple[int, ...]:
    with archive.open(f"{name}.npy") as entry:
        np.lib.format.read_magic(entry)
        return np.lib.format.read_array_header_1_0(entry)[0]
