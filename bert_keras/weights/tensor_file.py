"""What every format of checkpoint is turned into: tensors by Hugging Face's names."""

import abc
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


class TensorFile(Mapping[str, np.ndarray]):
    """The tensors of a checkpoint by name, matrices `[out, in]`; each is read when asked for, as float32.

    A subclass sets `_held`, by whose keys it is named what there is, and gives `__getitem__` and `shape`.
    """

    _held: Mapping[str, Any]

    @abc.abstractmethod
    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    # A mapping's own would read the tensor.
    def __contains__(self, name: object) -> bool:
        return name in self._held
