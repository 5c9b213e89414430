"""What the losses of embeddings share. B anchors, N negatives, H hidden, M = (2 + N) · B.

A batch has its texts anchor by anchor: the anchor, its positive, its negatives, then the next anchor. So a distribution
strategy, which cuts batches into parts, gives each replica whole examples.
"""

import abc
from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.losses.reduction import mean_over_replicas

# A shorter vector has no direction: its cosine to anything is 0.
_SHORTEST = 1e-12
# The logit of what is left out of a softmax: its exponential is 0 in float32.
MASKED = -1e9


class EmbeddingLoss(keras.losses.Loss, abc.ABC):
    """A mean over the anchors (or what a subclass counts) of a batch of stacked embeddings, computed in float32.

    Args:
        negatives: how many negatives each anchor has in the batch.
        name: the loss's name.
    """

    def __init__(self, negatives: int, name: str):
        super().__init__(name=name, reduction="mean_with_sample_weight", dtype="float32")
        self.negatives = negatives
        self.parts = 2 + negatives

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> tf.Tensor:
        """Return the mean loss, a float32 scalar.

        Args:
            y_true: `[M]`, what the loss compares with: ids of the texts, or scores.
            y_pred: embeddings `[M, H]`.
            sample_weight: not supported.

        Raises:
            InputError: weights are given, or M is no multiple of 2 + N.
        """
        if sample_weight is not None:
            raise InputError(f"{self.name} takes no sample weights: leave a text out instead")
        embeddings = tf.cast(tf.convert_to_tensor(y_pred), tf.float32)
        parts = self.parts
        rows, width = embeddings.shape
        if rows is not None and rows % parts:
            raise InputError(
                f"{self.name} got {rows} embeddings, which are not {parts} for each anchor: "
                f"itself, its positive and {self.negatives} negatives"
            )
        # [M] -> [2 + N, B], [M, H] -> [2 + N, B, H]
        targets = tf.transpose(tf.reshape(tf.convert_to_tensor(y_true), [-1, parts]))
        by_part = tf.transpose(tf.reshape(embeddings, [-1, parts, width]), [1, 0, 2])
        losses, weights = self.terms(targets, by_part)
        return mean_over_replicas(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))

    @abc.abstractmethod
    def terms(self, targets: tf.Tensor, embeddings: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Return losses and their weights, float32 of one shape.

        Args:
            targets: `[2 + N, B]`.
            embeddings: float32 `[2 + N, B, H]`.
        """

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name}


def checked_scale(scale: float) -> float:
    """Return what cosines are multiplied by, or raise InputError unless it is over 0."""
    if scale <= 0:
        raise InputError(f"scale is {scale}: give a number over 0, such as 20")
    return scale


def unit(vectors: tf.Tensor) -> tf.Tensor:
    """Return vectors at length 1; one without a direction stays as it is, and its gradient finite.

    Args:
        vectors: float32 `[..., H]`.
    """
    squares = tf.reduce_sum(vectors * vectors, axis=-1, keepdims=True)
    return vectors * tf.math.rsqrt(tf.where(squares > _SHORTEST**2, squares, 1.0))


def cosine(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """Return the cosines of two arrays of vectors, `[..., H]` each -> `[...]`; 0 with a zero vector.

    Args:
        a: float32 `[..., H]`.
        b: float32 `[..., H]`.
    """
    return tf.reduce_sum(unit(a) * unit(b), axis=-1)
