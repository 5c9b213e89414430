"""How closely two lists of numbers go together. S samples, N cases."""

import math
from collections.abc import Sequence

import numpy as np

from bert_keras.metrics.cases import Cases
from bert_keras.metrics.checks import check_pairs


def pearson(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the linear correlation; NaN where one side is constant.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    return pearson_cases(true, predicted).value


def spearman(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the correlation of the ranks, equal values sharing their mean rank; NaN of a constant side or of NaN.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    return spearman_cases(true, predicted).value


def kendall(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return tau-b: pairs in the same order less pairs in opposite order; NaN where one side is constant.

    Every pair is looked at: 10,000 values take about a second.
    Source: Kendall 1945.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    check_pairs(true, predicted)
    x, y = np.asarray(true, np.float64), np.asarray(predicted, np.float64)
    difference = untied_x = untied_y = 0.0
    for i in range(1, len(x)):
        x_signs, y_signs = np.sign(x[:i] - x[i]), np.sign(y[:i] - y[i])
        difference += x_signs @ y_signs
        untied_x += x_signs @ x_signs
        untied_y += y_signs @ y_signs
    spread = math.sqrt(untied_x) * math.sqrt(untied_y)
    return float(difference / spread) if spread else math.nan


def pearson_cases(true: Sequence[float], predicted: Sequence[float]) -> Cases:
    """Return the cases of `pearson`."""
    check_pairs(true, predicted)
    x, y = np.asarray(true, np.float64), np.asarray(predicted, np.float64)
    return Cases(np.arange(len(x)), lambda counts: _correlation(x[np.newaxis], y[np.newaxis], counts))


def spearman_cases(true: Sequence[float], predicted: Sequence[float]) -> Cases:
    """Return the cases of `spearman`."""
    check_pairs(true, predicted)
    x, y = _Ranks(true), _Ranks(predicted)
    return Cases(np.arange(len(true)), lambda counts: _correlation(x(counts), y(counts), counts))


def ranks(values: Sequence[float]) -> np.ndarray:
    """Return the rank of each value from 1 on, float64 `[N]`; equal values share their mean rank, NaN has none."""
    return _Ranks(values)(np.ones((1, len(values))))[0]


def constant(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Say for each sample whether all values that it holds are one: bool `[S]`.

    Args:
        values: `[1, N]` or `[S, N]`.
        counts: how often each value is in the sample, `[S, N]`.
    """
    drawn = counts > 0
    return np.where(drawn, values, -np.inf).max(axis=1) == np.where(drawn, values, np.inf).min(axis=1)


def _correlation(x: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Linear correlation of `[1 or S, N]` values that occur `[S, N]` times."""
    total = counts.sum(axis=1, keepdims=True)
    x_centred = x - (x * counts).sum(axis=1, keepdims=True) / total
    y_centred = y - (y * counts).sum(axis=1, keepdims=True) / total
    weighted = x_centred * counts
    covariance = (weighted * y_centred).sum(axis=1)
    spread = np.sqrt((weighted * x_centred).sum(axis=1)) * np.sqrt((y_centred * counts * y_centred).sum(axis=1))
    # A constant list must have no spread at all, whatever its mean rounds to.
    spread[constant(x, counts) | constant(y, counts)] = 0
    values = np.divide(covariance, spread, out=np.full(len(spread), np.nan), where=spread > 0)
    return np.clip(values, -1, 1)


class _Ranks:
    """The ranks of values in samples of them: counts `[S, N]` -> ranks `[S, N]`, equal values sharing theirs."""

    def __init__(self, values: Sequence[float]):
        numbers = np.asarray(values, np.float64)
        self.undefined = np.isnan(numbers)
        _, self.groups, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
        self.order = np.argsort(self.groups, kind="stable")
        self.starts = np.cumsum(sizes) - sizes

    def __call__(self, counts: np.ndarray) -> np.ndarray:
        sizes = np.add.reduceat(counts[:, self.order], self.starts, axis=1)
        ranks = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
        # Sorting puts NaN last, as if it were the highest number.
        return np.where(self.undefined, np.nan, ranks[:, self.groups])
