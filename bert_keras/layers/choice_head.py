"""The head of multiple choice. B batch, C choices, L length, H hidden."""

from typing import Any

import keras
import tensorflow as tf

from bert_keras.layers.initializer import truncated_normal

# The exponential of its distance to any logit is 0 in float32.
_NO_CHOICE = -1e9


@keras.saving.register_keras_serializable(package="bert_keras")
class ChoiceHead(keras.layers.Layer):
    """Dropout and a logit for each choice (Devlin et al. 2018, section 4.4).

    Prompts of one batch may have different numbers of choices: a choice without a token fills the batch up. Its logit
    is so low that its probability is 0, whatever the weights.

    Args:
        dropout: rate on the pooled output.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        pooled_output: `[B·C, H]`.
        padding_mask: `[B, C, L]`, 1 text, 0 padding.
        Returns logits `[B, C]`, float32 under every precision policy.
    """

    def __init__(self, dropout: float, initializer_range: float, **kwargs: Any):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.dense = keras.layers.Dense(
            1, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name="dense"
        )

    def build(self, pooled_output_shape: Any, padding_mask_shape: Any = None) -> None:
        self.dense.build(pooled_output_shape)
        self.built = True

    def call(self, pooled_output: Any, padding_mask: Any, training: bool | None = None) -> Any:
        logits = self.dense(self.dropout(pooled_output, training=training))
        is_choice = tf.reduce_any(tf.not_equal(padding_mask, 0), axis=-1)  # [B, C]
        return tf.where(is_choice, tf.reshape(logits, tf.shape(is_choice)), _NO_CHOICE)

    def compute_output_spec(self, pooled_output: Any, padding_mask: Any, training: bool | None = None) -> Any:
        return keras.KerasTensor(padding_mask.shape[:2], self.compute_dtype)
