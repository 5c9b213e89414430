"""The text's vector. B batch, R rows, H hidden."""

from typing import Any

import keras

from bert_keras.layers.activation import activation as activation_function
from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class Pooler(keras.layers.Layer):
    """tanh(h_[CLS] W + b) of the first row (google-research/bert `modeling.py`, pooler).

    Args:
        hidden_size: H.
        initializer_range: standard deviation of the kernel at the start.
        activation: its name in config.json, where it is not tanh.
        dropout: rate on the first row.

    Call:
        rows: `[B, R, H]`; the first one is read.
        Returns `[B, H]`.
    """

    def __init__(
        self, hidden_size: int, initializer_range: float, activation: str = "tanh", dropout: float = 0.0, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.hidden_size = hidden_size
        self.activation = activation_function(activation)
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.dense = keras.layers.Dense(
            hidden_size,
            kernel_initializer=truncated_normal(initializer_range),
            dtype=self.dtype_policy,
            name="dense",
        )

    def build(self, rows_shape: Any) -> None:
        self.dense.build((None, self.hidden_size))
        self.built = True

    def call(self, rows: Any, training: bool | None = None) -> Any:
        return self.activation(self.dense(self.dropout(rows[:, 0], training=training)))
