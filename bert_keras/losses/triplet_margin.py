"""The loss of triplets. B anchors, N negatives, H hidden."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.losses.embedding_loss import EmbeddingLoss, cosine

DISTANCES = ("cosine", "euclidean")
# Below this squared length the root's gradient would grow without end.
_SHORTEST_SQUARE = 1e-12


@keras.saving.register_keras_serializable(package="bert_keras")
class TripletMargin(EmbeddingLoss):
    """max(0, distance to the positive − distance to the negative + margin), averaged over the negatives.

    A negative that is the same text as its anchor or positive does not count.
    `y_true` is int `[(2 + N) · B]`: ids of the texts, equal for equal texts; `y_pred` is `[(2 + N) · B, H]`: each
    anchor, its positive and its negatives, one after the other.

    Source: Schroff et al. 2015; sentence-transformers `TripletLoss` (there Euclidean with margin 5, for embeddings of
    any length; of unit length they are never 5 apart).

    Args:
        negatives: N, how many negatives each anchor has.
        distance: "cosine" (1 − cosine) or "euclidean".
        margin: how much nearer the positive should be.
        name: the loss's name.

    Raises:
        InputError: there is no such distance, or a number makes no sense.
    """

    def __init__(self, negatives: int = 1, distance: str = "cosine", margin: float = 0.5, name: str = "triplet_margin"):
        super().__init__(negatives, name)
        if negatives < 1:
            raise InputError(f"negatives is {negatives}: a triplet has at least one; InfoNce needs none")
        if distance not in DISTANCES:
            raise InputError(f"distance is {distance!r}: choose one of {', '.join(DISTANCES)}")
        if margin <= 0:
            raise InputError(f"margin is {margin}: give a number over 0")
        self.distance, self.margin = distance, margin

    def terms(self, targets: tf.Tensor, embeddings: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        # [1 + N, B]: to the positive, to each negative
        distances = self._distances(embeddings[0], embeddings[1:])
        losses = tf.nn.relu(distances[0] - distances[1:] + self.margin)
        counted = (targets[2:] != targets[0]) & (targets[2:] != targets[1])
        return losses, tf.cast(counted, tf.float32)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            "negatives": self.negatives,
            "distance": self.distance,
            "margin": self.margin,
        }

    def _distances(self, anchors: tf.Tensor, others: tf.Tensor) -> tf.Tensor:
        if self.distance == "cosine":
            return 1 - cosine(anchors, others)
        squares = tf.reduce_sum(tf.square(anchors - others), axis=-1)
        return tf.sqrt(tf.maximum(squares, _SHORTEST_SQUARE))
