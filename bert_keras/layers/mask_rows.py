"""Hidden states without those of the padding. B batch, L length, H hidden."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="bert_keras")
class MaskRows(keras.layers.Layer):
    """0 in the rows of padding, as DeBERTa has its embeddings (microsoft/DeBERTa `ops.py`, `MaskedLayerNorm`).

    Call:
        hidden_states: `[B, L, H]`.
        padding_mask: `[B, L]`, 1 text, 0 padding.
        Returns `[B, L, H]`.
    """

    def call(self, hidden_states: Any, padding_mask: Any) -> Any:
        return hidden_states * ops.cast(ops.cast(padding_mask, "bool"), self.compute_dtype)[..., None]

    def compute_output_spec(self, hidden_states: Any, padding_mask: Any) -> Any:
        return keras.KerasTensor(hidden_states.shape, self.compute_dtype)
