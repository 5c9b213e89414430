"""The head of masked language modeling. B batch, K masked positions, H hidden, E width of the tables, V vocabulary."""

from typing import Any

import keras
from keras import ops

from bert_keras.layers.activation import activation
from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.layer_norm import LayerNorm


@keras.saving.register_keras_serializable(package="bert_keras")
class MlmHead(keras.layers.Layer):
    """LayerNorm(act(h W + b)) Tᵀ + c over the masked positions only, T the token table (Devlin et al. 2018).

    Args:
        vocab_size: V.
        hidden_size: H.
        width: E.
        hidden_act: activation of the transform, by its name in config.json.
        layer_norm_eps: epsilon of the transform's LayerNorm.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        rows: `[B, K, H]`, the hidden states of the masked positions.
        token_table: `[V, E]`.
        Returns logits `[B, K, V]`.
    """

    def __init__(
        self,
        vocab_size: int,
        hidden_size: int,
        width: int,
        hidden_act: str,
        layer_norm_eps: float,
        initializer_range: float,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.vocab_size, self.hidden_size, self.width = vocab_size, hidden_size, width
        self.activation = activation(hidden_act)
        self.transform = keras.layers.Dense(
            width,
            kernel_initializer=truncated_normal(initializer_range),
            dtype=self.dtype_policy,
            name="transform",
        )
        self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")

    def build(self, rows_shape: Any, token_table_shape: Any = None) -> None:
        self.transform.build((None, self.hidden_size))
        self.layer_norm.build((None, self.width))
        self.bias = self.add_weight(name="bias", shape=(self.vocab_size,), initializer="zeros")
        self.built = True

    def call(self, rows: Any, token_table: Any) -> Any:
        hidden = self.layer_norm(self.activation(self.transform(ops.reshape(rows, (-1, self.hidden_size)))))
        logits = ops.matmul(hidden, ops.transpose(token_table)) + self.bias
        return ops.reshape(logits, (-1, ops.shape(rows)[1], self.vocab_size))

    def compute_output_spec(self, rows: Any, token_table: Any) -> Any:
        return keras.KerasTensor((*rows.shape[:2], self.vocab_size), self.compute_dtype)
