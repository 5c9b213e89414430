"""Scores of search results against hand calculation."""

import math

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

# Relevant at ranks 2 and 4 of three relevant ones; at rank 1; nowhere.
RANKED = [["b", "a", "c", "d"], ["x", "y"], ["p", "q", "r"]]
RELEVANT = [{"a", "d", "z"}, ["x"], {"s": 1, "p": 0}]


def test_mrr():
    assert metrics.mrr(RANKED, RELEVANT) == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert metrics.mrr(RANKED, RELEVANT, k=1) == pytest.approx(1 / 3)


def test_recall():
    assert metrics.recall_at(RANKED, RELEVANT) == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert metrics.recall_at(RANKED, RELEVANT, k=2) == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_precision_counts_what_is_not_found_as_wrong():
    assert metrics.precision_at(RANKED, RELEVANT, k=4) == pytest.approx((2 / 4 + 1 / 4 + 0) / 3)


def test_mean_average_precision():
    assert metrics.mean_average_precision(RANKED, RELEVANT) == pytest.approx(((1 / 2 + 2 / 4) / 3 + 1 + 0) / 3)
    # Of three relevant ids two at most are among the first two.
    assert metrics.mean_average_precision(RANKED, RELEVANT, k=2) == pytest.approx(((1 / 2) / 2 + 1 + 0) / 3)


def test_hit_rate():
    assert metrics.hit_rate(RANKED, RELEVANT) == pytest.approx(2 / 3)
    assert metrics.hit_rate(RANKED, RELEVANT, k=1) == pytest.approx(1 / 3)


def test_ndcg_of_relevant_ids():
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    expected = (1 / math.log2(3) + 1 / math.log2(5)) / ideal
    assert metrics.ndcg(RANKED[:1], RELEVANT[:1]) == pytest.approx(expected)


def test_ndcg_of_grades():
    # sklearn.metrics.ndcg_score([[3, 2, 3, 0, 1, 2]], [[6, 5, 4, 3, 2, 1]], k=5) = 0.861044.
    grades = {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2}
    assert metrics.ndcg([list(grades)], [grades], k=5) == pytest.approx(0.861044, abs=1e-6)


def test_nothing_found():
    assert metrics.mrr([[]], [["a"]]) == metrics.ndcg([[]], [["a"]]) == metrics.hit_rate([[]], [["a"]]) == 0.0


def test_triplet_accuracy_needs_more_than_a_tie():
    assert metrics.triplet_accuracy([0.9, 0.5, 0.2], [0.1, 0.5, 0.4]) == pytest.approx(1 / 3)


def test_what_cannot_be_scored():
    with pytest.raises(InputError, match="query 2 has no relevant id: leave it out"):
        metrics.mrr([["a"], ["a"]], [["a"], {"a": 0}])
    with pytest.raises(InputError, match="query 1 ranks an id twice: 'a'"):
        metrics.ndcg([["a", "a"]], [["a"]])
    with pytest.raises(InputError, match="k is 0"):
        metrics.recall_at([["a"]], [["a"]], k=0)
    with pytest.raises(InputError, match="2 predictions"):
        metrics.recall_at([["a"], ["b"]], [["a"]])
