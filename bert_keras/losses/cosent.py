"""The loss of the order of pairs with scores. B pairs, H hidden."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.losses.embedding_loss import MASKED, EmbeddingLoss, checked_scale, cosine


@keras.saving.register_keras_serializable(package="bert_keras")
class Cosent(EmbeddingLoss):
    """ln(1 + the sum of e^(scale · (cosine of one pair − cosine of another with a higher score))) of a batch.

    Only the order of the scores counts, not their values. `y_true` is float `[2 · B]`: each pair's score, twice;
    `y_pred` is `[2 · B, H]`, the two texts of each pair one after the other.

    Source: Su 2022 (CoSENT); sentence-transformers `CoSENTLoss`.

    Args:
        scale: what cosines are multiplied by, 1 / temperature.
        name: the loss's name.

    Raises:
        InputError: the scale is not above 0.
    """

    def __init__(self, scale: float = 20.0, name: str = "cosent"):
        super().__init__(0, name)
        self.scale = checked_scale(scale)

    def terms(self, targets: tf.Tensor, embeddings: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        scores = tf.cast(targets[0], tf.float32)
        cosines = self.scale * cosine(embeddings[0], embeddings[1])
        # [B, B]: row = the pair that should be less alike than that of the column
        differences = cosines[:, tf.newaxis] - cosines
        ordered = scores[:, tf.newaxis] < scores
        logits = tf.where(ordered, differences, MASKED)
        loss = tf.reduce_logsumexp(tf.concat([tf.zeros([1]), tf.reshape(logits, [-1])], axis=0))
        return loss, tf.ones_like(loss)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "scale": self.scale}
