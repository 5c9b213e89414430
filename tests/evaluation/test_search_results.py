"""Scores of search, by hand."""

import math

import pytest

from bert_keras.data import Triplets
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES, texts_to_answer


def triplets(rows):
    anchors, positives, negatives = (list(column) for column in zip(*rows, strict=True))
    return Triplets("faq.jsonl", anchors, positives, negatives, range(1, len(rows) + 1), "line")


def evaluated(rows, vectors):
    examples = triplets(rows)
    texts, pairs = texts_to_answer("retrieval", examples)
    assert pairs is None
    return SCORES["retrieval"](examples, [{"embedding": vectors[text]} for text in texts])


ROWS = [("q1", "right 1", ["wrong"]), ("q2", "right 2", ["wrong"])]
# q1 finds its document first; q2 finds `wrong` before it.
VECTORS = {"q1": [1, 0], "right 1": [2, 0.1], "q2": [0, 1], "right 2": [0.5, 1], "wrong": [0.1, 5]}


def test_documents_are_all_positives_and_negatives_once():
    assert texts_to_answer("retrieval", triplets(ROWS))[0] == ["q1", "q2", "right 1", "right 2", "wrong"]


def test_ranks_give_the_metrics():
    found = evaluated(ROWS, VECTORS).metrics
    assert found == pytest.approx(
        {
            "ndcg@10": (1 + 1 / math.log2(3)) / 2,
            "mrr@10": 0.75,
            "hit_rate@1": 0.5,
            "recall@10": 1.0,
            "triplet_accuracy": 0.5,
        }
    )


def test_query_with_several_positives_wants_them_all():
    found = evaluated(
        [("q", "a", []), ("q", "b", []), ("p", "c", [])],
        {"q": [1, 0], "a": [1, 0.1], "b": [0, 1], "c": [1, 0.2], "p": [1, 0.3]},
    )
    assert found.examples == 2
    # q ranks a, c, b: (1 + 1/log2(4)) over (1 + 1/log2(3)).
    ideal = 1 + 1 / math.log2(3)
    assert found.metrics["ndcg@10"] == pytest.approx((1.5 / ideal + 1) / 2)
    assert "triplet_accuracy" not in found.metrics


def test_query_that_is_a_document_does_not_find_itself():
    found = evaluated([("q", "a", []), ("a", "q", [])], {"q": [1, 0], "a": [1, 1]})
    assert found.metrics["hit_rate@1"] == 1


def test_mistake_shows_the_wanted_and_the_found_document():
    (mistake,) = evaluated(ROWS, VECTORS).mistakes
    assert (mistake.text, mistake.expected, mistake.predicted, mistake.where) == (
        "q2",
        "right 2",
        "wrong",
        "faq.jsonl, line 2",
    )
    assert mistake.score == pytest.approx(5 / math.hypot(0.1, 5) - 1 / math.hypot(0.5, 1))


def test_only_the_ten_nearest_documents_count():
    rows = [("q", "right", [f"wrong {number}" for number in range(10)])]
    vectors = {"q": [1, 0], "right": [1, 1]} | {f"wrong {number}": [1, number / 100] for number in range(10)}
    found = evaluated(rows, vectors).metrics
    assert (found["recall@10"], found["mrr@10"], found["triplet_accuracy"]) == (0, 0, 0)


def test_there_must_be_as_many_embeddings_as_texts():
    with pytest.raises(InputError, match=r"faq\.jsonl: there are 5 texts to embed and 2 embeddings"):
        SCORES["retrieval"](triplets(ROWS), [{"embedding": [1.0]}] * 2)
