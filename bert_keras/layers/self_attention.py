"""Multi-head self-attention. B batch, L length, R rows that ask, H hidden, A heads, D = H/A."""

from typing import Any

import keras
import tensorflow as tf
from keras import ops

from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class SelfAttention(keras.layers.Layer):
    """softmax(QKᵀ/√D + bias)V for each head, concatenated and projected (Vaswani et al. 2017, section 3.2).

    Args:
        hidden_size: H.
        num_heads: A.
        dropout: rate on the attention probabilities.
        initializer_range: standard deviation of the kernels at the start.

    Call:
        queries: `[B, R, H]`, the rows to compute.
        keys: `[B, L, H]`, the rows to look at.
        bias: `[B, 1, 1, L]`, added to the scores in float32.
        Returns `[B, R, H]` and the probabilities `[B, A, R, L]` (float32, before dropout).
    """

    def __init__(self, hidden_size: int, num_heads: int, dropout: float, initializer_range: float, **kwargs: Any):
        super().__init__(**kwargs)
        self.hidden_size, self.num_heads = hidden_size, num_heads
        self.query, self.key, self.value, self.output_dense = (
            keras.layers.Dense(
                hidden_size, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name=name
            )
            for name in ("query", "key", "value", "output")
        )
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")

    def build(self, queries_shape: Any, keys_shape: Any = None, bias_shape: Any = None) -> None:
        for dense in (self.query, self.key, self.value, self.output_dense):
            dense.build((None, self.hidden_size))
        self.built = True

    def call(self, queries: Any, keys: Any, bias: Any, training: bool | None = None) -> tuple[Any, Any]:
        rows, length = ops.shape(queries)[1], ops.shape(keys)[1]
        # Products run on flat [B·L, H]: one matrix product each, forward and backward.
        queries, keys = ops.reshape(queries, (-1, self.hidden_size)), ops.reshape(keys, (-1, self.hidden_size))
        scale = (self.hidden_size // self.num_heads) ** -0.5
        query = self._heads(self.query(queries) * scale, rows)  # [B, A, R, D]
        key, value = self._heads(self.key(keys), length), self._heads(self.value(keys), length)  # [B, A, L, D]
        scores = ops.cast(ops.matmul(query, ops.swapaxes(key, -1, -2)), "float32") + ops.cast(bias, "float32")
        # Not Keras' own, which warns of a text of one token.
        probabilities = tf.nn.softmax(scores)  # [B, A, R, L]
        kept = self.dropout(ops.cast(probabilities, self.compute_dtype), training=training)
        context = ops.transpose(ops.matmul(kept, value), (0, 2, 1, 3))  # [B, R, A, D]
        output = self.output_dense(ops.reshape(context, (-1, self.hidden_size)))
        return ops.reshape(output, (-1, rows, self.hidden_size)), probabilities

    def _heads(self, x: Any, length: Any) -> Any:
        head_width = self.hidden_size // self.num_heads
        return ops.transpose(ops.reshape(x, (-1, length, self.num_heads, head_width)), (0, 2, 1, 3))

    def compute_output_spec(self, queries: Any, keys: Any, bias: Any, training: bool | None = None) -> Any:
        batch, rows, _ = queries.shape
        return (
            keras.KerasTensor(queries.shape, self.compute_dtype),
            keras.KerasTensor((batch, self.num_heads, rows, keys.shape[1]), "float32"),
        )
