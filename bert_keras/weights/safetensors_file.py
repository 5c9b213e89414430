"""Reads a safetensors file tensor by tensor."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from bert_keras.errors import InputError


class SafetensorsFile(Mapping[str, np.ndarray]):
    """The tensors of a safetensors file by name; each is read when asked for, half precision as float32.

    Args:
        path: the file.

    Raises:
        InputError: the file is truncated or no safetensors file.
    """

    def __init__(self, path: Path):
        self.path = path
        try:
            self._file = safe_open(str(path), framework="numpy")
        except (SafetensorError, OSError) as error:
            raise InputError(
                f"{path} cannot be read as safetensors ({error}): the file is truncated or damaged; copy it again"
            ) from error
        self._names = dict.fromkeys(self._file.keys())

    def __getitem__(self, name: str) -> np.ndarray:
        if self._file.get_slice(name).get_dtype() == "BF16":
            return self._bfloat16(name)
        return np.asarray(self._file.get_tensor(name), dtype=np.float32)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""
        return tuple(self._file.get_slice(name).get_shape())

    def _bfloat16(self, name: str) -> np.ndarray:
        # NumPy knows no bfloat16: its bits are the upper half of a float32.
        with open(self.path, "rb") as file:
            header_size = int.from_bytes(file.read(8), "little")
            entry = json.loads(file.read(header_size))[name]
            start, end = entry["data_offsets"]
            file.seek(8 + header_size + start)
            bits = np.frombuffer(file.read(end - start), dtype="<u2")
        return (bits.astype(np.uint32) << 16).view(np.float32).reshape(entry["shape"])
