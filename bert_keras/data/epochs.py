"""Batches, an epoch after another, as a `tf.data.Dataset` of known length."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

Order = Callable[[int], list[np.ndarray]]
Gather = Callable[[np.ndarray, int], Any]


def epochs_dataset(
    order: Order, gather: Gather, signature: Any, length: int, start_epoch: int = 0, skip_batches: int = 0
) -> tf.data.Dataset:
    """Return a dataset whose every iteration is the next epoch.

    An iteration counts once its first batch is asked for. `len` is the length of a whole epoch: when batches are
    skipped, the first iteration ends that much earlier.

    Args:
        order: gives the row numbers of each batch of an epoch.
        gather: gives the batch for row numbers and the epoch, structured as `signature`.
        signature: `tf.TensorSpec`s of a batch.
        length: batches in an epoch.
        start_epoch: epoch of the first iteration.
        skip_batches: batches left out at the start of the first iteration.
    """
    epochs = _Epochs(order, gather, start_epoch + skip_batches // length, skip_batches % length)
    dataset = tf.data.Dataset.from_generator(epochs, output_signature=signature)
    return _with_length(dataset, length).prefetch(tf.data.AUTOTUNE)


class _Epochs:
    """Called once an iteration, gives the batches of the next epoch."""

    def __init__(self, order: Order, gather: Gather, epoch: int, skip: int) -> None:
        self._order = order
        self._gather = gather
        self._epoch = epoch
        self._skip = skip

    def __call__(self) -> Iterator[Any]:
        epoch = self._epoch
        batches = self._order(epoch)[self._skip :]
        self._epoch += 1
        self._skip = 0
        for rows in batches:
            yield self._gather(rows, epoch)


def _with_length(dataset: tf.data.Dataset, length: int) -> tf.data.Dataset:
    # assert_cardinality would refuse a first epoch that is shorter because batches were skipped. A dataset that
    # repeats counts as endless, and `take` of an endless one as exactly that long; what is repeated here has
    # no elements, so nothing is added.
    nothing = dataset.take(0).filter(lambda *batch: False).repeat()
    return dataset.concatenate(nothing).take(length)
