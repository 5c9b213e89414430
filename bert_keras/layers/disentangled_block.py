"""One block of DeBERTa. B batch, L length, R rows to compute, H hidden, A heads, I intermediate, 2k positions."""

from collections.abc import Sequence
from typing import Any

import keras

from bert_keras.layers.disentangled_attention import DisentangledAttention
from bert_keras.layers.encoder_block import Block


@keras.saving.register_keras_serializable(package="bert_keras")
class DisentangledBlock(Block):
    """Attention by content and relative position, then what follows in every block (He et al. 2020, section 3).

    Args:
        hidden_size: H.
        num_heads: A.
        intermediate_size: I.
        hidden_act: activation of the feed-forward network, by its name in config.json.
        dropout: rate after each sublayer and on the relative positions.
        attention_dropout: rate on the attention probabilities.
        layer_norm_eps: epsilon of both LayerNorms.
        initializer_range: standard deviation of the kernels at the start.
        max_relative_positions, position_buckets, pos_att_type, share_att_key, key_bias: of `DisentangledAttention`.

    Call:
        hidden_states: `[B, L, H]`, the rows to look at.
        bias: `[B, 1, 1, L]`, added to the attention scores in float32.
        relative: `[2k, H]`, of `RelativePositions`.
        queries: `[B, R, H]`, the rows to compute; those of `hidden_states` when left out.
        query_positions: `[B, R]` int, where the queries stand; 0 to R - 1 when left out.
        return_attention: also return the attention probabilities `[B, A, R, L]`.
        Returns `[B, R, H]`.
    """

    def __init__(
        self,
        hidden_size: int,
        num_heads: int,
        intermediate_size: int,
        hidden_act: str,
        dropout: float,
        attention_dropout: float,
        layer_norm_eps: float,
        initializer_range: float,
        max_relative_positions: int,
        position_buckets: int,
        pos_att_type: Sequence[str],
        share_att_key: bool,
        key_bias: bool,
        **kwargs: Any,
    ):
        attention = DisentangledAttention(
            hidden_size,
            num_heads,
            attention_dropout,
            dropout,
            max_relative_positions,
            position_buckets,
            pos_att_type,
            share_att_key,
            key_bias,
            initializer_range,
            dtype=kwargs.get("dtype"),
            name="attention",
        )
        super().__init__(
            attention,
            hidden_size,
            intermediate_size,
            hidden_act,
            dropout,
            layer_norm_eps,
            initializer_range,
            **kwargs,
        )

    def call(
        self,
        hidden_states: Any,
        bias: Any,
        relative: Any,
        queries: Any = None,
        query_positions: Any = None,
        return_attention: bool = False,
        training: bool | None = None,
    ) -> Any:
        queries = hidden_states if queries is None else queries
        attended, probabilities = self.attention(
            queries, hidden_states, bias, relative, query_positions, training=training
        )
        output = self.after_attention(queries, attended, training)
        return (output, probabilities) if return_attention else output

    def compute_output_spec(
        self,
        hidden_states: Any,
        bias: Any,
        relative: Any,
        queries: Any = None,
        query_positions: Any = None,
        return_attention: bool = False,
        training: bool | None = None,
    ) -> Any:
        return self.output_spec(hidden_states, queries, return_attention)
