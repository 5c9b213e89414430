"""Reads the arrays of a KerasHub weights file, without the model that wrote it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import h5py
import numpy as np

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.rows import Row, shape_in_hugging_face, to_hugging_face
from bert_keras.weights.tensor_file import TensorFile

# State that is no weight: the optimizer's and the random generators'.
_NO_WEIGHT = re.compile(r"^optimizer/|/?seed_generator(_\d+)?/")
# Files of Keras 2 begin otherwise; Keras 3 of some versions writes the attention's parts under their private names.
_OLD_TOP = "_layer_checkpoint_dependencies/"
_PRIVATE = re.compile(r"/_(query|key|value|output)_dense/")


class WeightsFile:
    """The arrays of a `.weights.h5` by their places, `layers/` left out.

    Args:
        path: the file.

    Raises:
        InputError: the file is no HDF5 file, holds something else than numbers, or refers to other files.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            self._file = h5py.File(path, "r")
        except OSError as error:
            raise InputError(
                f"{path} cannot be read as HDF5 ({error}): the file is truncated or damaged; copy it again"
            ) from error
        self._datasets: dict[str, h5py.Dataset] = {}
        # It follows no links, so that nothing outside the file is read.
        self._file.visititems(self._add)

    def __getitem__(self, place: str) -> np.ndarray:
        value = np.asarray(self._datasets[place][()])
        if self._datasets[place].attrs.get("dtype") == "bfloat16":
            # NumPy knows no bfloat16: its bits are the upper half of a float32.
            return (value.view("<u2").astype(np.uint32) << 16).view(np.float32)
        return value.astype(np.float32)

    def __contains__(self, place: str) -> bool:
        return place in self._datasets

    def __iter__(self) -> Iterator[str]:
        return iter(self._datasets)

    def shape(self, place: str) -> tuple[int, ...]:
        """The shape of an array, without reading it."""
        return tuple(self._datasets[place].shape)

    def _add(self, place: str, item: h5py.HLObject) -> None:
        if not isinstance(item, h5py.Dataset) or _NO_WEIGHT.search(place):
            return
        if item.external or item.is_virtual:
            raise InputError(f"{self.path}: {place} lies in another file, which is not read")
        # Numbers that nobody wrote take no place in the file, but any amount of memory.
        if item.nbytes > self.path.stat().st_size:
            raise InputError(f"{self.path}: {place} is larger than its file: the file is damaged; copy it again")
        if item.dtype.kind != "f" and item.attrs.get("dtype") != "bfloat16":
            raise InputError(f"{self.path}: {place} is {item.dtype}: a quantized model cannot be read, only floats")
        place = place.removeprefix("layers/").removeprefix(_OLD_TOP)
        self._datasets[_PRIVATE.sub(r"/\1_dense/", place)] = item


class PresetTensors(TensorFile):
    """A preset's arrays under Hugging Face's names; each is read when asked for.

    Args:
        parts: a weights file and the rows of what it holds; names in the rows are whole ones.
    """

    def __init__(self, parts: Iterable[tuple[WeightsFile, Iterable[Row]]]):
        self._sources = {row.name: (file, row) for file, rows in parts for row in rows}
        self._folded = {row.folded: name for name, (_, row) in self._sources.items() if row.folded}
        self._held = {**self._sources, **self._folded}

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self._folded:
            return np.zeros(self.shape(name), np.float32)
        file, row = self._sources[name]
        return np.ascontiguousarray(to_hugging_face(file[row.file], row))

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""
        if name in self._folded:
            return (1, self.shape(self._folded[name])[1])
        file, row = self._sources[name]
        return shape_in_hugging_face(file.shape(row.file), row)
