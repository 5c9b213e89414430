"""Selects positions of each text. B batch, L length, R positions, H hidden."""

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="bert_keras")
class GatherRows(keras.layers.Layer):
    """The hidden states at given positions (google-research/bert `gather_indexes`).

    Call:
        hidden_states: `[B, L, H]`.
        positions: `[B, R]` int, each under L.
        Returns `[B, R, H]`.
    """

    def call(self, hidden_states: Any, positions: Any) -> Any:
        return tf.gather(hidden_states, keras.ops.cast(positions, "int32"), batch_dims=1)

    def compute_output_spec(self, hidden_states: Any, positions: Any) -> Any:
        return keras.KerasTensor((*positions.shape, hidden_states.shape[-1]), self.compute_dtype)
