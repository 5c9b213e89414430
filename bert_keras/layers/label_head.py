"""What heads with named classes share. H hidden, C classes."""

from typing import Any

import keras

from bert_keras.layers.initializer import truncated_normal


class LabelHead(keras.layers.Layer):
    """Dropout and a dense layer from vectors `[..., H]` to logits `[..., C]`.

    Args:
        labels: the C names, in the order of the logits.
        dropout: rate on the vectors.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        vectors: `[..., H]`.
        Returns logits `[..., C]`, float32 under every precision policy.
    """

    def __init__(self, labels: list[str], dropout: float, initializer_range: float, **kwargs: Any):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.labels = list(labels)
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.dense = keras.layers.Dense(
            len(labels),
            kernel_initializer=truncated_normal(initializer_range),
            dtype=self.dtype_policy,
            name="dense",
        )

    def build(self, vectors_shape: Any) -> None:
        self.dense.build(vectors_shape)
        self.built = True

    def call(self, vectors: Any, training: bool | None = None) -> Any:
        return self.dense(self.dropout(vectors, training=training))
