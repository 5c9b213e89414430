"""The operations of a phone's graph, all of which LiteRT has.

L rows, M inputs and N outputs of a product, H hidden, A heads, D head width.
"""

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf


class Operations:
    """Layers over weights by their names: `NAME_kernel` `[N, M]` and `NAME_bias`, `NAME_gamma` and `NAME_beta`.

    Args:
        weights: name -> tensor.
        epsilon: of every LayerNorm.
    """

    def __init__(self, weights: Mapping[str, Any], epsilon: float):
        self.weights, self.epsilon = weights, epsilon

    def dense(self, x: Any, name: str) -> Any:
        """`[L, M]` to `[L, N]`."""
        product = tf.matmul(x, self.weights[f"{name}_kernel"], transpose_b=True)
        return tf.nn.bias_add(product, self.weights[f"{name}_bias"])

    def layer_norm(self, x: Any, name: str) -> Any:
        """LayerNorm over the last axis."""
        mean = tf.reduce_mean(x, axis=-1, keepdims=True)
        variance = tf.reduce_mean(tf.math.squared_difference(x, mean), axis=-1, keepdims=True)
        unit = (x - mean) * tf.math.rsqrt(variance + self.epsilon)
        return unit * self.weights[f"{name}_gamma"] + self.weights[f"{name}_beta"]

    def rows(self, name: str, indices: Any) -> Any:
        """Rows of a table at int32 `[L]`."""
        return tf.gather(self.weights[name], indices)


def split_heads(x: Any, heads: int) -> Any:
    """`[L, H]` to `[1, A, L, D]`."""
    # One -1 a shape and a transpose for each tensor: with two unknown sizes, or one transpose in five dimensions, the
    # converter or the runtime falls back to slower operations.
    return tf.transpose(tf.reshape(x, [1, -1, heads, x.shape[-1] // heads]), [0, 2, 1, 3])


def merge_heads(x: Any) -> Any:
    """`[1, A, L, D]` to `[L, H]`."""
    return tf.reshape(tf.transpose(x, [0, 2, 1, 3]), [-1, x.shape[1] * x.shape[3]])


def activation(name: str) -> Callable[[Any], Any]:
    """The function of an activation's name in config.json."""
    return {
        "gelu": lambda x: tf.nn.gelu(x, approximate=False),
        "gelu_new": lambda x: tf.nn.gelu(x, approximate=True),
        "gelu_pytorch_tanh": lambda x: tf.nn.gelu(x, approximate=True),
        "relu": tf.nn.relu,
        "silu": lambda x: x * tf.sigmoid(x),
        "swish": lambda x: x * tf.sigmoid(x),
        "tanh": tf.tanh,
    }[name]
