"""Scores of search by meaning. Q queries, D documents, E dimensions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation, Mistake
from bert_keras.evaluation.vectors import check_embeddings, unit_vectors
from bert_keras.evaluation.wording import count
from bert_keras.metrics.retrieval import (
    query_cases,
    query_hit,
    query_ndcg,
    query_recall,
    reciprocal_rank,
    triplet_cases,
)

_FOUND = 10
# So many similarities are held at once.
_BLOCK = 20_000_000


def retrieval_texts(examples: Any) -> list[str]:
    """The texts to embed: the queries, each once, then the documents, each once."""
    return [*_queries(examples), *_documents(examples)]


def score_retrieval(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score the search for the positives of anchors among all positives and negatives, by cosine: nDCG, mean
    reciprocal rank, recall, and whether positives are nearer than negatives.

    A query that is a document too does not find itself.

    Args:
        examples: `bert_keras.data.Triplets`.
        answers: of each of `retrieval_texts(examples)` its `embedding`.

    Raises:
        InputError: there are not as many answers as texts, or an embedding is not finite.
    """
    queries, documents = _queries(examples), _documents(examples)
    check_embeddings(examples, [*queries, *documents], answers)
    vectors = unit_vectors([answer["embedding"] for answer in answers])
    asked, held = vectors[: len(queries)], vectors[len(queries) :]  # [Q, E], [D, E]
    place = {document: row for row, document in enumerate(documents)}
    first_rows = dict(zip(reversed(examples.anchors), reversed(range(len(examples))), strict=True))
    relevant: dict[str, set[int]] = {query: set() for query in queries}
    for anchor, positive in zip(examples.anchors, examples.positives, strict=True):
        relevant[anchor].add(place[positive])
    wanted = list(relevant.values())
    own = [place.get(query) if place.get(query) not in relevant[query] else None for query in queries]
    ranked, scores = _search(asked, held, own)
    right = [ids[0] in goal for ids, goal in zip(ranked, wanted, strict=True)]
    nearest = [_nearest(query, held, goal) for query, goal in zip(asked, wanted, strict=True)]
    # By how much the best wrong document is nearer than the best right one.
    margins = [best - float(asked[row] @ held[nearest[row]]) for row, best in enumerate(scores)]
    wrong = [not each for each in right]
    cases = {
        f"ndcg@{_FOUND}": query_cases(query_ndcg, ranked, wanted, _FOUND),
        f"mrr@{_FOUND}": query_cases(reciprocal_rank, ranked, wanted, _FOUND),
        "hit_rate@1": query_cases(query_hit, ranked, wanted, 1),
        f"recall@{_FOUND}": query_cases(query_recall, ranked, wanted, _FOUND),
    }
    return Evaluation(
        kind="retrieval",
        examples=len(queries),
        **common.measured(cases, _triplets(examples, queries, asked, held, place)),
        **common.by_length(queries, wrong),
        error="share whose first document is wrong",
        mistakes=[
            Mistake(
                text=queries[row],
                expected=documents[nearest[row]],
                predicted=documents[ranked[row][0]],
                score=margins[row],
                where=examples.where(first_rows[queries[row]]),
            )
            for row in common.worst(margins, wrong)
        ],
        mistake_count=sum(wrong),
        mistake_score="nearer by",
        notes=[f"searched among {count(len(documents), 'document')}"],
        predicted=[ids[0] for ids in ranked],
        right=right,
    )


def _queries(examples: Any) -> list[str]:
    return list(dict.fromkeys(examples.anchors))


def _documents(examples: Any) -> list[str]:
    negatives = (text for of_anchor in examples.negatives or [] for text in of_anchor)
    return list(dict.fromkeys([*examples.positives, *negatives]))


def _nearest(query: np.ndarray, held: np.ndarray, goal: set[int]) -> int:
    """The one of some documents that is nearest to a query `[E]`."""
    return max(goal, key=lambda each: float(query @ held[each]))


def _search(asked: np.ndarray, held: np.ndarray, own: Sequence[int | None]) -> tuple[list[list[int]], list[float]]:
    """The nearest documents of each query `[Q, E]` among `[D, E]`, and the similarity of the first.

    Args:
        asked, held: queries and documents at unit length.
        own: of each query a document that it must not find.
    """
    ranked, best = [], []
    step = max(1, _BLOCK // len(held))
    for begin in range(0, len(asked), step):
        near = asked[begin : begin + step] @ held.T
        for row, similar in enumerate(near):
            barred = own[begin + row]
            if barred is not None:
                similar[barred] = -np.inf
            few = np.argpartition(-similar, min(_FOUND, len(similar) - 1))[: _FOUND + 1]
            order = few[np.argsort(-similar[few], kind="stable")]
            ids = [int(each) for each in order[:_FOUND] if np.isfinite(similar[each])]
            ranked.append(ids)
            best.append(float(similar[ids[0]]))
    return ranked, best


def _triplets(
    examples: Any, queries: list[str], asked: np.ndarray, held: np.ndarray, place: dict[str, int]
) -> dict[str, float]:
    """The share of (anchor, positive, negative) whose positive is nearer."""
    row_of = {query: row for row, query in enumerate(queries)}
    near, far = [], []
    for anchor, positive, negatives in zip(
        examples.anchors, examples.positives, examples.negatives or [[]] * len(examples), strict=True
    ):
        vector = asked[row_of[anchor]]
        far += [float(vector @ held[place[text]]) for text in negatives]
        near += [float(vector @ held[place[positive]])] * len(negatives)
    return {"triplet_accuracy": triplet_cases(near, far).value} if far else {}
