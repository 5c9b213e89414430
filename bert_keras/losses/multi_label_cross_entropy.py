"""The loss of any number of labels a text. B batch, C classes."""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from bert_keras.losses.cross_entropy import MeanBinaryCrossEntropy


@keras.saving.register_keras_serializable(package="bert_keras")
class MeanMultiLabelCrossEntropy(MeanBinaryCrossEntropy):
    """Cross entropy of 0 or 1 for each class from a logit for each, averaged over all that count.

    Takes labels `[B, C]` (1, 0, or negative where it is not known) and logits `[B, C]`, and otherwise treats weights,
    negative labels and strategies as `MeanBinaryCrossEntropy` does.

    Source: torch `BCEWithLogitsLoss`, which transformers trains models of several labels with.

    Args:
        positive_weights: `[C]`, how much each class's ones count; its zeros count 1. None: all count 1.
        name: the loss's name.
    """

    def __init__(self, positive_weights: Sequence[float] | None = None, name: str = "mean_multi_label_cross_entropy"):
        super().__init__(name=name)
        self.positive_weights = None if positive_weights is None else [float(weight) for weight in positive_weights]

    def call(self, y_true: Any, y_pred: Any) -> tf.Tensor:
        """Return the loss of each decision `[B, C]`; it has no meaning where a label is negative."""
        if self.positive_weights is None:
            return super().call(y_true, y_pred)
        return tf.nn.weighted_cross_entropy_with_logits(
            labels=tf.cast(tf.maximum(y_true, tf.zeros_like(y_true)), tf.float32),
            logits=tf.cast(y_pred, tf.float32),
            pos_weight=tf.constant(self.positive_weights),
        )

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "positive_weights": self.positive_weights}
