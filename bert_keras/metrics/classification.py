"""Metrics of one label a case."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.metrics.cases import Cases, mean_cases
from bert_keras.metrics.checks import check_pairs, prf, ratios

AVERAGES = ("macro", "micro", "weighted", "binary")


def accuracy(true: Sequence, predicted: Sequence) -> float:
    """Return the share of equal pairs.

    Args:
        true: the right labels.
        predicted: as many predicted labels.

    Raises:
        InputError: the lists are empty or of different lengths (so do all functions here).
    """
    check_pairs(true, predicted)
    return sum(t == p for t, p in zip(true, predicted, strict=True)) / len(true)


def confusion_matrix(true: Sequence, predicted: Sequence, labels: Sequence | None = None) -> list[list[int]]:
    """Return counts: row = true label, column = predicted label.

    Args:
        true: the right labels.
        predicted: as many predicted labels.
        labels: the order of rows and columns; by default those that occur, sorted.
    """
    check_pairs(true, predicted)
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
    hits, found, support = matrix.diagonal(), matrix.sum(axis=0), matrix.sum(axis=1)
    return {name: prf(hits[i], found[i], support[i]) for i, name in enumerate(names)}


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
    return f1_cases(true, predicted, average, positive).value


def matthews(true: Sequence, predicted: Sequence) -> float:
    """Return Matthews' correlation, for any number of labels; 0 where one side is constant.

    Source: Gorodkin 2004 (the measure of CoLA).

    Args:
        true: the right labels.
        predicted: as many predicted labels.
    """
    return matthews_cases(true, predicted).value


def accuracy_cases(true: Sequence, predicted: Sequence) -> Cases:
    """Return the cases of `accuracy`."""
    check_pairs(true, predicted)
    return mean_cases([t == p for t, p in zip(true, predicted, strict=True)], share=True)


def f1_cases(true: Sequence, predicted: Sequence, average: str = "macro", positive: Hashable = 1) -> Cases:
    """Return the cases of `f1`."""
    if average not in AVERAGES:
        raise InputError(f"average is {average!r}: choose one of {', '.join(AVERAGES)}")
    if average == "micro":
        return accuracy_cases(true, predicted)
    check_pairs(true, predicted)
    names = _labels(true, predicted)
    if average == "binary" and positive not in names:
        raise InputError(f"label {positive!r} occurs nowhere: the labels are {names}")

    def mean(hits: np.ndarray, found: np.ndarray, support: np.ndarray) -> np.ndarray:
        scores = ratios(2 * hits, found + support)
        if average == "binary":
            return scores[:, names.index(positive)]
        if average == "macro":
            # A sample may lack a label altogether; then it has no F1.
            return scores.sum(axis=1) / (found + support > 0).sum(axis=1)
        return (scores * support).sum(axis=1) / support.sum(axis=1)

    return _label_cases(true, predicted, mean, share=True)


def matthews_cases(true: Sequence, predicted: Sequence) -> Cases:
    """Return the cases of `matthews`."""
    check_pairs(true, predicted)

    def correlation(hits: np.ndarray, found: np.ndarray, support: np.ndarray) -> np.ndarray:
        total = support.sum(axis=1)
        covariance = hits.sum(axis=1) * total - (support * found).sum(axis=1)
        spread = (total**2 - (support**2).sum(axis=1)) * (total**2 - (found**2).sum(axis=1))
        return ratios(covariance, np.sqrt(spread))

    return _label_cases(true, predicted, correlation, share=False)


def _label_cases(
    true: Sequence, predicted: Sequence, score: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray], share: bool
) -> Cases:
    """Cases that are pairs of labels; `score` takes hits, found and support of each label, `[S, labels]` each."""
    names = _labels(true, predicted)
    index = {name: position for position, name in enumerate(names)}
    codes = [index[t] * len(names) + index[p] for t, p in zip(true, predicted, strict=True)]
    cells, kinds = np.unique(codes, return_inverse=True)
    support, found = np.eye(len(names))[cells // len(names)], np.eye(len(names))[cells % len(names)]
    hits = support * found
    return Cases(kinds, lambda counts: score(counts @ hits, counts @ found, counts @ support), share)


def _labels(true: Sequence, predicted: Sequence) -> list:
    return sorted({*true, *predicted})
