"""Layer normalization. N rows, H hidden."""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf
from keras import ops


@keras.saving.register_keras_serializable(package="bert_keras")
class LayerNorm(keras.layers.Layer):
    """γ (x − μ) / √(σ² + ε) + β over the last axis, in float32 under every precision policy (Ba et al. 2016).

    Keras' own layer computes x/s − μ/s, s = √(σ² + ε): with ε of 1e-12 a row of like values loses all its digits.
    This one also has its gradient written out, which is faster.

    Args:
        epsilon: ε; it keeps a row of equal values finite.

    Call:
        x: `[..., H]`.
        Returns the same shape.
    """

    def __init__(self, epsilon: float, **kwargs: Any):
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def build(self, input_shape: Any) -> None:
        shape = (input_shape[-1],)
        self.gamma = self.add_weight(name="gamma", shape=shape, initializer="ones", autocast=False)
        self.beta = self.add_weight(name="beta", shape=shape, initializer="zeros", autocast=False)
        self.built = True

    def call(self, x: Any) -> Any:
        gamma, beta = (ops.cast(ops.convert_to_tensor(v), "float32") for v in (self.gamma, self.beta))
        normalized = _layer_norm(ops.cast(x, "float32"), gamma, beta, self.epsilon)
        return ops.cast(normalized, self.compute_dtype)

    def compute_output_spec(self, x: Any) -> Any:
        return keras.KerasTensor(x.shape, self.compute_dtype)


def _layer_norm(x: tf.Tensor, gamma: tf.Tensor, beta: tf.Tensor, epsilon: float) -> tf.Tensor:
    @tf.custom_gradient
    def forward(x: tf.Tensor, gamma: tf.Tensor, beta: tf.Tensor) -> tuple[tf.Tensor, Callable]:
        centred = x - tf.reduce_mean(x, -1, keepdims=True)
        inverse = tf.math.rsqrt(tf.reduce_mean(tf.square(centred), -1, keepdims=True) + epsilon)
        unit = centred * inverse

        def backward(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            rows = list(range(len(x.shape) - 1))
            scaled = upstream * gamma
            # What moves the mean or the deviation of a row is taken out: the output does not depend on them.
            through_mean = tf.reduce_mean(scaled, -1, keepdims=True)
            through_deviation = unit * tf.reduce_mean(scaled * unit, -1, keepdims=True)
            gradient = (scaled - through_mean - through_deviation) * inverse
            return gradient, tf.reduce_sum(upstream * unit, rows), tf.reduce_sum(upstream, rows)

        return unit * gamma + beta, backward

    return forward(x, gamma, beta)
