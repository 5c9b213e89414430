"""Reads a torch file (`.bin`, `.pt`) tensor by tensor, without torch and without running anything in it.

Source of the two layouts: torch `serialization.py`.
"""

import io
import math
import mmap
import zipfile
from pathlib import Path
from typing import IO, Any, Literal, cast

import numpy as np

from bert_keras.errors import InputError
from bert_keras.weights.tensor_file import TensorFile
from bert_keras.weights.torch_pickle import ITEM_SIZES, Storage, TensorView, is_size, read_pickle

_MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
# Where training programs keep the weights beside other things.
_PARTS = ("state_dict", "model")
# NumPy's limit is 64 from 2.0 on; torch's own is the same.
_MOST_AXES = 64
# The object, the first byte and the number of bytes of every storage by its key, and the order of bytes in a number.
_Read = tuple[Any, dict[str, tuple[int, int]], Literal["<", ">"]]


class TorchFile(TensorFile):
    """The tensors of a torch file by name; each is read when asked for, as float32.

    Args:
        path: the file, in the zip layout or in the one before torch 1.6.
        part: key of the dict in the file that holds the tensors; without it `state_dict` or `model` where the file
            has one, else the dict that the file is.

    Attributes:
        contents: the whole object of the file; `bert_keras.weights.torch_pickle` tells what it is made of.

    Raises:
        InputError: the file is truncated, damaged or no torch file, a tensor lies outside of it, or it has no such
            part.
    """

    def __init__(self, path: Path, part: str | None = None):
        self.path = path
        try:
            with open(path, "rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            read = _read_zip if data[:2] == b"PK" else _read_legacy
            self.contents, self._places, self._byte_order = read(data)
        # ValueError: our own reader's, and mmap's of an empty file; NotImplementedError: zipfile's of its newer kinds.
        except (ValueError, OSError, zipfile.BadZipFile, NotImplementedError) as error:
            raise InputError(
                f"{path} cannot be read as a torch file ({_shown(error)}): it is truncated, damaged or no such file; "
                f"copy it again"
            ) from error
        self._size = len(data)
        found = _part(self.contents, part, path)
        self._held = {
            name: view for name, view in found.items() if isinstance(name, str) and isinstance(view, TensorView)
        }
        for name, view in self._held.items():
            self._check(name, view)

    def __getitem__(self, name: str) -> np.ndarray:
        view = self._held[name]
        if 0 in view.shape:
            return np.zeros(view.shape, np.float32)
        storage, size = view.storage, ITEM_SIZES[view.storage.dtype]
        # NumPy knows no bfloat16: its bits are the upper half of a float32.
        dtype = np.dtype("uint16" if storage.dtype == "bfloat16" else storage.dtype).newbyteorder(self._byte_order)
        first = self._places[storage.key][0] + (storage.start + view.offset) * size
        # Read and not mapped: the pages of a mapped file would count beside the variables that they are copied into.
        flat = np.fromfile(self.path, dtype, _reach(view), offset=first)
        if len(flat) < _reach(view):
            raise InputError(f"{self.path} was truncated since it was opened; copy it again")
        steps = [step * size for step in view.stride]
        array = np.lib.stride_tricks.as_strided(flat, view.shape, steps, writeable=False)
        if storage.dtype == "bfloat16":
            return np.asarray(np.left_shift(array, 16, dtype=np.uint32).view(np.float32))
        # What float32 cannot hold becomes infinite; whoever applies the weights refuses it by name.
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(array, dtype=np.float32)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""
        return self._held[name].shape

    def _check(self, name: str, view: TensorView) -> None:
        where = f"{self.path}: the tensor {_shown(name)}"
        numbers = (view.offset, *view.shape, *view.stride)
        if not all(map(is_size, numbers)) or len(view.shape) != len(view.stride):
            raise InputError(f"{where} has no valid shape and stride: the file is damaged; copy it again")
        storage, size = view.storage, ITEM_SIZES[view.storage.dtype]
        place = self._places.get(storage.key)
        if place is None:
            raise InputError(f"{where} is in the storage {_shown(storage.key)}, which the file lacks; copy it again")
        end = view.offset + _reach(view)
        if end > storage.size or (storage.start + end) * size > place[1]:
            raise InputError(
                f"{where} ends behind its storage {_shown(storage.key)}: the file is damaged; copy it again"
            )
        # A step of 0 repeats numbers: a few bytes could ask for any amount of memory.
        if len(view.shape) > _MOST_AXES or math.prod(view.shape) * size > self._size:
            raise InputError(f"{where} is larger than its file: the file is damaged; copy it again")


def _reach(view: TensorView) -> int:
    """How many numbers lie from the first of a view to its last."""
    if 0 in view.shape:
        return 0
    return 1 + sum((size - 1) * step for size, step in zip(view.shape, view.stride, strict=True))


def _shown(text: object) -> str:
    """What a file says, fit for a message: on one line, of a bounded length, without control characters."""
    return str(text).encode("unicode_escape").decode("ascii")[:200]


def _part(contents: Any, part: str | None, path: Path) -> dict:
    table = contents if isinstance(contents, dict) else {}
    if part is not None and not isinstance(table.get(part), dict):
        keys = ", ".join(sorted(key for key in table if isinstance(key, str) and isinstance(table[key], dict))[:10])
        raise InputError(f"{path} has no part {part!r}; its parts are: {_shown(keys) or 'none'}")
    for key in _PARTS if part is None else [part]:
        if isinstance(table.get(key), dict):
            return table[key]
    return table


def _read_zip(data: mmap.mmap) -> _Read:
    # A map reads, seeks and tells as a file does; its declared type only lacks the rest of a file's methods.
    with zipfile.ZipFile(cast(IO[bytes], data)) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
    names = [name for name in entries if name.endswith("/data.pkl") and name.count("/") == 1]
    if len(names) != 1:
        raise ValueError("the archive holds no data.pkl; files of torch.jit are not read")
    folder = names[0].removesuffix("data.pkl")
    places = {}
    for name, entry in entries.items():
        if entry.compress_type != zipfile.ZIP_STORED:
            raise ValueError("its entries are compressed, which torch never does")
        # The name and an extra field of the entry's own header, of 30 bytes, stand before the content.
        header = data[entry.header_offset : entry.header_offset + 30]
        start = entry.header_offset + 30 + int.from_bytes(header[26:28], "little")
        start += int.from_bytes(header[28:30], "little")
        if start + entry.file_size > len(data):
            raise ValueError(f"its entry {name} ends behind the file")
        places[name.removeprefix(folder)] = (start, entry.file_size)
    start, size = places["data.pkl"]
    contents = read_pickle(io.BytesIO(data[start : start + size]))
    start, size = places.get("byteorder", (0, 0))
    order: Literal["<", ">"] = ">" if data[start : start + size] == b"big" else "<"
    storages = {name.removeprefix("data/"): place for name, place in places.items() if name.startswith("data/")}
    return contents, storages, order


def _read_legacy(data: mmap.mmap) -> _Read:
    if read_pickle(data) != _MAGIC_NUMBER:
        raise ValueError("it does not begin as torch's files do")
    read_pickle(data)  # the protocol's number
    read_pickle(data)  # sizes of the machine that wrote it; the numbers are little-endian on every machine
    found: dict[str, Storage] = {}
    contents = read_pickle(data, found)
    keys = read_pickle(data)
    places = {}
    for key in keys:
        if key not in found:
            raise ValueError(f"its storage {key} has a type that is not read")
        size = ITEM_SIZES[found[key].dtype]
        start = data.tell() + 8
        places[key] = (start, int.from_bytes(data.read(8), "little") * size)
        if start + places[key][1] > len(data):
            raise ValueError(f"its storage {key} ends behind the file")
        data.seek(start + places[key][1])
    return contents, places, "<"
