"""DeBERTa v3's head of replaced token detection. B batch, L length, H hidden."""

from typing import Any

import keras
from keras import ops

from bert_keras.layers.activation import activation
from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.layer_norm import LayerNorm


@keras.saving.register_keras_serializable(package="bert_keras")
class ContextRtdHead(keras.layers.Layer):
    """One logit a token: act(LayerNorm(h + h_first) W + b) · w + c, positive where the token was replaced.

    Source: He et al. 2021 (DeBERTa v3), microsoft/DeBERTa `replaced_token_detection_model.py`.

    Args:
        hidden_size: H.
        hidden_act: activation of the transform, by its name in config.json.
        layer_norm_eps: epsilon of the LayerNorm.
        initializer_range: standard deviation of the kernels at the start.

    Call:
        hidden_states: `[B, L, H]`.
        Returns logits `[B, L]`, float32 under every precision policy.
    """

    def __init__(
        self, hidden_size: int, hidden_act: str, layer_norm_eps: float, initializer_range: float, **kwargs: Any
    ):
        super().__init__(**{"dtype": "float32", **kwargs})
        self.hidden_size = hidden_size
        self.activation = activation(hidden_act)
        self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")
        self.transform, self.dense = (
            keras.layers.Dense(
                width, kernel_initializer=truncated_normal(initializer_range), dtype=self.dtype_policy, name=name
            )
            for name, width in (("transform", hidden_size), ("dense", 1))
        )

    def build(self, hidden_states_shape: Any) -> None:
        for layer in (self.layer_norm, self.transform, self.dense):
            layer.build((None, self.hidden_size))
        self.built = True

    def call(self, hidden_states: Any) -> Any:
        states = self.layer_norm(hidden_states[:, :1] + hidden_states)
        hidden = self.activation(self.transform(ops.reshape(states, (-1, self.hidden_size))))
        return ops.reshape(self.dense(hidden), (-1, ops.shape(hidden_states)[1]))

    def compute_output_spec(self, hidden_states: Any) -> Any:
        return keras.KerasTensor(hidden_states.shape[:2], self.compute_dtype)
