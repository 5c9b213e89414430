"""Scores of numbers and similarities; values of SciPy 1.17 and scikit-learn 1.9."""

import numpy as np
import pytest

from bert_keras.data import Rows
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES, texts_to_answer

TRUE = ["0", "1.5", "2", "3.25", "5"]
GIVEN = [0.5, 1, 2.5, 2.25, 4.5]


def rows(labels=TRUE, source="scores.csv"):
    count = len(labels)
    return Rows(source, [f"text {n}" for n in range(count)], ["other"] * count, labels, range(2, count + 2))


def evaluated(labels=TRUE, given=GIVEN, source="scores.csv"):
    return SCORES["numbers"](rows(labels, source), [{"score": value} for value in given])


def test_metrics_are_those_of_scipy_and_scikit_learn():
    found = evaluated().metrics
    assert found == pytest.approx({"pearson": 0.9415258292679722, "spearman": 0.9, "mse": 0.4, "mae": 0.6})


def test_every_example_is_a_dot():
    assert evaluated().scatter == [(float(right), value) for right, value in zip(TRUE, GIVEN, strict=True)]


def test_mistakes_have_the_greatest_error_first():
    worst = evaluated().mistakes[0]
    assert (worst.expected, worst.predicted, worst.score, worst.where) == ("3.25", "2.25", 1.0, "scores.csv, line 5")


def test_constant_answers_have_no_correlation():
    found = evaluated(given=[2.0] * 5)
    assert found.to_dict()["metrics"]["pearson"] is None
    assert "pearson" not in found.intervals
    assert "all the model's values are 2.0000: a correlation is undefined" in found.notes


def test_label_that_is_no_number_is_named():
    with pytest.raises(InputError, match=r"scores\.csv, line 3: the label 'two' is no number"):
        evaluated(["1", "two"], [1.0, 2.0])


def test_answer_that_is_not_finite_is_refused():
    with pytest.raises(InputError, match="a predicted number holds NaN"):
        evaluated(["1", "2"], [1.0, float("nan")])


def embedded(cosines):
    """Embeddings of pairs with these cosines, not of unit length."""
    second = [[cosine, np.sqrt(1 - cosine**2)] for cosine in cosines]
    return [{"embedding": 3 * np.array(vector)} for vector in [[1, 0]] * len(cosines) + second]


def test_similarity_is_the_cosine_of_first_and_second_texts():
    found = SCORES["similarity"](rows(["1", "2", "3", "4"]), embedded([0.1, 0.3, 0.2, 0.9]))
    # Ranks 1 3 2 4: 1 - 6 * (1 + 1) / (4 * 15)
    assert found.metrics["spearman"] == pytest.approx(0.8)
    assert found.main == "spearman"
    assert found.scatter[3] == (4.0, pytest.approx(0.9))


def test_similarity_asks_for_all_first_texts_then_all_second_ones():
    assert texts_to_answer("similarity", rows(["1", "2"])) == (["text 0", "text 1", "other", "other"], None)


def test_similarity_mistakes_are_the_most_misplaced_pairs():
    found = SCORES["similarity"](rows(["1", "2", "3", "4", "5"]), embedded([0.9, 0.2, 0.3, 0.4, 0.5]))
    worst = found.mistakes[0]
    assert (worst.text, worst.pair, worst.expected, worst.predicted, worst.score) == (
        "text 0",
        "other",
        "1",
        "0.9",
        1.0,
    )


def test_sts_b_has_pearson_first_as_glue():
    found = SCORES["similarity"](rows(["1", "2", "3"], "tfds:glue/stsb:validation"), embedded([0.1, 0.2, 0.3]))
    assert found.main == "pearson"


def test_zero_vector_has_cosine_zero():
    found = SCORES["similarity"](rows(["1", "2"]), [{"embedding": [0.0, 0.0]}] * 2 + [{"embedding": [1.0, 0.0]}] * 2)
    assert found.scatter == [(1.0, 0.0), (2.0, 0.0)]
