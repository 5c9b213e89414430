"""Texts that are compared: pairs with a score each, or anchors with a positive and negatives.

B examples of a batch, P texts of an example, L length, N examples.
"""

import os
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from bert_keras.data.columns import LABELS
from bert_keras.data.encode import encode
from bert_keras.data.kinds.kind import Kind, Prepared
from bert_keras.data.numbers import number_targets
from bert_keras.data.records import first_of, open_records
from bert_keras.data.rows import Rows
from bert_keras.data.tables import rows_of
from bert_keras.data.triplet_rows import ANCHORS, POSITIVES, Triplets, triplets_of
from bert_keras.errors import InputError
from bert_keras.losses import Cosent, InfoNce


def similar_texts(
    source: str | os.PathLike,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    anchor: str | None = None,
    positive: str | None = None,
    negative: str | None = None,
    data_dir: str | os.PathLike | None = None,
) -> Rows | Triplets:
    """Read texts to compare: as `triplets` does where no score is in the source, otherwise as `table` does.

    Args:
        source: as for `table`.
        text, pair, label: the columns of two texts and of the score of their similarity, a number on any scale.
        anchor, positive, negative: the columns of texts, of one of like meaning each, and of others; found by usual
            names where there is no column of scores.
        data_dir: as for `table`.

    Returns:
        `Rows` with scores as labels (or of single texts, which cannot be trained on), or `Triplets`; pairs without
        scores are those of like meaning.

    Raises:
        InputError: as `table` or `triplets`.
    """
    asked_rows, asked_triplets = (any(names) for names in ((text, pair, label), (anchor, positive, negative)))
    if asked_rows and asked_triplets:
        raise InputError(
            f"{source}: name the columns text, pair and label of texts with scores, or anchor, positive and negative"
        )
    records = open_records(source, data_dir)
    if asked_triplets or (not asked_rows and _holds_triplets(records.names)):
        return triplets_of(records, anchor, positive, negative)
    rows = rows_of(records, text, pair, label)
    if rows.pairs is None or rows.labels is not None:
        return rows
    return Triplets(rows.source, rows.texts, rows.pairs, [[] for _ in rows.texts], rows.lines, rows.unit)


def _holds_triplets(names: list[str]) -> bool:
    return all(first_of(names, usual) for usual in (ANCHORS, POSITIVES)) and not first_of(names, LABELS)


def _prepare(examples: Rows | Triplets, tokenizer: Any, model: Any, max_length: int) -> Prepared:
    """The P texts of each example as rows of their own, one after the other, as the losses take them."""
    parts = _parts(examples)
    count = len(examples)
    flat = [text for part in parts for text in part]
    encoded = encode(tokenizer, flat, None, max_length)
    targets = _targets(examples, flat).reshape(len(parts), count)
    lengths = encoded.lengths.reshape(len(parts), count).max(axis=0)

    def gather(batch: np.ndarray, epoch: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        rows = (np.arange(len(parts)) * count + batch[:, None]).reshape(-1)  # [B * P]
        return encoded.padded(rows, tokenizer.pad_id), targets[:, batch].T.reshape(-1)

    labels = tf.TensorSpec([None], targets.dtype, "labels")
    return Prepared(lengths, gather, labels, int((lengths >= max_length).sum()), "examples")


def _parts(examples: Rows | Triplets) -> list[list[str]]:
    """P lists of N texts: all first ones, all second ones, …"""
    parts = [examples.texts, _second_texts(examples)]
    if isinstance(examples, Triplets):
        parts += [[of_anchor[i] for of_anchor in examples.negatives] for i in range(negatives_of(examples))]
    return parts


def _second_texts(examples: Rows | Triplets) -> list[str]:
    if examples.pairs is None:
        raise InputError(
            f"{examples.source} has no second texts: similarity is learned from pairs of texts, with a score each, or "
            f"of like meaning"
        )
    return examples.pairs


def negatives_of(examples: Triplets) -> int:
    """How many negatives every anchor has; what some have beyond them is not trained on."""
    return min(len(of_anchor) for of_anchor in examples.negatives)


def _targets(examples: Rows | Triplets, flat: list[str]) -> np.ndarray:
    """`[P * N]`: scores, or for the losses that look for equal texts an id of each text."""
    if isinstance(examples, Rows):
        return np.tile(number_targets(examples), 2)
    ids: dict[str, int] = {}
    return np.array([ids.setdefault(text, len(ids)) for text in flat], np.int32)


def _loss(examples: Rows | Triplets) -> keras.losses.Loss:
    if isinstance(examples, Rows):
        return Cosent()
    return InfoNce(negatives_of(examples))


def _check(examples: Rows | Triplets) -> None:
    _second_texts(examples)
    if isinstance(examples, Rows):
        scores = number_targets(examples)
        if scores.min() == scores.max():
            raise InputError(f"{examples.source}: all {len(examples)} pairs have the score {scores[0]:g}")
        return
    counts = [len(of_anchor) for of_anchor in examples.negatives]
    if min(counts) == 0 < max(counts):
        place = counts.index(0)
        raise InputError(
            f"{examples.where(place)}: this anchor has no negative, where others have some: give each of them one, or "
            f"none of them"
        )
    if len(set(examples.positives)) == 1 and not counts[0]:
        raise InputError(f"{examples.source}: all {len(examples)} anchors have the same positive, and no negatives")


def _scores(examples: Rows | Triplets) -> str:
    return "similarity" if isinstance(examples, Rows) else "retrieval"


SIMILAR_TEXTS = Kind(
    load=similar_texts,
    prepare=_prepare,
    columns=("text", "pair", "label", "anchor", "positive", "negative", "data_dir"),
    check=_check,
    loss=_loss,
    scores=_scores,
)
