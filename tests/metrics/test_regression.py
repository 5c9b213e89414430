"""Errors of numbers; the comments give the scikit-learn calls with the same values."""

import math

import pytest

from bert_keras import metrics

TRUE = [3.0, -0.5, 2.0, 7.0]
FOUND = [2.5, 0.0, 2.0, 8.0]


def test_mean_squared_error():
    # sklearn.metrics.mean_squared_error = 0.375.
    assert metrics.mean_squared_error(TRUE, FOUND) == pytest.approx(0.375)


def test_mean_absolute_error():
    # sklearn.metrics.mean_absolute_error = 0.5.
    assert metrics.mean_absolute_error(TRUE, FOUND) == pytest.approx(0.5)


def test_r2():
    # sklearn.metrics.r2_score = 0.948608.
    assert metrics.r2(TRUE, FOUND) == pytest.approx(0.948608, abs=1e-6)


def test_r2_of_a_guess_worse_than_the_mean_is_below_zero():
    assert metrics.r2([1, 2, 3], [3, 2, 1]) == pytest.approx(-3)


def test_r2_of_a_constant_does_not_exist():
    assert math.isnan(metrics.r2([2, 2], [1, 2]))
