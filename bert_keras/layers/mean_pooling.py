"""One vector a text. B batch, L length, H hidden."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="bert_keras")
class MeanPooling(keras.layers.Layer):
    """The mean of the hidden states over the mask, scaled to unit length (Reimers, Gurevych 2019).

    Call:
        hidden_states: `[B, L, H]`.
        padding_mask: `[B, L]`; 1 marks text, 0 padding.
        Returns `[B, H]` float32 of length 1; zeros for a row that is all padding.
    """

    def __init__(self, **kwargs: Any):
        super().__init__(**{"dtype": "float32", **kwargs})

    def call(self, hidden_states: Any, padding_mask: Any) -> Any:
        mask = ops.cast(ops.cast(padding_mask, "bool"), "float32")[:, :, None]
        total = ops.sum(ops.cast(hidden_states, "float32") * mask, axis=1)
        # The mean's divisor cancels in the scaling; 1e-12 keeps an empty text at 0, not 0/0.
        return total / ops.maximum(ops.sqrt(ops.sum(total * total, axis=-1, keepdims=True)), 1e-12)

    def compute_output_spec(self, hidden_states: Any, padding_mask: Any) -> Any:
        return keras.KerasTensor((hidden_states.shape[0], hidden_states.shape[-1]), "float32")
