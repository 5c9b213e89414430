"""Scores of lists of labels; values of scikit-learn 1.9."""

import pytest

from bert_keras.data import Rows
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES

KNOWN = ["a", "b", "c"]
TRUE = [["a", "c"], [], ["b"], ["a", "b"]]
GIVEN = [["a"], ["c"], ["b"], ["a", "b"]]


def evaluated(true=TRUE, given=GIVEN):
    rows = Rows("m.jsonl", ["text"] * len(true), None, None, range(1, len(true) + 1), "line", true)
    answers = [{"labels": each, "scores": {name: 0.9 if name in each else 0.2 for name in KNOWN}} for each in given]
    return SCORES["multi-label"](rows, answers)


def test_metrics_are_those_of_scikit_learn():
    found = evaluated().metrics
    assert found.pop("calibration_error") == pytest.approx(0.8 * 0 + (5 * (0.9 - 0.8) + 7 * (0.2 - 1 / 7)) / 12)
    assert found == pytest.approx(
        {"micro_f1": 0.8, "macro_f1": 2 / 3, "samples_f1": 2 / 3, "subset_accuracy": 0.5, "hamming_loss": 1 / 6}
    )


def test_each_label_has_its_scores():
    found = evaluated().classes
    assert found["b"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0, "support": 2}
    assert found["c"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "support": 1}


def test_mistakes_name_all_labels_and_none():
    expected = [(each.expected, each.predicted) for each in evaluated().mistakes]
    # The first is wrong by 0.9, the second by 0.8.
    assert expected == [("(none)", "c"), ("a, c", "a")]


def test_label_without_examples_is_noted():
    assert evaluated([["a"], ["b"]], [["a"], []]).notes == ["no example has the label 'c', whose F1 counts as 0"]


def test_unknown_label_is_named_with_its_line():
    with pytest.raises(InputError, match=r"m\.jsonl, line 2: the model does not know the label 'x'"):
        evaluated([["a"], ["x"]], [["a"], []])
