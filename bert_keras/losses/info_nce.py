"""The loss of pairs against all other texts of the batch. B anchors, N negatives, H hidden."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.losses.embedding_loss import MASKED, EmbeddingLoss, checked_scale, unit


@keras.saving.register_keras_serializable(package="bert_keras")
class InfoNce(EmbeddingLoss):
    """Cross entropy of finding each anchor's positive among all positives and negatives of the batch, by cosine.

    A text is no negative of an anchor if it is the anchor itself, the same text as its positive, or the positive of
    the same anchor elsewhere in the batch. Under a distribution strategy each replica looks at its own texts, and
    a batch must have as many anchors for each.

    `y_true` is int `[(2 + N) · B]`: ids of the texts, equal for equal texts; `y_pred` is `[(2 + N) · B, H]`: each
    anchor, its positive and its negatives, one after the other.

    Source: van den Oord et al. 2018; Henderson et al. 2017; sentence-transformers `MultipleNegativesRankingLoss`
    (which does not mask duplicates).

    Args:
        negatives: N, how many negatives each anchor has of its own.
        scale: what cosines are multiplied by, 1 / temperature.
        name: the loss's name.

    Raises:
        InputError: a number makes no sense.
    """

    def __init__(self, negatives: int = 0, scale: float = 20.0, name: str = "info_nce"):
        super().__init__(negatives, name)
        if negatives < 0:
            raise InputError(f"negatives is {negatives}: give how many each anchor has, 0 or more")
        self.scale = checked_scale(scale)

    def terms(self, targets: tf.Tensor, embeddings: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        vectors = unit(embeddings)
        # [B, H] x [(1 + N) * B, H] -> [B, (1 + N) * B]
        candidates = tf.reshape(vectors[1:], [-1, vectors.shape[-1]])
        logits = self.scale * tf.matmul(vectors[0], candidates, transpose_b=True)
        logits = tf.where(_not_negatives(targets), MASKED, logits)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.range(tf.shape(logits)[0]), logits=logits)
        return losses, tf.ones_like(losses)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "negatives": self.negatives, "scale": self.scale}


def _not_negatives(ids: tf.Tensor) -> tf.Tensor:
    """Whether a candidate counts for nothing beside an anchor: ids `[2 + N, B]` -> bool `[B, (1 + N) * B]`."""
    anchors, positives, candidates = ids[0], ids[1], tf.reshape(ids[1:], [-1])
    same_text = (candidates == anchors[:, tf.newaxis]) | (candidates == positives[:, tf.newaxis])
    same_anchor = anchors == anchors[:, tf.newaxis]
    others = tf.zeros([tf.shape(anchors)[0], tf.size(candidates) - tf.size(anchors)], tf.bool)
    # Its own positive, on the diagonal, always counts.
    masked = same_text | tf.concat([same_anchor, others], axis=1)
    return tf.linalg.set_diag(masked, tf.zeros_like(anchors, tf.bool))
