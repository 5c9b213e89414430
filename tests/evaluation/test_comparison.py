"""Two models on the same examples."""

import pytest

from bert_keras.data import Rows
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES, compare
from bert_keras.evaluation.comparison import mcnemar

TRUE = ["a", "b"] * 20


def evaluated(wrong, count=40):
    """Scores of a model that errs at the places in `wrong`."""
    rows = Rows("x.tsv", ["text"] * count, None, TRUE[:count], range(count))
    given = [("b" if name == "a" else "a") if row in wrong else name for row, name in enumerate(TRUE[:count])]
    return SCORES["labels"](rows, [{"label": name, "score": 0.7, "scores": {"a": 0.5, "b": 0.5}} for name in given])


def test_mcnemar_is_the_exact_binomial_test():
    # SciPy 1.17: binomtest(2, 12, 0.5).pvalue
    assert mcnemar(10, 2) == mcnemar(2, 10) == pytest.approx(0.03857421875)
    assert mcnemar(0, 0) == mcnemar(3, 3) == 1


def test_difference_has_a_paired_interval():
    found = compare(evaluated({0, 1}), evaluated({1, *range(2, 12)}), "other.tflite")
    assert found.metrics["accuracy"] == (0.95, 29 / 40)
    # 10 of 40 are better, 1 is worse: 0.225, standard error sqrt((11 / 40 - 0.225 ** 2) / 40) = 0.075.
    low, high = found.intervals["accuracy"]
    assert low == pytest.approx(0.225 - 1.96 * 0.075, abs=0.03)
    assert high == pytest.approx(0.225 + 1.96 * 0.075, abs=0.03)


def test_agreement_counts_same_answers_right_or_wrong():
    found = compare(evaluated({0, 1}), evaluated({1, *range(2, 12)}))
    assert found.agreement == pytest.approx(29 / 40)
    assert (found.only_this, found.only_other, found.p_value) == (10, 1, mcnemar(10, 1))


def test_model_does_not_differ_from_itself():
    found = compare(evaluated({3}), evaluated({3}))
    assert found.intervals["matthews"] == (0, 0)
    assert (found.agreement, found.p_value) == (1, 1)


def test_numbers_have_no_agreement():
    rows = Rows("x.tsv", ["text"] * 4, None, ["1", "2", "3", "4"], range(4))
    one, other = (
        SCORES["numbers"](rows, [{"score": each} for each in given]) for given in ([1, 2, 3, 4], [2, 1, 3, 5])
    )
    found = compare(one, other)
    assert (found.agreement, found.p_value) == (None, None)
    assert found.metrics["mae"] == (0, 0.75)
    assert len(found.sentences()) == 1


def test_other_data_cannot_be_compared():
    with pytest.raises(InputError, match="40 labels cannot be compared with one of 10 labels: score both"):
        compare(evaluated({1}), evaluated({1}, 10))
