"""The head of multiple choice. B batch, C choices, L length, H hidden."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class ChoiceHead(keras.layers.Layer):
    """Dropout and a logit for each choice (Devlin et al. 2018, section 4.4).

    Args:
        dropout: rate on the pooled output.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        pooled_output: `[B·C, H]`.
        choices: `[B, C, L]`, whose shape tells B and C.
        Returns logits `[B, C]`, float32 under every precision policy.
    """

    def __init__(self, dropout: float, initializer_range: float, **kwargs: Any):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.dense = keras.layers.Dense(
            1, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name="dense"
        )

    def build(self, pooled_output_shape: Any, choices_shape: Any = None) -> None:
        self.dense.build(pooled_output_shape)
        self.built = True

    def call(self, pooled_output: Any, choices: Any, training: bool | None = None) -> Any:
        logits = self.dense(self.dropout(pooled_output, training=training))
        return tf.reshape(logits, tf.shape(choices)[:2])

    def compute_output_spec(self, pooled_output: Any, choices: Any, training: bool | None = None) -> Any:
        return keras.KerasTensor(choices.shape[:2], self.compute_dtype)
