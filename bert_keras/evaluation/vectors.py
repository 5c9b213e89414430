"""Embeddings as arrays. N texts, E dimensions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError, refuse_not_finite

_SHORTEST = 1e-12


def check_embeddings(examples: Any, texts: Sequence[str], answers: Sequence[Any]) -> None:
    """Raise InputError unless there is an answer to each of one or more texts."""
    if len(texts) != len(answers):
        raise InputError(f"{examples.source}: there are {len(texts)} texts to embed and {len(answers)} embeddings")
    if not texts:
        raise InputError(f"{examples.source} holds no examples to score")


def unit_vectors(vectors: Sequence[np.ndarray]) -> np.ndarray:
    """The vectors at unit length, float64 `[N, E]`; zero stays zero."""
    array = np.asarray(vectors, np.float64)
    refuse_not_finite(array, "an embedding")
    return array / np.maximum(np.linalg.norm(array, axis=1, keepdims=True), _SHORTEST)
