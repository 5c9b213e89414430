"""Scores of named entities, found as IOB2 tags of words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.metrics.cases import Cases, sum_cases
from bert_keras.metrics.checks import check_pairs, prf, ratios
from bert_keras.metrics.tags import tag_spans

Sentences = Sequence[Sequence[str]]


def entities(true: Sentences, predicted: Sentences, strict: bool = True) -> dict[str, Any]:
    """Return precision, recall, F1 and support of entities, over all and in "types" of each type.

    An entity is found if its type, first and last word are right. A ratio of nothing to nothing is 0.
    Source: Tjong Kim Sang and De Meulder 2003; strict as seqeval's strict IOB2, lenient as `conlleval`.

    Args:
        true: the right tags of each sentence, `O`, `B-type` or `I-type`.
        predicted: as many sentences of as many tags. Words that a model did not see must be in it, as `O`.
        strict: I- after nothing, or after another type, is no entity; else it begins one.

    Raises:
        InputError: no sentences, not as many sentences or words, or a tag that is none of IOB2.
    """
    counts: dict[str, np.ndarray] = {}
    for right, found in _spans(true, predicted, strict):
        for column, spans in enumerate((right & found, found, right)):
            for kind, _, _ in spans:
                counts.setdefault(kind, np.zeros(3, np.int64))[column] += 1
    total = sum(counts.values(), np.zeros(3, np.int64))
    return {**prf(*total), "types": {kind: prf(*counts[kind]) for kind in sorted(counts)}}


def entity_f1(true: Sentences, predicted: Sentences, strict: bool = True) -> float:
    """Return F1 over all entities, as `entities` does.

    Args:
        true: the right tags of each sentence.
        predicted: as many sentences of as many tags.
        strict: as in `entities`.

    Raises:
        InputError: as `entities`.
    """
    return entity_cases(true, predicted, strict).value


def entity_cases(true: Sentences, predicted: Sentences, strict: bool = True) -> Cases:
    """Return the cases of `entity_f1`: the sentences."""
    rows = [(2 * len(right & found), len(found) + len(right)) for right, found in _spans(true, predicted, strict)]
    return sum_cases(np.array(rows), lambda sums: ratios(sums[:, 0], sums[:, 1]), share=True)


def _spans(true: Sentences, predicted: Sentences, strict: bool) -> list[tuple[set, set]]:
    """The right and the found entities of each sentence."""
    check_pairs(true, predicted)
    spans = []
    for number, (right, found) in enumerate(zip(true, predicted, strict=True), start=1):
        if len(right) != len(found):
            raise InputError(f"sentence {number} has {len(right)} true tags and {len(found)} predicted ones")
        try:
            spans.append((set(tag_spans(right, strict)), set(tag_spans(found, strict))))
        except InputError as error:
            raise InputError(f"sentence {number}: {error}") from None
    return spans
