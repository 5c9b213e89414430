"""Scores of the similarity of pairs of texts. N pairs, E dimensions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.data.numbers import number_targets
from bert_keras.errors import InputError
from bert_keras.evaluation import common
from bert_keras.evaluation.one_number import constant_notes, dots
from bert_keras.evaluation.result import Evaluation
from bert_keras.evaluation.vectors import check_embeddings, unit_vectors
from bert_keras.evaluation.wording import short
from bert_keras.metrics.correlation import pearson_cases, ranks, spearman_cases


def similarity_texts(examples: Any) -> list[str]:
    """The texts to embed: the first texts of all pairs, then the second ones.

    Raises:
        InputError: the examples have no second texts.
    """
    if not examples.pairs:
        raise InputError(f"{examples.source} has no second texts: a similarity is of two")
    return [*examples.texts, *examples.pairs]


def score_similarity(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score the cosine of pairs of texts against right similarities: Spearman's and Pearson's correlation.

    Args:
        examples: `bert_keras.data.Rows` with pairs, whose labels are numbers on any scale.
        answers: of each of `similarity_texts(examples)` its `embedding`.

    Raises:
        InputError: there are not as many answers as texts, no second texts, a label is no number, or an embedding is
            not finite.
    """
    check_embeddings(examples, similarity_texts(examples), answers)
    true = number_targets(examples).tolist()
    vectors = unit_vectors([answer["embedding"] for answer in answers])  # [2 N, E]
    cosines = (vectors[: len(true)] * vectors[len(true) :]).sum(axis=1).tolist()
    # The scales differ: what can be wrong is the order.
    misplaced = np.abs(_places(true) - _places(cosines)).tolist()
    cases = {"spearman": spearman_cases(true, cosines), "pearson": pearson_cases(true, cosines)}
    wrong = [each > 0 for each in misplaced]
    return Evaluation(
        kind="similarity",
        examples=len(true),
        **common.measured(common.own_first(cases, examples.source)),
        scatter=dots(true, cosines),
        **common.by_length(common.joined(examples), misplaced),
        error="mean difference of ranks, of 1",
        **common.text_mistakes(examples, misplaced, wrong, [*map(short, true)], [*map(short, cosines)]),
        mistake_score="difference of ranks, of 1",
        notes=constant_notes(true, cosines),
    )


def _places(values: Sequence[float]) -> np.ndarray:
    """The place of each value in their order, from 0 to 1; equal values share one."""
    return (ranks(values) - 1) / max(1, len(values) - 1)
