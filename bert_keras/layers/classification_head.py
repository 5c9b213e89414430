"""The head of text classification. B batch, H hidden, C classes."""

from typing import Any

import keras

from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class ClassificationHead(keras.layers.Layer):
    """Dropout and a dense layer over the pooled output (Devlin et al. 2018, section 4.1).

    Args:
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        pooled_output: `[B, H]`.
        Returns logits `[B, C]`, float32 under every precision policy.
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

    def build(self, pooled_output_shape: Any) -> None:
        self.dense.build(pooled_output_shape)
        self.built = True

    def call(self, pooled_output: Any, training: bool | None = None) -> Any:
        return self.dense(self.dropout(pooled_output, training=training))
