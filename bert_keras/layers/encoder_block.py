"""One encoder block. B batch, L length, R rows to compute, H hidden, A heads, I intermediate."""

from typing import Any

import keras
from keras import ops

from bert_keras.layers.activation import activation
from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.layer_norm import LayerNorm
from bert_keras.layers.self_attention import SelfAttention


class Block(keras.layers.Layer):
    """What follows the attention in every encoder block: residual and LayerNorm, then the feed-forward network.

    Args:
        attention: the attention, named `attention`.
        hidden_size: H.
        intermediate_size: I.
        hidden_act: activation of the feed-forward network, by its name in config.json.
        dropout: rate after each sublayer.
        layer_norm_eps: epsilon of both LayerNorms.
        initializer_range: standard deviation of the kernels at the start.
        attention_output_dropout: rate after the attention's output, where it is another.
    """

    def __init__(
        self,
        attention: keras.layers.Layer,
        hidden_size: int,
        intermediate_size: int,
        hidden_act: str,
        dropout: float,
        layer_norm_eps: float,
        initializer_range: float,
        attention_output_dropout: float | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        policy = self.dtype_policy
        self.hidden_size, self.intermediate_size = hidden_size, intermediate_size
        self.activation = activation(hidden_act)
        self.attention = attention
        self.intermediate, self.output_dense = (
            keras.layers.Dense(width, kernel_initializer=truncated_normal(initializer_range), dtype=policy, name=name)
            for name, width in (("intermediate", intermediate_size), ("output", hidden_size))
        )
        self.attention_layer_norm, self.output_layer_norm = (
            LayerNorm(layer_norm_eps, dtype=policy, name=name) for name in ("attention_layer_norm", "output_layer_norm")
        )
        after_attention = dropout if attention_output_dropout is None else attention_output_dropout
        self.attention_dropout, self.output_dropout = (
            keras.layers.Dropout(rate, dtype=policy, name=name)
            for name, rate in (("attention_dropout", after_attention), ("output_dropout", dropout))
        )

    def build(self, hidden_states_shape: Any, *other_shapes: Any) -> None:
        self.attention.build((None, None, self.hidden_size))
        self.attention_layer_norm.build((None, self.hidden_size))
        self.intermediate.build((None, self.hidden_size))
        self.output_dense.build((None, self.intermediate_size))
        self.output_layer_norm.build((None, self.hidden_size))
        self.built = True

    def after_attention(self, queries: Any, attended: Any, training: bool | None) -> Any:
        """The block's output `[B, R, H]` from its rows and what they attended to, both `[B, R, H]`."""
        flat = (-1, self.hidden_size)  # [B·R, H]: one matrix product each, forward and backward
        attended = self.attention_dropout(ops.reshape(attended, flat), training=training)
        attended = self.attention_layer_norm(ops.reshape(queries, flat) + attended)
        output = self.output_dense(self.activation(self.intermediate(attended)))
        output = self.output_layer_norm(attended + self.output_dropout(output, training=training))
        return ops.reshape(output, (-1, ops.shape(queries)[1], self.hidden_size))

    def output_spec(self, hidden_states: Any, queries: Any, return_attention: bool) -> Any:
        """The symbolic output, with the probabilities if they are asked for."""
        batch, length, _ = hidden_states.shape
        rows = length if queries is None else queries.shape[1]
        output = keras.KerasTensor((batch, rows, self.hidden_size), self.compute_dtype)
        if not return_attention:
            return output
        return output, keras.KerasTensor((batch, self.attention.num_heads, rows, length), "float32")


@keras.saving.register_keras_serializable(package="bert_keras")
class EncoderBlock(Block):
    """Attention and feed-forward network, each with dropout, residual and LayerNorm after it (Devlin et al. 2018).

    The rows to compute can be fewer than the rows to look at: a head that reads the first token needs one.

    Args:
        hidden_size: H.
        num_heads: A.
        intermediate_size: I.
        hidden_act: activation of the feed-forward network, by its name in config.json.
        dropout: rate after each sublayer.
        attention_dropout: rate on the attention probabilities.
        layer_norm_eps: epsilon of both LayerNorms.
        initializer_range: standard deviation of the kernels at the start.
        attention_output_dropout: rate after the attention's output, where it is another.

    Call:
        hidden_states: `[B, L, H]`, the rows to look at.
        bias: `[B, 1, 1, L]`, added to the attention scores in float32.
        queries: `[B, R, H]`, the rows of `hidden_states` to compute; all when left out.
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
        attention_output_dropout: float | None = None,
        **kwargs: Any,
    ):
        attention = SelfAttention(
            hidden_size,
            num_heads,
            attention_dropout,
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
            attention_output_dropout,
            **kwargs,
        )

    def call(
        self,
        hidden_states: Any,
        bias: Any,
        queries: Any = None,
        return_attention: bool = False,
        training: bool | None = None,
    ) -> Any:
        queries = hidden_states if queries is None else queries
        attended, probabilities = self.attention(queries, hidden_states, bias, training=training)
        output = self.after_attention(queries, attended, training)
        return (output, probabilities) if return_attention else output

    def compute_output_spec(
        self,
        hidden_states: Any,
        bias: Any,
        queries: Any = None,
        return_attention: bool = False,
        training: bool | None = None,
    ) -> Any:
        return self.output_spec(hidden_states, queries, return_attention)
