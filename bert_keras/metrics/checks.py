"""What all metrics check, and how they divide."""

from collections.abc import Collection
from typing import Any

import numpy as np

from bert_keras.errors import InputError


def check_pairs(true: Collection, predicted: Collection) -> None:
    """Raise InputError unless both have one length, which is not 0."""
    if len(true) != len(predicted):
        raise InputError(f"there are {len(true)} true labels and {len(predicted)} predictions: give as many of each")
    if len(true) == 0:
        raise InputError("there is nothing to score: give at least one label and its prediction")


def check_no_nan(scores: np.ndarray, what: str) -> None:
    """Raise InputError if a score is NaN, which no threshold parts from others."""
    undefined = np.flatnonzero(np.isnan(scores))
    if len(undefined):
        raise InputError(f"{what} of case {undefined[0] + 1} is NaN: give a number")


def ratio(part: float, whole: float) -> float:
    """Return part / whole; a ratio of nothing to nothing is 0."""
    return float(part / whole) if whole else 0.0


def ratios(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole of arrays of one shape, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole != 0)


def prf(hits: float, found: float, support: float) -> dict[str, Any]:
    """Return precision, recall and F1 of counts: right ones among those found, found ones, true ones."""
    return {
        "precision": ratio(hits, found),
        "recall": ratio(hits, support),
        "f1": ratio(2 * hits, found + support),
        "support": int(support),
    }
