"""The inference graph of a phone: one text of any length, nothing that inference does not need.

L length, H hidden, A heads, D head width, I intermediate, V vocabulary, T segments, P positions, C classes.

What differs from the Keras model, with equal results: hidden states are `[L, H]`; query, key and value are one product,
with 1/√D folded into the query; segment 0 is folded into the positions; a head that reads the first token makes the
last block compute that row only.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bert_keras.config import EncoderConfig

INPUTS = ("ids", "mask", "segment_ids")
# Added to the scores of padding. exp(-1e4) is exactly 0 in float32, and -1e4 fits into float16, where runtimes that
# compute in half precision would turn -1e9 into -inf and a row that is all padding into NaN.
_MASKED = -1e4

Arrays = dict[str, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Head:
    """What the graph puts out: the names of the outputs, and whether they read the first token alone."""

    outputs: tuple[str, ...]
    first_token_only: bool


HEADS = {
    "text-classification": Head(("probability",), True),
    "next-sentence-prediction": Head(("probability",), True),
    "sentence-similarity": Head(("embedding",), False),
    "feature-extraction": Head(("sequence_output", "pooled_output"), False),
}
_CLASSIFIERS = {"text-classification": "classification_head", "next-sentence-prediction": "nsp_head"}


def graph_weights(variables: Mapping[str, Any], config: EncoderConfig, task: str) -> Arrays:
    """The weights as the graph takes them: float32, matrices `[out, in]`, scale and segment 0 folded in.

    Args:
        variables: path of a Keras variable -> variable or array.
        config: of the encoder.
        task: a key of `HEADS`.
    """

    def value(path: str) -> np.ndarray:
        return np.asarray(variables[path], dtype=np.float32)

    def matrix(path: str) -> np.ndarray:
        return value(f"{path}/kernel").T

    segments = value("embeddings/segment_embedding")
    weights = {
        "token_table": value("embeddings/token_embedding"),
        "position_table": value("embeddings/position_embedding"),
        "embeddings_gamma": value("embeddings/layer_norm/gamma"),
        "embeddings_beta": value("embeddings/layer_norm/beta"),
    }
    if config.type_vocab_size > 2:
        weights["segment_table"] = segments
    else:
        weights["position_table"] = weights["position_table"] + segments[0]
    if config.type_vocab_size == 2:
        weights["segment_step"] = segments[1] - segments[0]

    scale = np.float32((config.hidden_size // config.num_attention_heads) ** -0.5)
    for i in range(config.num_hidden_layers):
        block, attention = f"block_{i}", f"block_{i}/attention"
        query = (matrix(f"{attention}/query") * scale, value(f"{attention}/query/bias") * scale)
        others = [(matrix(f"{attention}/{name}"), value(f"{attention}/{name}/bias")) for name in ("key", "value")]
        if i == config.num_hidden_layers - 1 and HEADS[task].first_token_only:
            weights[f"{block}_q_kernel"], weights[f"{block}_q_bias"] = query
            groups = {f"{block}_kv": others}
        else:
            groups = {f"{block}_qkv": [query, *others]}
        for name, parts in groups.items():
            weights[f"{name}_kernel"] = np.concatenate([kernel for kernel, _ in parts])
            weights[f"{name}_bias"] = np.concatenate([bias for _, bias in parts])
        for name, path in (
            ("context", f"{attention}/output"),
            ("intermediate", f"{block}/intermediate"),
            ("output", f"{block}/output"),
        ):
            weights[f"{block}_{name}_kernel"], weights[f"{block}_{name}_bias"] = matrix(path), value(f"{path}/bias")
        for name in ("attention", "output"):
            for part in ("gamma", "beta"):
                weights[f"{block}_{name}_{part}"] = value(f"{block}/{name}_layer_norm/{part}")
    dense = {"pooled": "pooler/dense"} if task != "sentence-similarity" else {}
    if task in _CLASSIFIERS:
        dense["logits"] = f"{_CLASSIFIERS[task]}/dense"
    for name, path in dense.items():
        weights[f"{name}_kernel"], weights[f"{name}_bias"] = matrix(path), value(f"{path}/bias")
    return weights


def lean_graph(
    weights: Mapping[str, Any], config: EncoderConfig, task: str, max_length: int
) -> Callable[..., dict[str, Any]]:
    """The forward pass of one text as a Python function of TensorFlow operations that LiteRT has.

    Args:
        weights: name of `graph_weights` -> tensor.
        config: of the encoder.
        task: a key of `HEADS`.
        max_length: the longest L that is computed; a longer text loses tokens before its last one, the `[SEP]`.

    Returns:
        A function of `ids`, `mask`, `segment_ids`, int32 `[1, L]`, to a dict of the head's outputs.
    """
    import tensorflow as tf

    H, A = config.hidden_size, config.num_attention_heads
    last = config.num_hidden_layers - 1
    activation = _activation(config.hidden_act)

    def dense(x: Any, name: str) -> Any:
        return tf.nn.bias_add(tf.matmul(x, weights[f"{name}_kernel"], transpose_b=True), weights[f"{name}_bias"])

    def layer_norm(x: Any, name: str) -> Any:
        mean = tf.reduce_mean(x, axis=-1, keepdims=True)
        variance = tf.reduce_mean(tf.math.squared_difference(x, mean), axis=-1, keepdims=True)
        unit = (x - mean) * tf.math.rsqrt(variance + config.layer_norm_eps)
        return unit * weights[f"{name}_gamma"] + weights[f"{name}_beta"]

    def split_heads(x: Any) -> Any:
        # One -1 a shape and three transposes: with two unknown sizes, or one transpose in five dimensions, the
        # converter or the runtime falls back to slower operations.
        return tf.transpose(tf.reshape(x, [1, -1, A, H // A]), [0, 2, 1, 3])  # [1, A, L, D]

    def embed(ids: Any, segment_ids: Any) -> Any:
        ids = tf.reshape(ids, [-1])
        x = tf.gather(weights["token_table"], ids)
        x += tf.gather(weights["position_table"], tf.range(tf.shape(ids)[0]))
        if config.type_vocab_size == 2:
            x += tf.cast(tf.reshape(segment_ids, [-1, 1]), tf.float32) * weights["segment_step"]
        elif config.type_vocab_size > 2:
            x += tf.gather(weights["segment_table"], tf.reshape(segment_ids, [-1]))
        return layer_norm(x, "embeddings")  # [L, H]

    def block(x: Any, bias: Any, i: int) -> Any:
        name = f"block_{i}"
        if i == last and HEADS[task].first_token_only:
            key, value = tf.split(dense(x, f"{name}_kv"), 2, axis=-1)
            x = x[:1]
            query = dense(x, f"{name}_q")
        else:
            query, key, value = tf.split(dense(x, f"{name}_qkv"), 3, axis=-1)
        scores = tf.matmul(split_heads(query), split_heads(key), transpose_b=True) + bias
        context = tf.matmul(tf.nn.softmax(scores), split_heads(value))  # [1, A, R, D]
        context = tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [-1, H])
        x = layer_norm(x + dense(context, f"{name}_context"), f"{name}_attention")
        hidden = activation(dense(x, f"{name}_intermediate"))
        return layer_norm(x + dense(hidden, f"{name}_output"), f"{name}_output")

    def head(x: Any, mask: Any) -> dict[str, Any]:
        if task == "sentence-similarity":
            total = tf.reduce_sum(x * tf.reshape(mask, [-1, 1]), axis=0, keepdims=True)
            length = tf.sqrt(tf.reduce_sum(total * total, axis=-1, keepdims=True))
            return {"embedding": total / tf.maximum(length, 1e-12)}
        pooled = tf.tanh(dense(x[:1], "pooled"))
        if task == "feature-extraction":
            return {"sequence_output": tf.reshape(x, [1, -1, H]), "pooled_output": pooled}
        return {"probability": tf.nn.softmax(dense(pooled, "logits"))}

    def cut(x: Any) -> Any:
        return tf.concat([x[:, :-1][:, : max_length - 1], x[:, -1:]], axis=1)

    def forward(ids: Any, mask: Any, segment_ids: Any) -> dict[str, Any]:
        ids, mask, segment_ids = cut(ids), tf.cast(cut(mask), tf.float32), cut(segment_ids)
        bias = tf.reshape((1.0 - mask) * _MASKED, [1, 1, 1, -1])
        x = embed(ids, segment_ids)
        for i in range(config.num_hidden_layers):
            x = block(x, bias, i)
        return head(x, mask)

    return forward


def _activation(name: str) -> Callable:
    import tensorflow as tf

    return {
        "gelu": lambda x: tf.nn.gelu(x, approximate=False),
        "gelu_new": lambda x: tf.nn.gelu(x, approximate=True),
        "gelu_pytorch_tanh": lambda x: tf.nn.gelu(x, approximate=True),
        "relu": tf.nn.relu,
        "silu": lambda x: x * tf.sigmoid(x),
        "swish": lambda x: x * tf.sigmoid(x),
        "tanh": tf.tanh,
    }[name]
