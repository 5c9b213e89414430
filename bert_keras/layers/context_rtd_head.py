"""The head of DeBERTa v3's discriminator. B batch, L length, H hidden."""

from typing import Any

import keras

from bert_keras.layers.layer_norm import LayerNorm
from bert_keras.layers.rtd_head import RtdHead


@keras.saving.register_keras_serializable(package="bert_keras")
class ContextRtdHead(RtdHead):
    """ELECTRA's head over LayerNorm(h + h_first): each token beside the text's first (He et al. 2021).

    Source: microsoft/DeBERTa `replaced_token_detection_model.py`.

    Args:
        hidden_size: H.
        hidden_act: activation between the two layers, by its name in config.json.
        initializer_range: standard deviation of the kernels at the start.
        layer_norm_eps: epsilon of the LayerNorm.

    Call:
        sequence_output: `[B, L, H]`.
        Returns logits `[B, L]`, float32 under every precision policy.
    """

    def __init__(
        self, hidden_size: int, hidden_act: str, initializer_range: float, layer_norm_eps: float, **kwargs: Any
    ):
        super().__init__(hidden_size, hidden_act, initializer_range, **kwargs)
        self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")

    def build(self, sequence_output_shape: Any) -> None:
        self.layer_norm.build(sequence_output_shape)
        super().build(sequence_output_shape)

    def call(self, sequence_output: Any) -> Any:
        return super().call(self.layer_norm(sequence_output[:, :1] + sequence_output))
