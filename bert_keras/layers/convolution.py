"""The convolution beside DeBERTa's first block. B batch, L length, H hidden, K width."""

from typing import Any

import keras
import tensorflow as tf
from keras import ops

from bert_keras.errors import InputError
from bert_keras.layers.activation import activation
from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.layer_norm import LayerNorm


@keras.saving.register_keras_serializable(package="bert_keras")
class Convolution(keras.layers.Layer):
    """LayerNorm(block + act(embeddings * kernel + b)), 0 in rows of padding (microsoft/DeBERTa `bert.py`, `ConvLayer`).

    Args:
        hidden_size: H.
        kernel_size: K, odd.
        conv_act: activation, by its name in config.json.
        dropout: rate before the activation.
        layer_norm_eps: epsilon of the LayerNorm.
        initializer_range: standard deviation of the kernel at the start.

    Call:
        embeddings: `[B, L, H]`, what entered the first block, 0 in rows of padding.
        hidden_states: `[B, L, H]`, what the first block gave.
        padding_mask: `[B, L]`, 1 text, 0 padding.
        Returns `[B, L, H]`.

    Raises:
        InputError: an even K, which has no middle.
    """

    def __init__(
        self,
        hidden_size: int,
        kernel_size: int,
        conv_act: str,
        dropout: float,
        layer_norm_eps: float,
        initializer_range: float,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        if kernel_size % 2 == 0:
            raise InputError(f"config: conv_kernel_size is {kernel_size}; it must be odd")
        self.shape = (kernel_size, hidden_size, hidden_size)
        self.activation, self.initializer_range = activation(conv_act), initializer_range
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")

    def build(self, embeddings_shape: Any, *other_shapes: Any) -> None:
        initializer = truncated_normal(self.initializer_range)
        self.kernel = self.add_weight(name="kernel", shape=self.shape, initializer=initializer)
        self.bias = self.add_weight(name="bias", shape=self.shape[-1:], initializer="zeros")
        self.layer_norm.build((None, None, self.shape[-1]))
        self.built = True

    def call(self, embeddings: Any, hidden_states: Any, padding_mask: Any, training: bool | None = None) -> Any:
        keep = ops.cast(ops.cast(padding_mask, "bool"), self.compute_dtype)[..., None]
        kernel, bias = (ops.cast(ops.convert_to_tensor(v), self.compute_dtype) for v in (self.kernel, self.bias))
        convolved = (tf.nn.conv1d(embeddings, kernel, 1, "SAME") + bias) * keep
        convolved = self.activation(self.dropout(convolved, training=training))
        return self.layer_norm(hidden_states + convolved) * keep

    def compute_output_spec(
        self, embeddings: Any, hidden_states: Any, padding_mask: Any, training: bool | None = None
    ) -> Any:
        return keras.KerasTensor(embeddings.shape, self.compute_dtype)
