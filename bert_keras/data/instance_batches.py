"""Pretraining instances as the batches that the pretraining model is fitted on.

Legend: B batch, L length of the longest instance of the batch, K most predictions of an instance.
"""

from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.data.batches import batches_of_like_lengths, check_order
from bert_keras.data.epochs import epochs_dataset
from bert_keras.data.instances import PretrainingInstances


def pretraining_dataset(
    instances: PretrainingInstances, batch_size: int = 32, seed: int = 0, start_epoch: int = 0, skip_batches: int = 0
) -> tf.data.Dataset:
    """Give instances as a dataset of (inputs, targets, weights) for the `fit` of a pretraining model.

    Batches hold instances of like lengths. Every iteration is the next epoch, in an order that depends on `seed`
    and the epoch alone; `len` gives its batches.

    Args:
        instances: of `pretraining_instances`.
        batch_size: instances a batch; the last batch of an epoch may have fewer.
        seed: decides the order, whole and not negative.
        start_epoch, skip_batches: where to go on: the epoch of the first iteration, and how many of its batches
            are left out. `len` stays that of a whole epoch.

    Returns:
        A dataset of ({"token_ids", "segment_ids", "padding_mask": int32 [B, L], "masked_positions": int32 [B, K]},
        {"mlm": int32 [B, K], "nsp": int32 [B]}, {"mlm": float32 [B, K], "nsp": float32 [B]}).

    Raises:
        InputError: a number is out of its range.
    """
    check_order(batch_size, seed, start_epoch, skip_batches)

    def order(epoch: int) -> list[np.ndarray]:
        return batches_of_like_lengths(instances.lengths, batch_size, seed, epoch)

    def gather(batch: np.ndarray, epoch: int) -> Any:
        lengths = instances.lengths[batch]
        longest = int(lengths.max())
        inputs = {
            "token_ids": instances.token_ids[batch, :longest],
            "segment_ids": instances.segment_ids[batch, :longest].astype(np.int32),
            "padding_mask": (np.arange(longest) < lengths[:, None]).astype(np.int32),
            "masked_positions": instances.masked_positions[batch],
        }
        targets = {"mlm": instances.masked_ids[batch], "nsp": instances.next_sentence_labels[batch]}
        weights = {"mlm": instances.masked_weights[batch], "nsp": np.ones(len(batch), np.float32)}
        return inputs, targets, weights

    predictions = instances.masked_positions.shape[1]
    rows, slots, single = [None, None], [None, predictions], [None]
    signature = (
        {
            "token_ids": tf.TensorSpec(rows, tf.int32),
            "segment_ids": tf.TensorSpec(rows, tf.int32),
            "padding_mask": tf.TensorSpec(rows, tf.int32),
            "masked_positions": tf.TensorSpec(slots, tf.int32),
        },
        {"mlm": tf.TensorSpec(slots, tf.int32), "nsp": tf.TensorSpec(single, tf.int32)},
        {"mlm": tf.TensorSpec(slots, tf.float32), "nsp": tf.TensorSpec(single, tf.float32)},
    )
    length = -(-len(instances) // batch_size)
    return epochs_dataset(order, gather, signature, length, start_epoch, skip_batches)
