"""Vectors of length 1, whose inner product is the cosine. N vectors, H numbers of each."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError

# Vectors in work at one time: bounds the memory of their float64 copies.
_CHUNK = 8192


def unit_vectors(vectors: Any, names: Sequence[str], dimension: int | None = None) -> np.ndarray:
    """Scale vectors to length 1; a vector of zeros stays one, and its cosine to every other is 0.

    Args:
        vectors: N vectors of H numbers.
        names: what each vector belongs to, for messages.
        dimension: H, where it must be a certain number.

    Returns:
        float32 `[N, H]`.

    Raises:
        InputError: something else than vectors of numbers of one shape, or a number that is NaN or infinite.
    """
    try:
        array = np.asarray(vectors)
        if array.dtype.kind not in "iuf":
            raise TypeError(f"they are {array.dtype}")
    except (TypeError, ValueError) as error:
        raise InputError(f"the vectors are not {len(names)} lists of as many numbers each: {error}") from None
    if array.ndim != 2 or len(array) != len(names):
        raise InputError(f"the vectors have the shape {list(array.shape)}; {len(names)} vectors need [{len(names)}, H]")
    if dimension is not None and array.shape[1] != dimension:
        raise InputError(f"the vectors have {array.shape[1]} numbers where the index has {dimension}")
    units = np.empty(array.shape, np.float32)
    for start in range(0, len(array), _CHUNK):
        # In float64 no square of a float32 overflows.
        part = array[start : start + _CHUNK].astype(np.float64)
        lengths = np.sqrt((part * part).sum(axis=1, keepdims=True))
        bad = np.flatnonzero(~np.isfinite(lengths))
        if bad.size:
            name = names[start + bad[0]]
            raise InputError(f"the vector of {name!r} holds NaN or infinity: the model, or its file, is broken")
        units[start : start + _CHUNK] = part / np.where(lengths > 0, lengths, 1)
    return units
