"""How far a metric may be off for want of examples. S samples, N cases, U kinds of cases."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import NormalDist

import numpy as np

from bert_keras.errors import InputError
from bert_keras.metrics.cases import Cases, mean_cases
from bert_keras.metrics.checks import check_pairs
from bert_keras.metrics.classification import accuracy, accuracy_cases, f1, f1_cases, matthews, matthews_cases
from bert_keras.metrics.correlation import pearson, pearson_cases, spearman, spearman_cases
from bert_keras.metrics.entities import entity_cases, entity_f1
from bert_keras.metrics.multi_label import (
    multi_label_f1,
    multi_label_f1_cases,
    subset_accuracy,
    subset_accuracy_cases,
)
from bert_keras.metrics.regression import (
    absolute_error_cases,
    mean_absolute_error,
    mean_squared_error,
    r2,
    r2_cases,
    squared_error_cases,
)
from bert_keras.metrics.retrieval import (
    average_precision,
    hit_rate,
    mean_average_precision,
    mrr,
    ndcg,
    precision_at,
    query_cases,
    query_hit,
    query_ndcg,
    query_precision,
    query_recall,
    recall_at,
    reciprocal_rank,
    triplet_accuracy,
    triplet_cases,
)
from bert_keras.metrics.squad import (
    squad_character_f1,
    squad_character_f1_cases,
    squad_exact_match,
    squad_exact_match_cases,
    squad_f1,
    squad_f1_cases,
)

# Metric -> its cases; any other function is called anew for each sample.
CASES: dict[Callable, Callable[..., Cases]] = {
    accuracy: accuracy_cases,
    f1: f1_cases,
    matthews: matthews_cases,
    pearson: pearson_cases,
    spearman: spearman_cases,
    entity_f1: entity_cases,
    multi_label_f1: multi_label_f1_cases,
    subset_accuracy: subset_accuracy_cases,
    mean_absolute_error: absolute_error_cases,
    mean_squared_error: squared_error_cases,
    r2: r2_cases,
    hit_rate: partial(query_cases, query_hit),
    mean_average_precision: partial(query_cases, average_precision, k=None),
    mrr: partial(query_cases, reciprocal_rank),
    ndcg: partial(query_cases, query_ndcg),
    precision_at: partial(query_cases, query_precision),
    recall_at: partial(query_cases, query_recall),
    triplet_accuracy: triplet_cases,
    squad_character_f1: squad_character_f1_cases,
    squad_exact_match: squad_exact_match_cases,
    squad_f1: squad_f1_cases,
}
# So many numbers of a batch of samples are held at once.
_BATCH = 1_000_000


def bootstrap_interval(
    true: Sequence,
    predicted: Sequence,
    metric: Callable[[Sequence, Sequence], float] = accuracy,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the interval that holds `level` of the metric's values over resampled examples.

    Where all examples are right, so are those of every sample, and the bootstrap would give 1 to 1, however few there
    are (0 to 0 where none is). Metrics of this package that are shares from 0 to 1 then get Wilson's interval for
    that many right out of all: 0.722 to 1 for 10 of 10. Samples that have no value (NaN) are left out.

    The metrics of this package take a fraction of a second for 10,000 examples, also with their arguments set by
    `functools.partial`; another function is called once for every sample.
    Source: Efron and Tibshirani 1993, the percentile bootstrap; Wilson 1927.

    Args:
        true: the first list that the metric takes: labels, values, sentences of tags, …
        predicted: the second one, as long.
        metric: a function of two lists.
        samples: how often to resample.
        level: the share of values inside, between 0 and 1.
        seed: of the resampling.

    Raises:
        InputError: the lists are empty or of different lengths, or a number makes no sense.
    """
    check_pairs(true, predicted)
    cases = _cases(true, predicted, metric)
    if cases is None:
        chosen = _draws(len(true), samples, level, seed)
        values = [metric([true[i] for i in draw], [predicted[i] for i in draw]) for draw in chosen]
        return _quantiles(np.array(values, np.float64), level)
    return cases_interval(cases, samples, level, seed)


