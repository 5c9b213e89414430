"""Scores of choices and of words at mask tokens, by hand."""

import pytest

from bert_keras.data import Choices, Rows
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES


def choices(labels):
    count = len(labels)
    return Choices("swag.jsonl", ["He sits"] * count, [["down", "up"]] * count, labels, range(1, count + 1), "line")


def test_accuracy_of_choices_stands_beside_guessing():
    found = SCORES["choices"](choices([0, 1, 1]), [{"choice": 0, "score": 0.75}] * 3)
    assert found.metrics["accuracy"] == pytest.approx(1 / 3)
    assert found.notes == ["guessing gives an accuracy of 0.5000, always taking choice 2 one of 0.6667"]


def test_wrong_choice_is_shown_with_all_choices():
    (mistake,) = SCORES["choices"](choices([1]), [{"choice": 0, "score": 0.75}]).mistakes
    assert (mistake.text, mistake.pair, mistake.expected, mistake.predicted) == ("He sits", "down\nup", "up", "down")


def test_right_choices_are_needed():
    with pytest.raises(InputError, match=r"swag\.jsonl does not say which choice is right"):
        SCORES["choices"](Choices("swag.jsonl", ["a"], [["b", "c"]], None, [1], "line"), [{"choice": 0, "score": 1}])


def masks(text, label, pieces):
    rows = Rows("masks.tsv", [text], None, [label], [2])
    listed = [[{"text": piece, "score": 0.5} for piece in of_mask] for of_mask in pieces]
    return SCORES["masks"](rows, [{"masks": listed}])


def test_each_mask_is_scored_by_the_rank_of_its_word():
    found = masks("the [MASK] on the [MASK]", "cat mat", [["cat", "dog"], ["rug", "mat"]])
    assert found.examples == 2
    found.metrics.pop("calibration_error")
    assert found.metrics == {"accuracy": 0.5, "hit_rate@2": 1.0, "mrr@2": 0.75}
    assert [(each.expected, each.predicted) for each in found.mistakes] == [("mat", "rug, mat")]


def test_case_does_not_count():
    assert masks("in [MASK]", "Paris", [["paris", "london"]]).metrics["accuracy"] == 1


def test_each_mask_needs_a_word():
    with pytest.raises(InputError, match=r"masks\.tsv, line 2: the text has 2 masks, but the label 'cat' has 1 words"):
        masks("[MASK] [MASK]", "cat", [["a"], ["b"]])
