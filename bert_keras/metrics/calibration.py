"""Whether probabilities mean what they say."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError, whole_number
from bert_keras.metrics.checks import check_pairs

Scores = Sequence[Mapping[Any, float]]


def reliability(correct: Sequence[bool], confidences: Sequence[float], bins: int = 10) -> list[dict[str, float]]:
    """Return how often answers of each confidence are right: one dict a bin of equal width, lowest first.

    Each has "low" and "high" (the bin holds confidences above low, up to and with high; the first one 0 too),
    "count", and where it is not 0 "confidence" and "accuracy", the means.
    Source: Guo et al. 2017, section 2.

    Args:
        correct: whether each answer is right.
        confidences: as many probabilities of the answers given, between 0 and 1.
        bins: how many bins.

    Raises:
        InputError: the lists are empty or of different lengths, or a confidence is no probability, or there is no bin.
    """
    check_pairs(correct, confidences)
    bins = whole_number(bins, "bins")
    right, values = np.asarray(correct, np.float64), np.asarray(confidences, np.float64)
    outside = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(outside):
        raise InputError(f"confidence {outside[0] + 1} is {values[outside[0]]}: give probabilities between 0 and 1")
    edges = np.linspace(0, 1, bins + 1)
    chosen = np.maximum(np.searchsorted(edges, values, side="left") - 1, 0)
    table: list[dict[str, float]] = []
    for i in range(bins):
        inside = chosen == i
        row: dict[str, float] = {"low": float(edges[i]), "high": float(edges[i + 1]), "count": int(inside.sum())}
        if inside.any():
            row |= {"confidence": float(values[inside].mean()), "accuracy": float(right[inside].mean())}
        table.append(row)
    return table


def calibration_error(correct: Sequence[bool], confidences: Sequence[float], bins: int = 10) -> float:
    """Return the expected calibration error: the mean distance of accuracy from confidence, over the answers by bin.

    Source: Guo et al. 2017, equation 3.

    Args:
        correct: whether each answer is right.
        confidences: as many probabilities of the answers given, between 0 and 1.
        bins: how many bins.

    Raises:
        InputError: as `reliability`.
    """
    filled = [row for row in reliability(correct, confidences, bins) if row["count"]]
    return sum(row["count"] * abs(row["accuracy"] - row["confidence"]) for row in filled) / len(correct)


def brier(true: Sequence, scores: Scores) -> float:
    """Return the mean over the cases of the squared errors of all probabilities, from 0 (best) to 2.

    For two labels it is twice the value that looks at one of them only.
    Source: Brier 1950.

    Args:
        true: the right labels.
        scores: for each case the probability of every label.

    Raises:
        InputError: the lists are empty or of different lengths, or a label has no score.
    """
    _check_scores(true, scores)
    errors = [
        sum((probability - (name == label)) ** 2 for name, probability in case.items())
        for label, case in zip(true, scores, strict=True)
    ]
    return float(np.mean(errors))


def log_loss(true: Sequence, scores: Scores) -> float:
    """Return the mean of −ln of the right label's probability (at least 2.2e-16, so that the loss stays finite).

    Args:
        true: the right labels.
        scores: for each case the probability of every label.

    Raises:
        InputError: the lists are empty or of different lengths, or a label has no score.
    """
    _check_scores(true, scores)
    probabilities = np.array([case[label] for label, case in zip(true, scores, strict=True)], np.float64)
    return float(-np.log(np.maximum(probabilities, np.finfo(np.float64).eps)).mean())


def _check_scores(true: Sequence, scores: Scores) -> None:
    check_pairs(true, scores)
    for row, (label, case) in enumerate(zip(true, scores, strict=True), start=1):
        if label not in case:
            raise InputError(f"the right label of case {row}, {label!r}, has no score: the scores are of {list(case)}")
