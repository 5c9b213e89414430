"""Scores of answers, by the rules of SQuAD's scripts: https://rajpurkar.github.io/SQuAD-explorer/."""

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError


@pytest.mark.parametrize(
    ("prediction", "answer", "exact", "f1"),
    [
        # EleutherAI/lm-evaluation-harness#3212 and others.
        ("the Eiffel Tower", "Eiffel Tower.", 1, 1),
        ("Eiffel Tower", "the tall Eiffel Tower in Paris", 0, 4 / 7),
        ("U.S.", "US", 1, 1),
        ("well-known", "well known", 0, 0),
        ("“x”", '"x"', 0, 0),
        ("", "the", 1, 1),
        ("a b b", "b b b", 0, 0.8),
        ("", "cat", 0, 0),
        ("Theatre", "atre", 0, 0),
        ("a\u00a0cat\t sat", "cat sat", 1, 1),
    ],
)
def test_pairs(prediction, answer, exact, f1):
    assert metrics.exact_match(prediction, answer) == exact
    assert metrics.token_f1(prediction, answer) == pytest.approx(f1)


def test_the_best_reference_counts():
    scores = metrics.squad(["Eiffel Tower"], [["the tall Eiffel Tower in Paris", "The Eiffel tower", "Paris"]])
    assert scores == {"exact_match": 1.0, "f1": 1.0, "total": 1}


def test_questions_without_an_answer_are_scored_apart():
    scores = metrics.squad(["cat", "", "x", ""], [["a cat"], [], [], ["dog"]])
    assert (scores["exact_match"], scores["f1"], scores["total"]) == (0.5, 0.5, 4)
    assert scores["has_answer"] == {"exact_match": 0.5, "f1": 0.5, "total": 2}
    assert scores["no_answer"] == {"exact_match": 0.5, "f1": 0.5, "total": 2}


def test_only_questions_without_an_answer():
    assert metrics.squad([""], [[]]).keys() == {"exact_match", "f1", "total", "no_answer"}


def test_a_reference_with_nothing_left():
    # evaluate-v1.1.py has no common word to count; evaluate-v2.0.py takes it for no answer.
    assert metrics.squad(["a"], [["the"]]) == {"exact_match": 1.0, "f1": 0.0, "total": 1}
    assert metrics.squad(["a", ""], [["the"], []])["has_answer"] == {"exact_match": 1.0, "f1": 1.0, "total": 1}
    assert metrics.squad(["a"], [["the", "cat"]])["exact_match"] == 1.0
    assert metrics.squad(["a", ""], [["the", "cat"], []])["has_answer"]["exact_match"] == 0.0


def test_means_alone():
    inputs = ["Eiffel Tower", "cat"], [["the tall Eiffel Tower in Paris"], ["a cat"]]
    assert metrics.squad_exact_match(*inputs) == 0.5
    assert metrics.squad_f1(*inputs) == pytest.approx((4 / 7 + 1) / 2)


def test_characters_of_scripts_without_spaces():
    assert metrics.token_f1("東京都", "東京") == 0.0
    assert metrics.character_f1("東京都", "東京") == pytest.approx(2 * 2 / 5)
    assert metrics.character_f1("「東京」。", "東 京") == 1.0
    assert metrics.squad_character_f1(["東京都", ""], [["大阪", "東京"], []]) == pytest.approx((0.8 + 1) / 2)


def test_null_threshold_that_is_best():
    # By hand: nothing answered 2/4; up to 0.1 3/4; up to 0.2 2/4; up to 0.4 3/4; up to 0.5 2/4. The first one is taken.
    scores = metrics.best_null_threshold(["cat", "x", "dog", "y"], [["cat"], [], ["dog"], []], [0.1, 0.2, 0.4, 0.5])
    assert scores == {"exact_match": 0.75, "exact_match_threshold": 0.1, "f1": 0.75, "f1_threshold": 0.1}


def test_null_thresholds_of_exact_match_and_f1_differ():
    scores = metrics.best_null_threshold(["cat", "big red dog", "x"], [["cat"], ["red dog"], []], [-3.0, -2.0, 1.5])
    assert (scores["exact_match"], scores["exact_match_threshold"]) == (pytest.approx(2 / 3), -3.0)
    assert (scores["f1"], scores["f1_threshold"]) == (pytest.approx((1 + 0.8 + 1) / 3), -2.0)


def test_null_threshold_does_not_part_equal_scores():
    # Answering just one of the two at 0.5 cannot be had: both give 1/2, as none does.
    scores = metrics.best_null_threshold(["cat", "x"], [["cat"], []], [0.5, 0.5])
    assert (scores["f1"], scores["f1_threshold"]) == (0.5, 0.0)


def test_null_threshold_that_leaves_all_without_an_answer():
    scores = metrics.best_null_threshold(["x", "y"], [[], []], [-4.0, 2.0])
    assert scores["f1"] == 1.0
    assert scores["f1_threshold"] < -4.0


def test_what_cannot_be_scored():
    with pytest.raises(InputError, match=r"reference 1 is the text 'cat': give a list of texts, such as \['cat'\]"):
        metrics.squad(["cat"], ["cat"])
    with pytest.raises(InputError, match="1 true labels and 2 predictions"):
        metrics.squad(["cat", "dog"], [["cat"]])
