"""Evaluation metrics: plain functions on plain lists."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError

AVERAGES = ("macro", "micro", "weighted", "binary")


def accuracy(true: Sequence, predicted: Sequence) -> float:
    """Return the share of equal pairs.

    Args:
        true: the right labels.
        predicted: as many predicted labels.

    Raises:
        InputError: the lists are empty or of different lengths (so do all functions here).
    """
    _check(true, predicted)
    return sum(t == p for t, p in zip(true, predicted, strict=True)) / len(true)


def confusion_matrix(true: Sequence, predicted: Sequence, labels: Sequence | None = None) -> list[list[int]]:
    """Return counts: row = true label, column = predicted label.

    Args:
        true: the right labels.
        predicted: as many predicted labels.
        labels: the order of rows and columns; by default those that occur, sorted.
    """
    _check(true, predicted)
    names = _labels(true, predicted) if labels is None else list(labels)
    index = {name: position for position, name in enumerate(names)}
    matrix = [[0] * len(names) for _ in names]
    for t, p in zip(true, predicted, strict=True):
        for name in (t, p):
            if name not in index:
                raise InputError(f"label {name!r} is not among the labels {names}")
        matrix[index[t]][index[p]] += 1
    return matrix


def precision_recall(true: Sequence, predicted: Sequence) -> dict[Any, dict[str, float]]:
    """Return `{label: {"precision", "recall", "f1", "support"}}`; a ratio of nothing to nothing is 0.

    Args:
        true: the right labels.
        predicted: as many predicted labels.
    """
    names = _labels(true, predicted)
    matrix = np.array(confusion_matrix(true, predicted, names))
    hits, predictions, support = matrix.diagonal(), matrix.sum(axis=0), matrix.sum(axis=1)
    return {
        name: {
            "precision": _ratio(hits[i], predictions[i]),
            "recall": _ratio(hits[i], support[i]),
            "f1": _ratio(2 * hits[i], predictions[i] + support[i]),
            "support": int(support[i]),
        }
        for i, name in enumerate(names)
    }


def f1(true: Sequence, predicted: Sequence, average: str = "macro", positive: Hashable = 1) -> float:
    """Return the harmonic mean of precision and recall.

    Args:
        true: the right labels.
        predicted: as many predicted labels.
        average: "macro" (mean over the labels), "weighted" (by how often each is right), "micro" (over all
            decisions; equals accuracy here), or "binary" (of the label `positive`).
        positive: the label that "binary" scores.

    Raises:
        InputError: no such average, or `positive` occurs nowhere.
    """
    if average not in AVERAGES:
        raise InputError(f"average is {average!r}: choose one of {', '.join(AVERAGES)}")
    if average == "micro":
        return accuracy(true, predicted)
    scores = precision_recall(true, predicted)
    if average == "binary":
        if positive not in scores:
            raise InputError(f"label {positive!r} occurs nowhere: the labels are {list(scores)}")
        return scores[positive]["f1"]
    if average == "macro":
        return sum(score["f1"] for score in scores.values()) / len(scores)
    return sum(score["f1"] * score["support"] for score in scores.values()) / len(true)


def matthews(true: Sequence, predicted: Sequence) -> float:
    """Return Matthews' correlation, for any number of labels; 0 where one side is constant.

    Source: Gorodkin 2004 (the measure of CoLA).

    Args:
        true: the right labels.
        predicted: as many predicted labels.
    """
    matrix = np.array(confusion_matrix(true, predicted), dtype=np.float64)
    total, hits = matrix.sum(), matrix.trace()
    true_counts, predicted_counts = matrix.sum(axis=1), matrix.sum(axis=0)
    covariance = hits * total - true_counts @ predicted_counts
    spread = (total**2 - true_counts @ true_counts) * (total**2 - predicted_counts @ predicted_counts)
    return float(covariance / math.sqrt(spread)) if spread else 0.0


def pearson(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the linear correlation; NaN where one side is constant.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    _check(true, predicted)
    x, y = _centred(true), _centred(predicted)
    spread = math.sqrt((x @ x) * (y @ y))
    return float(x @ y / spread) if spread else math.nan


def spearman(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the correlation of the ranks, equal values sharing their mean rank; NaN where one side is constant.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    _check(true, predicted)
    return pearson(_ranks(true), _ranks(predicted))


def bootstrap_interval(
    true: Sequence,
    predicted: Sequence,
    metric: Callable[[Sequence, Sequence], float] = accuracy,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the interval that holds `level` of the metric's values over resampled examples.

    Source: Efron and Tibshirani 1993, the percentile bootstrap.

    Args:
        true: the right labels or values.
        predicted: as many predicted ones.
        metric: a function of two lists.
        samples: how often to resample.
        level: the share of values inside.
        seed: of the resampling.
    """
    _check(true, predicted)
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(samples):
        chosen = rng.integers(0, len(true), len(true))
        values.append(metric([true[i] for i in chosen], [predicted[i] for i in chosen]))
    low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _check(true: Sequence, predicted: Sequence) -> None:
    if len(true) != len(predicted):
        raise InputError(f"there are {len(true)} true labels and {len(predicted)} predictions: give as many of each")
    if len(true) == 0:
        raise InputError("there is nothing to score: give at least one label and its prediction")


def _labels(true: Sequence, predicted: Sequence) -> list:
    return sorted({*true, *predicted})


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def _centred(values: Sequence[float]) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    # A constant list must have no spread at all, whatever its mean rounds to.
    return array - array.mean() if np.ptp(array) else np.zeros_like(array)


def _ranks(values: Sequence[float]) -> list[float]:
    array = np.asarray(values, dtype=np.float64)
    _, groups, counts = np.unique(array, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[groups].tolist()
