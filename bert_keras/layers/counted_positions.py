"""Positions that count the tokens of a text alone. B batch, L length."""

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="bert_keras")
class CountedPositions(keras.layers.Layer):
    """Positions offset, offset + 1, ... of a text's tokens and offset - 1 for padding (fairseq `make_positions`).

    Args:
        offset: position of the first token; 1 more than the id of the padding in fairseq's and RoBERTa's models.

    Call:
        padding_mask: `[B, L]` bool, int or float; 1 marks text, 0 padding.
        Returns `[B, L]` int32.
    """

    def __init__(self, offset: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.offset = offset

    def call(self, padding_mask: Any) -> Any:
        text = tf.cast(keras.ops.cast(padding_mask, "bool"), tf.int32)
        return tf.cumsum(text, axis=1) * text + (self.offset - 1)

    def compute_output_spec(self, padding_mask: Any) -> Any:
        return keras.KerasTensor(padding_mask.shape, "int32")
