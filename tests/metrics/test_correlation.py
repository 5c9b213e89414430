"""Correlations against hand calculation; the comments give the SciPy calls with the same values."""

import math

import pytest

from bert_keras import metrics


def test_pearson():
    # Means 2.5 and 2.75: 4.5 / √(5 · 8.75); scipy.stats.pearsonr = 0.680336.
    assert metrics.pearson([1, 2, 3, 4], [1, 2, 5, 3]) == pytest.approx(4.5 / math.sqrt(5 * 8.75))


def test_spearman_shares_the_ranks_of_ties():
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 4, 3: 3 / √(4.5 · 5); scipy.stats.spearmanr = 0.632456.
    assert metrics.spearman([10, 20, 20, 90], [0.1, 0.2, 0.9, 0.3]) == pytest.approx(3 / math.sqrt(4.5 * 5))


def test_spearman_sees_order_only():
    assert metrics.spearman([1, 2, 3, 4], [1, 10, 100, 1000]) == pytest.approx(1.0)
    assert metrics.spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1.0)


@pytest.mark.parametrize("function", [metrics.pearson, metrics.spearman])
def test_correlation_with_a_constant_does_not_exist(function):
    assert math.isnan(function([1, 2, 3], [0.1, 0.1, 0.1]))


def test_kendall_counts_ties_of_each_side():
    # Of 6 pairs 4 in the same order, 1 in opposite order, 1 tied in x: 3 / √(5 · 6); scipy.stats.kendalltau = 0.547723.
    assert metrics.kendall([1, 2, 2, 3], [1, 3, 2, 2.5]) == pytest.approx(3 / math.sqrt(30))


def test_correlation_of_a_line_is_never_above_one():
    values = [0.1 * i for i in range(50)]
    assert metrics.pearson(values, [3 * value for value in values]) <= 1.0
