"""Scores of search results: for each query the ids found, best first, against the ids that are relevant."""

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

import numpy as np

from bert_keras.errors import InputError, whole_number
from bert_keras.metrics.cases import Cases, mean_cases
from bert_keras.metrics.checks import check_pairs

Ranked = Sequence[Sequence[Hashable]]
Relevant = Sequence[Collection[Hashable] | Mapping[Hashable, float]]
Grades = Mapping[Hashable, float]
QueryScore = Callable[[Sequence[Hashable], Grades, int | None], float]


def mrr(ranked: Ranked, relevant: Relevant, k: int | None = 10) -> float:
    """Return the mean over the queries of 1 / rank of the first relevant id, 0 where the first k hold none.

    Args:
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids, or `{id: grade}`; a grade of 0 is not relevant.
        k: how many ids count; None for all.

    Raises:
        InputError: the lists are empty or of different lengths, an id is ranked twice, a query has no relevant id,
            or k is no number from 1 on (so do all functions here).
    """
    return query_cases(reciprocal_rank, ranked, relevant, k).value


def ndcg(ranked: Ranked, relevant: Relevant, k: int | None = 10) -> float:
    """Return the normalised discounted cumulative gain: grades / log2(rank + 1), over that of the best order.

    Source: Järvelin and Kekäläinen 2002, with the grade itself as the gain.

    Args:
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids (grade 1 each), or `{id: grade}`.
        k: how many ids count; None for all.
    """
    return query_cases(query_ndcg, ranked, relevant, k).value


def recall_at(ranked: Ranked, relevant: Relevant, k: int | None = 10) -> float:
    """Return the mean share of the relevant ids that are among the first k.

    Args:
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids, or `{id: grade}`.
        k: how many ids count; None for all.
    """
    return query_cases(query_recall, ranked, relevant, k).value


def precision_at(ranked: Ranked, relevant: Relevant, k: int = 10) -> float:
    """Return the mean share of relevant ids among the first k; where fewer are found, the missing ones count as wrong.

    Args:
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids, or `{id: grade}`.
        k: how many ids count.
    """
    return query_cases(query_precision, ranked, relevant, k).value


def mean_average_precision(ranked: Ranked, relevant: Relevant, k: int | None = None) -> float:
    """Return the mean over the queries of the precision at each relevant id found, over how many could be found.

    Args:
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids, or `{id: grade}`.
        k: how many ids count; None for all.
    """
    return query_cases(average_precision, ranked, relevant, k).value


def hit_rate(ranked: Ranked, relevant: Relevant, k: int | None = 10) -> float:
    """Return the share of queries with a relevant id among the first k.

    Args:
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids, or `{id: grade}`.
        k: how many ids count; None for all.
    """
    return query_cases(query_hit, ranked, relevant, k).value


def triplet_accuracy(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return the share of triplets whose positive is more similar to the anchor than their negative.

    Args:
        positive: the similarity of each anchor and its positive.
        negative: that of each anchor and its negative.
    """
    return triplet_cases(positive, negative).value


def triplet_cases(positive: Sequence[float], negative: Sequence[float]) -> Cases:
    """Return the cases of `triplet_accuracy`."""
    check_pairs(positive, negative)
    return mean_cases(np.asarray(positive, np.float64) > np.asarray(negative, np.float64), share=True)


def reciprocal_rank(ids: Sequence[Hashable], grades: Grades, k: int | None) -> float:
    """Return 1 / rank of the first relevant id of one query."""
    return next((1 / rank for rank, id in enumerate(ids[:k], start=1) if id in grades), 0.0)


def query_ndcg(ids: Sequence[Hashable], grades: Grades, k: int | None) -> float:
    """Return the normalised discounted cumulative gain of one query."""
    best = sorted(grades.values(), reverse=True)
    return _gain([grades.get(id, 0.0) for id in ids[:k]]) / _gain(best[:k])


def query_recall(ids: Sequence[Hashable], grades: Grades, k: int | None) -> float:
    """Return the share of one query's relevant ids that are found."""
    return sum(id in grades for id in ids[:k]) / len(grades)


def query_precision(ids: Sequence[Hashable], grades: Grades, k: int | None) -> float:
    """Return the share of the first k ids that are relevant to one query."""
    return sum(id in grades for id in ids[:k]) / (k or len(ids))


def average_precision(ids: Sequence[Hashable], grades: Grades, k: int | None) -> float:
    """Return the mean precision at the relevant ids of one query."""
    hits, total = 0, 0.0
    for rank, id in enumerate(ids[:k], start=1):
        if id in grades:
            hits += 1
            total += hits / rank
    return total / min(len(grades), k or len(grades))


def query_hit(ids: Sequence[Hashable], grades: Grades, k: int | None) -> float:
    """Return 1 if a relevant id is found for one query, else 0."""
    return float(any(id in grades for id in ids[:k]))


def query_cases(score: QueryScore, ranked: Ranked, relevant: Relevant, k: int | None = 10) -> Cases:
    """Return the cases of a mean over queries.

    Args:
        score: of one query: its ids, its grades above 0, k -> value.
        ranked: the ids found for each query, best first.
        relevant: for each query the relevant ids, or `{id: grade}`.
        k: how many ids count; None for all.
    """
    check_pairs(relevant, ranked)
    if k is not None:
        k = whole_number(k, "k")
    values = []
    for number, (ids, wanted) in enumerate(zip(ranked, relevant, strict=True), start=1):
        if len(set(ids)) < len(ids):
            raise InputError(f"query {number} ranks an id twice: {next(id for id in ids if ids.count(id) > 1)!r}")
        all_grades = wanted if isinstance(wanted, Mapping) else dict.fromkeys(wanted, 1.0)
        grades = {id: grade for id, grade in all_grades.items() if grade > 0}
        if not grades:
            raise InputError(f"query {number} has no relevant id: leave it out, as it cannot be scored")
        values.append(score(ids, grades, k))
    return mean_cases(values, share=True)


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
