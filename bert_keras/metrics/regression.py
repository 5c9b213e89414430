"""Errors of predicted numbers."""

from collections.abc import Sequence

import numpy as np

from bert_keras.metrics.cases import Cases, mean_cases
from bert_keras.metrics.checks import check_pairs
from bert_keras.metrics.correlation import constant


def mean_squared_error(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the mean of the squared differences.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    return squared_error_cases(true, predicted).value


def mean_absolute_error(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the mean of the differences without their sign.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    return absolute_error_cases(true, predicted).value


def r2(true: Sequence[float], predicted: Sequence[float]) -> float:
    """Return the share of the variance that is explained, below 0 if the mean predicts better; NaN of a constant.

    Args:
        true: the right values.
        predicted: as many predicted values.
    """
    return r2_cases(true, predicted).value


def squared_error_cases(true: Sequence[float], predicted: Sequence[float]) -> Cases:
    """Return the cases of `mean_squared_error`."""
    return mean_cases(_errors(true, predicted) ** 2, share=False)


def absolute_error_cases(true: Sequence[float], predicted: Sequence[float]) -> Cases:
    """Return the cases of `mean_absolute_error`."""
    return mean_cases(np.abs(_errors(true, predicted)), share=False)


def r2_cases(true: Sequence[float], predicted: Sequence[float]) -> Cases:
    """Return the cases of `r2`."""
    squares, values = _errors(true, predicted) ** 2, np.asarray(true, np.float64)

    def score(counts: np.ndarray) -> np.ndarray:
        means = counts @ values / counts.sum(axis=1)
        spread = (counts * (values - means[:, np.newaxis]) ** 2).sum(axis=1)
        spread[constant(values[np.newaxis], counts)] = np.nan
        return 1 - counts @ squares / spread

    return Cases(np.arange(len(values)), score)


def _errors(true: Sequence[float], predicted: Sequence[float]) -> np.ndarray:
    check_pairs(true, predicted)
    return np.asarray(predicted, np.float64) - np.asarray(true, np.float64)
