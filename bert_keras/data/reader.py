"""A file of examples as the batches that a model is fitted on.

Legend: B batch, L length of the longest row of the batch.
"""

import logging
import os
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from bert_keras.data.batches import batches_in_order, batches_of_like_lengths, check_order
from bert_keras.data.epochs import epochs_dataset
from bert_keras.data.kinds import KINDS, Kind
from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.tasks import TASKS, input_specs, task_of, usual_length

_log = logging.getLogger("bert_keras")


def read(
    source: Any,
    tokenizer: Any,
    model: keras.Model,
    batch_size: int = 32,
    max_length: int | None = None,
    shuffle: bool | None = None,
    seed: int = 0,
    start_epoch: int = 0,
    skip_batches: int = 0,
    **columns: Any,
) -> tf.data.Dataset:
    """Read what a model's task is trained on as a dataset of (inputs, targets) for `fit` and `evaluate`.

    Texts are tokenized once, here. Each batch is padded to its longest row. Every iteration of the dataset is
    the next epoch, in an order that depends on `seed` and the epoch alone; `len` gives its batches.

    Args:
        source: a file or TFDS name as the reader of the task's examples takes it (`table` for texts with labels or
            numbers, `tagged` for token-classification, `questions` for question-answering, `choices` for
            multiple-choice, ...), or what that reader returned.
        tokenizer: `bert_keras.Tokenizer` of the model.
        model: a model that a task made.
        batch_size: rows a batch; the last batch of an epoch may have fewer.
        max_length: longest row in tokens; what is longer is cut, or read in windows where the task has them; what
            is usual for the model when None: 384 in question answering, otherwise most often its positions.
        shuffle: mix the rows and batch those of like lengths (None means True); False keeps the file's order.
        seed: decides the order, whole and not negative.
        start_epoch, skip_batches: where to go on: the epoch of the first iteration, and how many of its batches
            are left out. `len` stays that of a whole epoch.
        **columns: further arguments of the reader, such as `text` and `label`.

    Returns:
        A dataset of ({"token_ids", "segment_ids", "padding_mask"}: int32 [B, L], targets): int32 [B] for one label of
        a text, float32 [B, C] for several or for a number, int32 [B, L] for a label of each token with -100 where none
        is learned, and as the other tasks' losses take them.

    Raises:
        InputError: as the reader; the task is not trained from files, or is about pairs where the file has single
            texts; the model does not know one of the file's labels, a file to train on holds one label only, or
            `max_length` exceeds the model's positions.
    """
    shuffle = shuffle is None or shuffle
    check_order(batch_size, seed, start_epoch, skip_batches)
    max_length = _checked_length(model, tokenizer, max_length)
    kind = kind_of(task_of(model))
    examples = kind.load(source, **columns) if isinstance(source, str | os.PathLike) else source
    _require_pairs(examples, task_of(model))
    if shuffle and kind.check is not None:
        kind.check(examples)
    rows = kind.prepare(examples, tokenizer, model, max_length)
    count = len(rows.lengths)
    if rows.cut:
        _log.warning("%d of %d %s fill all %d tokens; what is longer is cut", rows.cut, count, rows.what, max_length)

    def order(epoch: int) -> list[np.ndarray]:
        if shuffle:
            return batches_of_like_lengths(rows.lengths, batch_size, seed, epoch)
        return batches_in_order(count, batch_size)

    inputs = input_specs(model)

    def gather(batch: np.ndarray, epoch: int) -> Any:
        found, targets = rows.gather(batch, epoch)
        return {name: found[name] for name in inputs}, targets

    return epochs_dataset(order, gather, (inputs, rows.targets), -(-count // batch_size), start_epoch, skip_batches)


def kind_of(task: str) -> Kind:
    """The kind of examples that a task is trained and scored on.

    Args:
        task: a key of `bert_keras.tasks.TASKS`.

    Raises:
        InputError: it has none.
    """
    if task not in TASKS:
        raise InputError(f"no task is named {task!r}; known are {', '.join(TASKS)}")
    name = TASKS[task].examples
    if name is None:
        having = ", ".join(sorted(each for each, other in TASKS.items() if other.examples))
        raise InputError(f"no file is read for {task}; tasks that read files are {having}")
    return KINDS[name]


def _require_pairs(examples: Any, task: str) -> None:
    if TASKS[task].needs_pairs and examples.pairs is None:
        raise InputError(
            f"{examples.source}: {task} is about two texts, and no column is read as the second: name it (pair=, "
            "--pair, beside text=, --text), or call the two sentence1 and sentence2"
        )


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
    return usual_length(model) if max_length is None else max_length
