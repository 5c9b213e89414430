"""Keras variables by their paths, as a phone's graph takes them: float32, matrices `[out, in]`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Arrays = dict[str, np.ndarray]
# Kernel and bias.
Product = tuple[np.ndarray, np.ndarray]


class Variables:
    """Keras variables as float32 arrays.

    Args:
        variables: path of a variable -> variable or array.
    """

    def __init__(self, variables: Mapping[str, Any]):
        self._variables = variables

    def value(self, path: str) -> np.ndarray:
        """The variable as it is."""
        return np.asarray(self._variables[path], dtype=np.float32)

    def product(self, path: str, scale: float = 1.0) -> Product:
        """Kernel `[out, in]` and bias of a dense layer, times a factor; the bias is 0 where the layer has none."""
        kernel = self.value(f"{path}/kernel").T * np.float32(scale)
        bias = self.value(f"{path}/bias") if f"{path}/bias" in self._variables else np.zeros(len(kernel), np.float32)
        return kernel, bias * np.float32(scale)

    def dense(self, name: str, path: str) -> Arrays:
        """A dense layer."""
        return named(name, [self.product(path)])

    def layer_norm(self, name: str, path: str) -> Arrays:
        """A LayerNorm."""
        return {f"{name}_{part}": self.value(f"{path}/{part}") for part in ("gamma", "beta")}


def named(name: str, parts: Sequence[Product]) -> Arrays:
    """Products beside each other as one."""
    kernels, biases = zip(*parts, strict=True)
    return {f"{name}_kernel": np.concatenate(kernels), f"{name}_bias": np.concatenate(biases)}
