"""Reads a safetensors file tensor by tensor.

Source of the layout: huggingface/safetensors README.
"""

import json
import math
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from bert_keras.errors import InputError
from bert_keras.weights.tensor_file import TensorFile

_TYPES = {
    "BOOL": "?",
    "U8": "u1",
    "I8": "i1",
    "U16": "<u2",
    "I16": "<i2",
    "F16": "<f2",
    # NumPy knows no bfloat16: its bits are the upper half of a float32.
    "BF16": "<u2",
    "U32": "<u4",
    "I32": "<i4",
    "F32": "<f4",
    "U64": "<u8",
    "I64": "<i8",
    "F64": "<f8",
}


class SafetensorsFile(TensorFile):
    """The tensors of a safetensors file by name; each is read when asked for, as float32.

    Args:
        path: the file.

    Raises:
        InputError: the file is truncated or no safetensors file.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            # It checks the whole header: that every tensor lies in the file and has the bytes of its shape.
            with safe_open(str(path), framework="numpy"):
                pass
        except (SafetensorError, OSError) as error:
            raise InputError(
                f"{path} cannot be read as safetensors ({error}): the file is truncated or damaged; copy it again"
            ) from error
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            entries = json.loads(file.read(size))
        self._start = 8 + size
        self._held = {name: entry for name, entry in entries.items() if name != "__metadata__"}

    def __getitem__(self, name: str) -> np.ndarray:
        entry = self._held[name]
        if entry["dtype"] not in _TYPES:
            raise InputError(f"{self.path}: the tensor {name} is of the type {entry['dtype']}, which is not read")
        shape, first = entry["shape"], self._start + entry["data_offsets"][0]
        # Read and not mapped: the pages of a mapped file would count beside the variables that they are copied into.
        array = np.fromfile(self.path, _TYPES[entry["dtype"]], math.prod(shape), offset=first)
        if entry["dtype"] == "BF16":
            array = (array.astype(np.uint32) << 16).view(np.float32)
        return np.asarray(array, dtype=np.float32).reshape(shape)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""
        return tuple(self._held[name]["shape"])
