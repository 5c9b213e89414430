"""Vectors of length 1, whose inner product is the cosine. N vectors, H numbers of each."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError


def unit_vectors(vectors: Any, names: Sequence[str], dimension: int | None = None) -> np.ndarray:
    """Scale vectors to length 1; a vector of zeros stays one, and its cosine to every other is 0.

    Args:
        vectors: N vectors of H numbers.
        names: what each vector belongs to, for messages.
        dimension: H, where it must be a certain number.

    Returns:
        float32 `[N, H]`.

    Raises:
        InputError: another shape, or a number that is NaN or infinite.
    """
    # In float64 no square of a float32 overflows.
    array = np.asarray(vectors, np.float64)
    if array.ndim != 2 or len(array) != len(names):
        raise InputError(f"the vectors have the shape {list(array.shape)}; {len(names)} vectors need [{len(names)}, H]")
    if dimension is not None and array.shape[1] != dimension:
        raise InputError(f"the vectors have {array.shape[1]} numbers where the index has {dimension}")
    lengths = np.sqrt((array * array).sum(axis=1, keepdims=True))
    bad = np.flatnonzero(~np.isfinite(lengths))
    if bad.size:
        raise InputError(f"the vector of {names[bad[0]]!r} holds NaN or infinity: the model, or its file, is broken")
    return (array / np.where(lengths > 0, lengths, 1)).astype(np.float32)
