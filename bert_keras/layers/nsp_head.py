"""The head of next sentence prediction. B batch, H hidden."""

from typing import Any

import keras

from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class NspHead(keras.layers.Layer):
    """Two logits over the pooled output: column 0 = B follows A, column 1 = B is random (Devlin et al. 2018).

    Args:
        initializer_range: standard deviation of the kernel at the start.

    Call:
        pooled_output: `[B, H]`.
        Returns logits `[B, 2]`, float32 under every precision policy.
    """

    def __init__(self, initializer_range: float, **kwargs: Any):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.dense = keras.layers.Dense(
            2, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name="dense"
        )

    def build(self, pooled_output_shape: Any) -> None:
        self.dense.build(pooled_output_shape)
        self.built = True

    def call(self, pooled_output: Any) -> Any:
        return self.dense(pooled_output)
