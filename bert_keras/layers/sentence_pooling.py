"""One vector a text. B batch, L length, H hidden, E dimensions that are kept."""

from typing import Any

import keras
from keras import ops

from bert_keras.errors import InputError, whole_number, yes_or_no

POOLINGS = ("mean", "first", "max")


@keras.saving.register_keras_serializable(package="bert_keras")
class SentencePooling(keras.layers.Layer):
    """The hidden states of a text as one vector (Reimers, Gurevych 2019).

    Args:
        pooling: `mean` or `max` over the mask, or the `first` token.
        normalize: scale to unit length.
        dimensions: how many of the vector's numbers are kept, before scaling; all if None (Kusupati et al. 2022).
        max_length: tokens that are read of a text where nobody says otherwise; the encoder's longest if None. Kept for
            those who make rows of texts: the layer takes any length.

    Call:
        hidden_states: `[B, L, H]`.
        padding_mask: `[B, L]`; 1 marks text, 0 padding.
        Returns `[B, E]` float32; zeros for a row that is all padding.

    Raises:
        InputError: no such pooling, `normalize` is neither true nor false, or another is no whole number, 1 or more.
    """

    def __init__(
        self,
        pooling: str = "mean",
        normalize: bool = True,
        dimensions: int | None = None,
        max_length: int | None = None,
        **kwargs: Any,
    ):
        super().__init__(**{"dtype": "float32", **kwargs})
        if pooling not in POOLINGS:
            raise InputError(f"pooling is {pooling!r}: choose one of {', '.join(POOLINGS)}")
        self.pooling = pooling
        self.normalize = yes_or_no(normalize, "normalize")
        self.dimensions = None if dimensions is None else whole_number(dimensions, "dimensions")
        self.max_length = None if max_length is None else whole_number(max_length, "max_length")

    def call(self, hidden_states: Any, padding_mask: Any) -> Any:
        states = ops.cast(hidden_states, "float32")[..., : self.dimensions]
        mask = ops.cast(ops.cast(padding_mask, "bool"), "float32")[:, :, None]
        if self.pooling == "first":
            pooled = states[:, 0] * mask[:, 0]
        elif self.pooling == "max":
            # Nothing is lower than what padding is set to; rows without text become 0.
            pooled = ops.max(ops.where(mask > 0, states, float("-inf")), axis=1)
            pooled = ops.where(ops.sum(mask, axis=1) > 0, pooled, 0.0)
        else:
            pooled = ops.sum(states * mask, axis=1) / ops.maximum(ops.sum(mask, axis=1), 1.0)
        if not self.normalize:
            return pooled
        # 1e-12 keeps a vector of zeros at 0, not 0/0.
        return pooled / ops.maximum(ops.sqrt(ops.sum(pooled * pooled, axis=-1, keepdims=True)), 1e-12)

    def compute_output_spec(self, hidden_states: Any, padding_mask: Any) -> Any:
        width = hidden_states.shape[-1]
        return keras.KerasTensor((hidden_states.shape[0], min(width, self.dimensions or width)), "float32")
