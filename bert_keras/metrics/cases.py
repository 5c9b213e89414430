"""A metric as a function of how often each case is drawn, so that resampling it is arithmetic on whole arrays.

S samples, N cases, U kinds of cases.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Cases:
    """The cases of a metric: cases of one kind count the same.

    Args:
        kinds: int `[N]`, the kind of each case, from 0 on.
        score: counts of the kinds, float64 `[S, U]` -> the metric's values `[S]`.
        share: whether the metric is a share: 0 where nothing is right, 1 where everything is.
    """

    kinds: np.ndarray
    score: Callable[[np.ndarray], np.ndarray]
    share: bool = False

    @property
    def value(self) -> float:
        """The metric of all cases, each once."""
        return float(self.score(np.bincount(self.kinds)[np.newaxis].astype(np.float64))[0])


def mean_cases(values: Sequence[float] | np.ndarray, share: bool) -> Cases:
    """Return the cases of a metric that is the mean of one value a case.

    Args:
        values: `[N]`.
        share: whether each value lies between 0 (wrong) and 1 (right).
    """
    distinct, kinds = np.unique(np.asarray(values, np.float64), return_inverse=True)
    return Cases(kinds, lambda counts: counts @ distinct / counts.sum(axis=1), share)


def sum_cases(rows: np.ndarray, score: Callable[[np.ndarray], np.ndarray], share: bool) -> Cases:
    """Return the cases of a metric that is a function of sums over the cases.

    Args:
        rows: `[N, K]`, what each case adds to the sums.
        score: sums `[S, K]` -> values `[S]`.
        share: as in `Cases`.
    """
    distinct, kinds = np.unique(rows.astype(np.float64), axis=0, return_inverse=True)
    return Cases(kinds.reshape(-1), lambda counts: score(counts @ distinct), share)
