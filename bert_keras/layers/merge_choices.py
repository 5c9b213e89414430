"""Makes a row of every choice. B batch, C choices, L length."""

from typing import Any

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable(package="bert_keras")
class MergeChoices(keras.layers.Layer):
    """From `[B, C, L]` to `[B·C, L]`, so that the encoder reads each choice by itself.

    Call:
        x: `[B, C, L]`.
        Returns `[B·C, L]`.
    """

    def call(self, x: Any) -> Any:
        return tf.reshape(x, [-1, tf.shape(x)[2]])

    def compute_output_spec(self, x: Any) -> Any:
        return keras.KerasTensor((None, x.shape[2]), x.dtype)
