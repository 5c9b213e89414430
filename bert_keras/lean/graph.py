"""The inference graph of a phone: one text of any length, nothing that inference does not need.

L length, R rows that ask, H hidden, A heads, D head width.

What differs from the Keras model, with equal results: hidden states are `[L, H]`; query, key and value are one product,
with the scale of scores folded into the query; the first segment is folded into the positions; a head that reads some
rows makes the last block compute those only.
"""

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from bert_keras.config import EncoderConfig
from bert_keras.lean.disentangled import RelativeScores, convolve
from bert_keras.lean.head import LeanHead
from bert_keras.lean.operations import Operations, activation, merge_heads, split_heads
from bert_keras.lean.weights import splits_query

# Added to the scores of padding. exp(-1e4) is exactly 0 in float32, and -1e4 fits into float16, where runtimes that
# compute in half precision would turn -1e9 into -inf and a row that is all padding into NaN.
_MASKED = -1e4


def lean_graph(
    weights: Mapping[str, Any], config: EncoderConfig, head: LeanHead, max_length: int
) -> Callable[..., dict[str, Any]]:
    """The forward pass of one text as a Python function of TensorFlow operations that LiteRT has.

    Args:
        weights: name of `graph_weights` -> tensor.
        config: of the encoder.
        head: of the task.
        max_length: the longest L that is computed; a longer text loses tokens before its last one, the `[SEP]`.

    Returns:
        A function of `ids`, `mask` and, where the config has segments, `segment_ids`, int32 `[1, L]`, and
        `masked_positions` `[1, K]` where the head reads those, to a dict of the head's outputs.
    """
    ops = Operations(weights, config.layer_norm_eps)
    last = config.num_hidden_layers - 1

    def cut(x: Any) -> Any:
        return tf.reshape(tf.concat([x[:, :-1][:, : max_length - 1], x[:, -1:]], axis=1), [-1])

    def forward(ids: Any, mask: Any, segment_ids: Any = None, masked_positions: Any = None) -> dict[str, Any]:
        def asking(x: Any) -> Any:
            return tf.gather(x, tf.reshape(masked_positions, [-1])) if head.masked_only else x[:1]

        ids, mask = cut(ids), cut(mask)
        x = embeddings = _embed(ops, config, ids, mask, None if segment_ids is None else cut(segment_ids))
        mask = tf.cast(mask, tf.float32)
        bias = tf.reshape((1.0 - mask) * _MASKED, [1, 1, 1, -1])
        relative = None if config.disentangled is None else RelativeScores(ops, config, tf.shape(ids)[0])
        for i in range(config.num_hidden_layers):
            block = i * config.num_blocks // config.num_hidden_layers
            rows = asking(x) if i == last and head.asks_few(config) else x
            query, key, value = _attention_inputs(
                ops, f"block_{block}", rows, x, apart=splits_query(config, head, block)
            )
            query, key, value = (split_heads(each, config.num_attention_heads) for each in (query, key, value))
            scores = tf.matmul(query, key, transpose_b=True) + bias  # [1, A, R, L]
            if relative is not None:
                scores += (relative if rows is x else relative.of_first)(f"block_{block}", query, key)
            context = merge_heads(tf.matmul(tf.nn.softmax(scores), value))
            x = _after_attention(ops, config, f"block_{block}", rows, context)
            if i == 0 and config.disentangled is not None and config.disentangled.conv_kernel_size:
                x = convolve(ops, config, embeddings, x, tf.reshape(mask, [-1, 1]))
        if head.masked_only and not head.asks_few(config):
            x = asking(x)
        return head.forward(ops, config, x, mask)

    return forward


def _embed(ops: Operations, config: EncoderConfig, ids: Any, mask: Any, segment_ids: Any) -> Any:
    """`[L, H]` of ids, mask and segment ids, int32 `[L]`."""
    x = ops.rows("token_table", ids)
    if "position_table" in ops.weights:
        x += ops.rows("position_table", _positions(config, mask))
    if "segment_step" in ops.weights:
        x += tf.cast(tf.reshape(segment_ids, [-1, 1]), tf.float32) * ops.weights["segment_step"]
    if "segment_table" in ops.weights:
        x += ops.rows("segment_table", segment_ids)
    x = ops.layer_norm(x, "embeddings")
    return x if config.embedding_size is None else ops.dense(x, "projection")


def _positions(config: EncoderConfig, mask: Any) -> Any:
    if not config.position_offset:
        return tf.range(tf.shape(mask)[0])
    return tf.cumsum(mask) * mask + (config.position_offset - 1)


def _attention_inputs(ops: Operations, block: str, rows: Any, x: Any, apart: bool) -> list[Any]:
    """Query of the rows `[R, H]` that ask, key and value of all, `[R, H]` and `[L, H]`."""
    if not apart:
        return tf.split(ops.dense(x, f"{block}_qkv"), 3, axis=-1)
    query = ops.dense(rows, f"{block}_q")
    return [query, *tf.split(ops.dense(x, f"{block}_kv"), 2, axis=-1)]


def _after_attention(ops: Operations, config: EncoderConfig, block: str, x: Any, context: Any) -> Any:
    x = ops.layer_norm(x + ops.dense(context, f"{block}_context"), f"{block}_attention")
    hidden = activation(config.hidden_act)(ops.dense(x, f"{block}_intermediate"))
    return ops.layer_norm(x + ops.dense(hidden, f"{block}_output"), f"{block}_output")
