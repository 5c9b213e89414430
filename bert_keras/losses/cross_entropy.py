"""The cross entropies that the heads train on."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.losses.reduction import mean_over_replicas


@keras.saving.register_keras_serializable(package="bert_keras")
class MeanCrossEntropy(keras.losses.Loss):
    """Cross entropy of integer labels from logits, averaged over the positions that count.

    The divisor is the sum of the weights, never the number of slots: padding and unmasked slots change nothing.
    A negative label (−100, −1) has weight 0. Where no position counts, the loss is 0. Computed in float32.
    Under a distribution strategy the divisor is the sum over all replicas, so an uneven last batch gives the same
    loss and step as one device does.

    Source: Devlin et al. 2019, appendix A.2; google-research/bert `run_pretraining.py` (there 1e-5 is added to the
    divisor).
    """

    def __init__(self, name: str = "mean_cross_entropy"):
        super().__init__(name=name, reduction="mean_with_sample_weight", dtype="float32")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> tf.Tensor:
        """Return the mean loss, a float32 scalar.

        Args:
            y_true: integer labels `[B]` or `[B, K]`.
            y_pred: logits with the classes in a last dimension more.
            sample_weight: weights of the shape of `y_true`, or `[B]` for weights of whole examples.
        """
        losses, weights = self.call(y_true, y_pred), counted_weights(y_true, y_pred, sample_weight)
        return mean_over_replicas(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))

    def call(self, y_true: Any, y_pred: Any) -> tf.Tensor:
        """Return the loss of each position, in the shape of the labels; 0 has no meaning where a label is negative."""
        labels = tf.maximum(_labels(y_true, y_pred), 0)
        logits = tf.cast(y_pred, tf.float32)
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name}


@keras.saving.register_keras_serializable(package="bert_keras")
class MeanBinaryCrossEntropy(keras.losses.Loss):
    """Cross entropy of labels 0 and 1 from one logit a position, averaged over the positions that count.

    Weights, negative labels and strategies are treated as in `MeanCrossEntropy`.

    Source: Clark et al. 2020, section 2 (the loss of the discriminator).
    """

    def __init__(self, name: str = "mean_binary_cross_entropy"):
        super().__init__(name=name, reduction="mean_with_sample_weight", dtype="float32")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> tf.Tensor:
        """Return the mean loss, a float32 scalar.

        Args:
            y_true: labels `[B, L]`: 1, 0, or negative where a position does not count.
            y_pred: logits `[B, L]`.
            sample_weight: weights of the shape of `y_true`, or `[B]` for weights of whole examples.
        """
        losses = self.call(y_true, y_pred)
        weights = counted_weights(y_true, losses[..., tf.newaxis], sample_weight)
        return mean_over_replicas(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))

    def call(self, y_true: Any, y_pred: Any) -> tf.Tensor:
        """Return the loss of each position; it has no meaning where a label is negative."""
        labels = tf.cast(tf.maximum(y_true, tf.zeros_like(y_true)), tf.float32)
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=tf.cast(y_pred, tf.float32))

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name}


@keras.saving.register_keras_serializable(package="bert_keras")
class CountedAccuracy(keras.metrics.SparseCategoricalAccuracy):
    """Share of positions whose highest logit is the label; negative labels and weight 0 do not count."""

    def __init__(self, name: str = "accuracy", dtype: Any = None):
        super().__init__(name=name, dtype=dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        weights = counted_weights(y_true, y_pred, sample_weight)
        super().update_state(_labels(y_true, y_pred), y_pred, weights)


def counted_weights(y_true: Any, y_pred: Any, sample_weight: Any = None) -> tf.Tensor:
    """Return float32 weights in the shape of the labels: those given, and 0 where the label is negative."""
    labels = _labels(y_true, y_pred)
    counted = tf.cast(labels >= 0, tf.float32)
    if sample_weight is None:
        return counted
    weights = tf.cast(sample_weight, tf.float32)
    if weights.shape.rank > counted.shape.rank:
        weights = tf.squeeze(weights, -1)
    if weights.shape.rank < counted.shape.rank:
        weights = weights[..., tf.newaxis]
    return counted * weights


def _labels(y_true: Any, y_pred: Any) -> tf.Tensor:
    labels = tf.cast(y_true, tf.int32)
    # Keras hands labels of one example each over as [B, 1] in places.
    return tf.squeeze(labels, -1) if labels.shape.rank == tf.convert_to_tensor(y_pred).shape.rank else labels
