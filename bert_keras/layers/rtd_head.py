"""The head of ELECTRA's discriminator. B batch, L length, H hidden."""

from typing import Any

import keras

from bert_keras.layers.activation import activation
from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class RtdHead(keras.layers.Layer):
    """A logit of each token: was it replaced? act(h W + b) w + c (Clark et al. 2020, section 2).

    Args:
        hidden_size: H.
        hidden_act: activation between the two layers, by its name in config.json.
        initializer_range: standard deviation of the kernels at the start.

    Call:
        sequence_output: `[B, L, H]`.
        Returns logits `[B, L]`, float32 under every precision policy.
    """

    def __init__(self, hidden_size: int, hidden_act: str, initializer_range: float, **kwargs: Any):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.activation = activation(hidden_act)
        self.transform, self.dense = (
            keras.layers.Dense(
                width, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name=name
            )
            for name, width in (("transform", hidden_size), ("dense", 1))
        )

    def build(self, sequence_output_shape: Any) -> None:
        self.transform.build(sequence_output_shape)
        self.dense.build(sequence_output_shape)
        self.built = True

    def call(self, sequence_output: Any) -> Any:
        return self.dense(self.activation(self.transform(sequence_output)))[..., 0]
