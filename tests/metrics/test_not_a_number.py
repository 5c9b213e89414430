"""Metrics of NaN: undefined, or refused, but never a number that looks like a score."""

import math

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

NAN = math.nan


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall", "mean_absolute_error", "mean_squared_error", "r2"])
@pytest.mark.parametrize(("true", "predicted"), [([1, 2, NAN], [1, 2, 3]), ([1, 2, 3], [1, NAN, 3])])
def test_score_of_nan_is_undefined(name, true, predicted):
    assert math.isnan(getattr(metrics, name)(true, predicted))


def test_threshold_of_nan_is_refused():
    with pytest.raises(InputError, match="the score for 'a' of case 2 is NaN"):
        metrics.best_thresholds([{"a"}, {"a"}], [{"a": 0.1}, {"a": NAN}])
    with pytest.raises(InputError, match="the null score of case 1 is NaN"):
        metrics.best_null_threshold(["x"], [["x"]], [NAN])


@pytest.mark.parametrize("bins", [0, -1, 1.5, "3"])
def test_bins_that_are_none(bins):
    with pytest.raises(InputError, match=r"bins is .*whole number, 1 or more"):
        metrics.calibration_error([True], [0.5], bins)


@pytest.mark.parametrize("k", [0, -1, 1.5, "3"])
def test_ids_to_count_that_are_no_number(k):
    with pytest.raises(InputError, match=r"k is .*whole number, 1 or more"):
        metrics.ndcg([["x"]], [["x"]], k)
