"""Several labels a case; the comments give the scikit-learn calls on 0/1 arrays with the same values."""

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

# As arrays [[1, 1, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0]] and [[1, 0, 0], [0, 0, 0], [0, 1, 1], [0, 1, 0]].
TRUE = [["a", "b"], [], ["b"], ["a"]]
FOUND = [["a"], [], ["c", "b"], ["b"]]


@pytest.fixture(scope="module")
def scores():
    return metrics.multi_label(TRUE, FOUND)


@pytest.mark.parametrize(
    # sklearn.metrics.precision_recall_fscore_support(..., average=average, zero_division=0)
    ("average", "precision", "recall", "f1"),
    [
        ("micro", 0.5, 0.5, 0.5),
        ("macro", 0.5, 1 / 3, (2 / 3 + 0.5) / 3),
        # The case without any label counts 0.
        ("samples", (1 + 0 + 0.5 + 0) / 4, (0.5 + 0 + 1 + 0) / 4, (2 / 3 + 0 + 2 / 3 + 0) / 4),
    ],
)
def test_averages(scores, average, precision, recall, f1):
    assert scores[average] == pytest.approx({"precision": precision, "recall": recall, "f1": f1})
    assert metrics.multi_label_f1(TRUE, FOUND, average) == pytest.approx(f1)


def test_each_label(scores):
    assert scores["labels"]["b"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5, "support": 2}
    assert scores["labels"]["c"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "support": 0}


def test_subset_accuracy_needs_all_labels_in_any_order(scores):
    # sklearn.metrics.accuracy_score = 0.25.
    assert scores["subset_accuracy"] == metrics.subset_accuracy(TRUE, FOUND) == 0.25
    assert metrics.subset_accuracy([["a", "b"]], [["b", "a"]]) == 1.0


def test_hamming_loss_counts_labels_that_never_occur(scores):
    # sklearn.metrics.hamming_loss = 0.333333: 4 of 12 decisions are wrong.
    assert scores["hamming_loss"] == pytest.approx(4 / 12)
    assert metrics.hamming_loss(TRUE, FOUND, ["a", "b", "c", "d"]) == pytest.approx(4 / 16)


def test_macro_counts_labels_that_are_named_but_never_occur():
    assert metrics.multi_label_f1(TRUE, FOUND, "macro", ["a", "b", "c", "d"]) == pytest.approx((2 / 3 + 0.5) / 4)


def test_no_labels_anywhere():
    scores = metrics.multi_label([[], []], [[], []])
    assert (scores["subset_accuracy"], scores["hamming_loss"], scores["micro"]["f1"]) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("true", "found", "message"),
    [
        ([["a", "a"]], [["a"]], "case 1 has the label 'a' twice"),
        ([[1, 0, 1]], [[1, 0, 0]], "not a 0 or 1 for each label"),
        (["sport"], [["sport"]], r"case 1 is the text 'sport': give a list of labels, such as \['sport'\]"),
        ([["a"]], [["a"], []], "1 true labels and 2 predictions"),
    ],
)
def test_refuses_what_is_no_list_of_labels(true, found, message):
    with pytest.raises(InputError, match=message):
        metrics.multi_label(true, found)


def test_refuses_a_label_that_is_not_named():
    with pytest.raises(InputError, match="case 3 has the label 'c', not among the labels"):
        metrics.multi_label(TRUE, FOUND, ["a", "b"])


def thresholds(positives, scores):
    return metrics.best_thresholds(
        [["x"] if positive else [] for positive in positives], [{"x": score} for score in scores]
    )["x"]


def test_threshold_lies_halfway_between_the_scores_that_it_parts():
    # From 0.4 on: F1 1. From 0.3 on 4/5, from 0.8 on 2/3.
    assert thresholds([0, 1, 1], [0.2, 0.4, 0.8]) == pytest.approx(0.3)


def test_threshold_is_a_half_where_that_is_as_good():
    assert thresholds([0, 1], [0.1, 0.7]) == 0.5


def test_threshold_does_not_part_equal_scores():
    # From 0.9 on: F1 2/4 (1 of 3); from the three 0.6 on: 2·3/(4 + 3).
    assert thresholds([1, 0, 1, 1, 0], [0.9, 0.6, 0.6, 0.6, 0.1]) == 0.5
    assert thresholds([1, 0, 0, 0, 0], [0.9, 0.6, 0.6, 0.6, 0.1]) == pytest.approx(0.75)


def test_threshold_nearest_to_a_half_of_equally_good_ones():
    # From 0.9 on 1 of 1 and half of the true ones: 2/3; from 0.05 on 2 of 4: 2/3.
    assert thresholds([1, 0, 0, 1], [0.9, 0.8, 0.7, 0.05]) == pytest.approx(0.85)


def test_threshold_of_a_label_without_positives_stays():
    assert thresholds([0, 0], [0.9, 0.1]) == 0.5


def test_threshold_of_a_label_that_all_have_accepts_all():
    threshold = thresholds([1, 1], [0.3, 0.2])
    assert 0 < threshold <= 0.2


def test_thresholds_need_a_score_of_each_label():
    with pytest.raises(InputError, match="case 2 has the label 'b', which has no score"):
        metrics.best_thresholds([["a"], ["b"]], [{"a": 0.1}, {"a": 0.2}])
    with pytest.raises(InputError, match="case 2 has scores of"):
        metrics.best_thresholds([["a"], []], [{"a": 0.1}, {"b": 0.2}])
