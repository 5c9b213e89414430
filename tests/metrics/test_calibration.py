"""Calibration against hand calculation."""

import math

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

CORRECT = [True, False, True, True]
CONFIDENCES = [0.95, 0.92, 0.55, 0.6]
SCORES = [{"a": 0.7, "b": 0.2, "c": 0.1}, {"a": 0.1, "b": 0.3, "c": 0.6}]


def test_bins_hold_their_upper_edge():
    rows = metrics.reliability(CORRECT, CONFIDENCES)
    assert [row["count"] for row in rows] == [0, 0, 0, 0, 0, 2, 0, 0, 0, 2]
    assert rows[5] == pytest.approx({"low": 0.5, "high": 0.6, "count": 2, "confidence": 0.575, "accuracy": 1.0})
    assert "accuracy" not in rows[0]


def test_the_first_bin_holds_zero_and_the_last_one_one():
    assert [row["count"] for row in metrics.reliability([False, True], [0.0, 1.0], bins=2)] == [1, 1]


def test_expected_calibration_error():
    # Half of the answers are 0.425 too timid, half 0.435 too sure.
    assert metrics.calibration_error(CORRECT, CONFIDENCES) == pytest.approx((0.425 + 0.435) / 2)


def test_sure_and_right_is_calibrated():
    assert metrics.calibration_error([True, True], [1.0, 1.0]) == 0.0


def test_brier():
    # (0.09 + 0.04 + 0.01 + 0.01 + 0.49 + 0.36) / 2; sklearn.metrics.brier_score_loss(scale_by_half=False) = 0.5.
    assert metrics.brier(["a", "b"], SCORES) == pytest.approx(0.5)


def test_log_loss():
    # sklearn.metrics.log_loss = 0.780324.
    assert metrics.log_loss(["a", "b"], SCORES) == pytest.approx(-(math.log(0.7) + math.log(0.3)) / 2)


def test_log_loss_of_the_impossible_is_finite():
    # sklearn.metrics.log_loss([1], [[1, 0]], labels=[0, 1]) = 36.0437.
    assert metrics.log_loss(["b"], [{"a": 1.0, "b": 0.0}]) == pytest.approx(36.0437, abs=1e-4)


def test_refuses_what_is_no_probability():
    with pytest.raises(InputError, match=r"confidence 2 is 1\.5"):
        metrics.reliability([True, True], [0.5, 1.5])
    with pytest.raises(InputError, match="confidence 1 is nan"):
        metrics.calibration_error([True], [math.nan])


def test_refuses_a_label_without_a_score():
    with pytest.raises(InputError, match="right label of case 2, 'd', has no score"):
        metrics.log_loss(["a", "d"], SCORES)
