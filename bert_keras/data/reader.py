"""A table of labelled texts as the batches that a model is fitted on.

Legend: B batch, L length of the longest row of the batch.
"""

import logging
import os
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from bert_keras.data.batches import batches_in_order, batches_of_like_lengths, check_order
from bert_keras.data.encode import encode
from bert_keras.data.epochs import epochs_dataset
from bert_keras.data.label_indices import targets
from bert_keras.data.tables import refuse_one_class, table
from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.tasks import labels_of

_log = logging.getLogger("bert_keras")


def read(
    source: str | os.PathLike,
    tokenizer: Any,
    model: keras.Model,
    batch_size: int = 32,
    max_length: int | None = None,
    shuffle: bool | None = None,
    seed: int = 0,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
    start_epoch: int = 0,
    skip_batches: int = 0,
) -> tf.data.Dataset:
    """Read labelled texts as a dataset of (inputs, labels) for `fit` and `evaluate`.

    Texts are tokenized once, here. Each batch is padded to its longest row. Every iteration of the dataset is
    the next epoch, in an order that depends on `seed` and the epoch alone; `len` gives its batches.

    Args:
        source, text, pair, label, data_dir: as for `table`.
        tokenizer: `bert_keras.Tokenizer` of the model.
        model: a model with labels; a file names them, or their indices.
        batch_size: rows a batch; the last batch of an epoch may have fewer.
        max_length: longest row in tokens, further ones are cut; the model's positions when None.
        shuffle: mix the rows and batch those of like lengths (None means True); False keeps the file's order.
        seed: decides the order, whole and not negative.
        start_epoch, skip_batches: where to go on: the epoch of the first iteration, and how many of its batches
            are left out. `len` stays that of a whole epoch.

    Returns:
        A dataset of ({"token_ids", "segment_ids", "padding_mask"}: int32 [B, L], labels: int32 [B]).

    Raises:
        InputError: as `table`; the model has no labels or does not know one of the file's; a file to train on
            holds one label only; `max_length` exceeds the model's positions.
    """
    shuffle = shuffle is None or shuffle
    check_order(batch_size, seed, start_epoch, skip_batches)
    max_length = _checked_length(model, tokenizer, max_length)
    rows = table(source, text, pair, label, data_dir)
    indices = targets(rows, labels_of(model))
    if shuffle:
        refuse_one_class(rows)
    encoded = encode(tokenizer, rows.texts, rows.pairs, max_length)
    full = int((encoded.lengths >= max_length).sum())
    if full:
        _log.warning("%d of %d texts fill all %d tokens; what is longer is cut", full, len(rows), max_length)
    names = [tensor.name for tensor in model.inputs]

    def order(epoch: int) -> list[np.ndarray]:
        if shuffle:
            return batches_of_like_lengths(encoded.lengths, batch_size, seed, epoch)
        return batches_in_order(len(rows), batch_size)

    def gather(batch: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
        inputs = encoded.padded(batch, tokenizer.pad_id)
        return {name: inputs[name] for name in names}, indices[batch]

    signature = (
        {name: tf.TensorSpec([None, None], tf.int32, name) for name in names},
        tf.TensorSpec([None], tf.int32, "labels"),
    )
    length = -(-len(rows) // batch_size)
    return epochs_dataset(order, gather, signature, length, start_epoch, skip_batches)


def _checked_length(model: keras.Model, tokenizer: Any, max_length: int | None) -> int:
    config = config_of(model)
    if len(tokenizer.vocabulary) > config.vocab_size:
        raise InputError(
            f"the tokenizer has {len(tokenizer.vocabulary)} entries, but the model's token table only "
            f"{config.vocab_size}: use the tokenizer that belongs to the model"
        )
    positions = config.max_length
    if max_length is not None and max_length > positions:
        raise InputError(
            f"max_length is {max_length}, but the model has {positions} positions: use {positions} or less"
        )
    return positions if max_length is None else max_length