def mean_interval(
    values: Sequence[float], samples: int = 1000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Return the bootstrap interval of the mean of one score a case, such as the F1 of each answer.

    Where all are 1 or all are 0 it is Wilson's, as in `bootstrap_interval`.

    Args:
        values: the scores, each from 0 to 1.
        samples: how often to resample.
        level: the share of means inside, between 0 and 1.
        seed: of the resampling.

    Raises:
        InputError: there are no values, or a number makes no sense.
    """
    check_pairs(values, values)
    return cases_interval(mean_cases(values, share=True), samples, level, seed)


def cases_interval(cases: Cases, samples: int = 1000, level: float = 0.95, seed: int = 0) -> tuple[float, float]:
    """Return the interval of a metric whose cases are made already, as `bootstrap_interval` does.

    Args:
        cases: of the metric.
        samples: how often to resample.
        level: the share of values inside, between 0 and 1.
        seed: of the resampling.

    Raises:
        InputError: a number makes no sense.
    """
    total = len(cases.kinds)
    low, high = _quantiles(_resampled(cases, samples, level, seed), level)
    if cases.share and low == high and low in (0.0, 1.0):
        return wilson_interval(low * total, total, level)
    return low, high


def difference_interval(
    one: Cases, other: Cases, samples: int = 1000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Return the interval of one metric less another over the same samples: the paired bootstrap.

    Args:
        one, other: the cases of each, of the same examples in the same order.
        samples: how often to resample.
        level: the share of differences inside, between 0 and 1.
        seed: of the resampling.

    Raises:
        InputError: a number makes no sense.
    """
    differences = _resampled(one, samples, level, seed) - _resampled(other, samples, level, seed)
    return _quantiles(differences, level)


def wilson_interval(hits: float, cases: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a share, `hits` of `cases`.

    Source: Wilson 1927.

    Args:
        hits: how many cases are right.
        cases: how many there are.
        level: how sure to be, between 0 and 1.

    Raises:
        InputError: the numbers make no sense.
    """
    if not 0 < level < 1:
        raise InputError(f"level is {level}: give a share between 0 and 1, such as 0.95")
    if cases < 1 or not 0 <= hits <= cases:
        raise InputError(f"{hits} of {cases} cases is no share: give 0 to all of at least one case")
    z, share = NormalDist().inv_cdf((1 + level) / 2), hits / cases
    middle = share + z * z / (2 * cases)
    reach = z * math.sqrt(share * (1 - share) / cases + (z / (2 * cases)) ** 2)
    whole = 1 + z * z / cases
    # At the ends the value is 0 or 1, but for rounding.
    low = 0.0 if hits == 0 else (middle - reach) / whole
    high = 1.0 if hits == cases else (middle + reach) / whole
    return low, high


def _cases(true: Sequence, predicted: Sequence, metric: Callable) -> Cases | None:
    """The cases of a metric of this package."""
    if isinstance(metric, partial) and not metric.args:
        function, settings = metric.func, metric.keywords
    else:
        function, settings = metric, {}
    return CASES[function](true, predicted, **settings) if function in CASES else None


def _resampled(cases: Cases, samples: int, level: float, seed: int) -> np.ndarray:
    """The metric of each sample, `[S]`; as many cases with the same seed make the same samples."""
    width = int(cases.kinds.max()) + 1
    values: list[np.ndarray] = []
    counts: list[np.ndarray] = []
    for draw in _draws(len(cases.kinds), samples, level, seed):
        counts.append(np.bincount(cases.kinds[draw], minlength=width))
        if len(counts) * width >= _BATCH:
            values.append(cases.score(np.array(counts, np.float64)))
            counts = []
    if counts:
        values.append(cases.score(np.array(counts, np.float64)))
    return np.concatenate(values)


def _draws(total: int, samples: int, level: float, seed: int) -> Iterator[np.ndarray]:
    if samples < 1:
        raise InputError(f"samples is {samples}: give a whole number from 1 on")
    if not 0 < level < 1:
        raise InputError(f"level is {level}: give a share between 0 and 1, such as 0.95")
    rng = np.random.default_rng(seed)
    return (rng.integers(0, total, total) for _ in range(samples))


def _quantiles(values: np.ndarray, level: float) -> tuple[float, float]:
    if np.isnan(values).all():
        return math.nan, math.nan
    low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
