"""Metrics against hand calculation; the comments give the scikit-learn and SciPy calls with the same values."""

import math

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

TRUE = ["a", "a", "a", "b", "b", "c"]
FOUND = ["a", "a", "b", "b", "c", "c"]


def test_accuracy():
    assert metrics.accuracy(TRUE, FOUND) == pytest.approx(4 / 6)


def test_confusion_matrix():
    assert metrics.confusion_matrix(TRUE, FOUND) == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_confusion_matrix_in_an_order_of_its_own():
    assert metrics.confusion_matrix([0, 1, 1], [1, 1, 1], labels=[1, 0, 2]) == [[2, 0, 0], [1, 0, 0], [0, 0, 0]]


def test_confusion_matrix_names_an_unknown_label():
    with pytest.raises(InputError, match="'c' is not among"):
        metrics.confusion_matrix(TRUE, FOUND, labels=["a", "b"])


def test_precision_and_recall_of_each_class():
    # a: 2 of 2 found, 2 of 3 true; b: 1 of 2, 1 of 2; c: 1 of 2, 1 of 1.
    scores = metrics.precision_recall(TRUE, FOUND)
    assert [scores[name]["precision"] for name in "abc"] == pytest.approx([1, 0.5, 0.5])
    assert [scores[name]["recall"] for name in "abc"] == pytest.approx([2 / 3, 0.5, 1])
    assert [scores[name]["support"] for name in "abc"] == [3, 2, 1]


@pytest.mark.parametrize(
    ("average", "expected"),
    [("macro", (0.8 + 0.5 + 2 / 3) / 3), ("micro", 4 / 6), ("weighted", (3 * 0.8 + 2 * 0.5 + 2 / 3) / 6)],
)
def test_f1_averages(average, expected):
    # sklearn.metrics.f1_score(TRUE, FOUND, average=...): 0.655556, 0.666667, 0.677778.
    assert metrics.f1(TRUE, FOUND, average) == pytest.approx(expected)


def test_f1_of_one_label():
    # sklearn.metrics.f1_score([1, 1, 0, 0, 1], [1, 0, 0, 1, 1]) = 0.666667.
    assert metrics.f1([1, 1, 0, 0, 1], [1, 0, 0, 1, 1], "binary") == pytest.approx(2 / 3)
    assert metrics.f1(TRUE, FOUND, "binary", positive="a") == pytest.approx(0.8)


def test_f1_of_a_label_that_is_never_right_is_zero():
    assert metrics.f1([0, 0], [1, 1]) == 0.0


def test_f1_refuses_unknown_words():
    with pytest.raises(InputError, match="macro, micro"):
        metrics.f1(TRUE, FOUND, "mean")
    with pytest.raises(InputError, match="1 occurs nowhere"):
        metrics.f1(TRUE, FOUND, "binary")


def test_matthews_of_two_classes():
    # TP 2, TN 1, FP 1, FN 1: (2·1 − 1·1) / √(3·3·2·2) = 1/6; sklearn.metrics.matthews_corrcoef = 0.166667.
    assert metrics.matthews([1, 1, 0, 0, 1], [1, 0, 0, 1, 1]) == pytest.approx(1 / 6)


def test_matthews_of_three_classes():
    # (4·6 − (3·2 + 2·2 + 1·2)) / √((36 − 14)(36 − 12)) = 12 / √528; sklearn.metrics.matthews_corrcoef = 0.522233.
    assert metrics.matthews(TRUE, FOUND) == pytest.approx(12 / math.sqrt(528))


def test_matthews_of_a_constant_answer_is_zero():
    assert metrics.matthews([0, 1, 0, 1], [1, 1, 1, 1]) == 0.0


@pytest.mark.parametrize("name", ["accuracy", "confusion_matrix", "f1", "matthews", "pearson", "spearman"])
def test_what_cannot_be_scored(name):
    function = getattr(metrics, name)
    with pytest.raises(InputError, match="3 true labels and 2 predictions"):
        function([1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="nothing to score"):
        function([], [])
