"""A loss of embeddings that may be cut. M texts, H hidden."""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.losses.embedding_loss import EmbeddingLoss, unit


@keras.saving.register_keras_serializable(package="bert_keras")
class Matryoshka(keras.losses.Loss):
    """The mean of another loss over the first numbers of the embeddings, so many for each size, at length 1 again.

    Source: Kusupati et al. 2022; sentence-transformers `MatryoshkaLoss` (the sum of the same losses).

    Args:
        loss: a loss of embeddings, such as `InfoNce`.
        sizes: how many numbers are kept, such as `[384, 256, 128, 64]`.
        name: the loss's name.

    Raises:
        InputError: no sizes, or one that is not above 0.
    """

    def __init__(self, loss: EmbeddingLoss, sizes: Sequence[int], name: str = "matryoshka"):
        super().__init__(name=name, reduction="mean_with_sample_weight", dtype="float32")
        self.loss, self.sizes = loss, list(sizes)
        if not self.sizes or min(self.sizes) < 1:
            raise InputError(f"sizes is {self.sizes}: give how many numbers are kept, such as [384, 128]")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> tf.Tensor:
        """Return the mean loss, a float32 scalar.

        Args:
            y_true: `[M]`, as the loss takes it.
            y_pred: embeddings `[M, H]`.
            sample_weight: not supported.

        Raises:
            InputError: a size is more than H, or what the loss refuses.
        """
        embeddings = tf.cast(tf.convert_to_tensor(y_pred), tf.float32)
        if max(self.sizes) > embeddings.shape[-1]:
            raise InputError(
                f"sizes has {max(self.sizes)}, but the embeddings have only {embeddings.shape[-1]} numbers"
            )
        losses = [self.loss(y_true, unit(embeddings[:, :size]), sample_weight) for size in self.sizes]
        return tf.add_n(losses) / len(losses)

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "loss": keras.losses.serialize(self.loss), "sizes": self.sizes}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Matryoshka":
        return cls(**{**config, "loss": keras.losses.deserialize(config["loss"])})
