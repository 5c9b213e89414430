"""The loss of pairs with scores. B pairs, H hidden."""

import keras
import tensorflow as tf

from bert_keras.losses.embedding_loss import EmbeddingLoss, cosine


@keras.saving.register_keras_serializable(package="bert_keras")
class CosineRegression(EmbeddingLoss):
    """Mean squared difference of the cosine of each pair and its score.

    `y_true` is float `[2 · B]`: each pair's score, from −1 to 1, twice; `y_pred` is `[2 · B, H]`, the two texts of each
    pair one after the other.

    Source: Reimers and Gurevych 2019, section 3; sentence-transformers `CosineSimilarityLoss`.

    Args:
        name: the loss's name.
    """

    def __init__(self, name: str = "cosine_regression"):
        super().__init__(0, name)

    def terms(self, targets: tf.Tensor, embeddings: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        scores = tf.cast(targets[0], tf.float32)
        errors = tf.square(cosine(embeddings[0], embeddings[1]) - scores)
        return errors, tf.ones_like(errors)
