"""DeBERTa's relative positions and convolution in a phone's graph. L length, H hidden, A heads, D head width, 2k rows.

The vectors of relative positions do not depend on the text: their projections are computed at export, a table `[2k, H]`
for each block and kind, and the graph looks up the rows of a text's distances.
"""

from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.config import EncoderConfig
from bert_keras.layers.relative_positions import relative_rows
from bert_keras.lean.operations import Operations, activation, split_heads
from bert_keras.lean.variables import Arrays, Variables

# Kind of score -> the projections of the positions where they are those of the content, and where they are their own.
_PROJECTIONS = {"c2p": ("key", "position_key"), "p2c": ("query", "position_query")}


def graph_weights(read: Variables, config: EncoderConfig, scale: float) -> Arrays:
    """The tables of projected positions, and the convolution's weights.

    Args:
        read: the Keras variables.
        config: of the encoder.
        scale: what scores are multiplied by; a content's query has it already.
    """
    settings = config.disentangled
    assert settings is not None
    positions = _positions(read, config)
    weights: Arrays = {}
    for i in range(config.num_blocks):
        for kind in settings.pos_att_type:
            shared, own = _PROJECTIONS[kind]
            path = f"block_{i}/attention/{shared if settings.share_att_key else own}"
            kernel, bias = read.product(path, scale if kind == "p2c" else 1.0)
            weights[f"block_{i}_{kind}"] = positions @ kernel.T + bias
    if settings.conv_kernel_size:
        kernel = read.value("convolution/kernel")  # [K, H, H]
        weights["convolution_kernel"] = kernel.reshape(-1, kernel.shape[-1]).T
        weights["convolution_bias"] = read.value("convolution/bias")
        weights |= read.layer_norm("convolution", "convolution/layer_norm")
    return weights


def _positions(read: Variables, config: EncoderConfig) -> np.ndarray:
    """The vectors of relative positions `[2k, H]` as they enter the projections."""
    table = read.value("relative_positions/table")
    assert config.disentangled is not None
    if not config.disentangled.norm_rel_ebd:
        return table
    centred = table - table.mean(-1, keepdims=True)
    unit = centred / np.sqrt(np.square(centred).mean(-1, keepdims=True) + np.float32(config.layer_norm_eps))
    norm = read.layer_norm("norm", "relative_positions/layer_norm")
    return unit * norm["norm_gamma"] + norm["norm_beta"]


class RelativeScores:
    """What relative positions add to the scores of a text.

    Args:
        ops: over `graph_weights`.
        config: of the encoder.
        length: L, a scalar tensor.
    """

    def __init__(self, ops: Operations, config: EncoderConfig, length: Any):
        assert config.disentangled is not None
        self.ops, self.heads, self.length = ops, config.num_attention_heads, length
        self.kinds = config.disentangled.pos_att_type
        settings = config.disentangled
        self.table = relative_rows(settings.max_relative_positions, settings.position_buckets)
        # Rows for the distances L - 1 down to -L, and up from -(L - 1) to L.
        down = length - 1 - tf.range(2 * length)
        self.rows = {"c2p": self._row(down), "p2c": self._row(-down)}
        self.from_first = self._row(-tf.range(length))

    def _row(self, distances: Any) -> Any:
        limit = len(self.table) // 2
        return tf.gather(tf.constant(self.table), tf.clip_by_value(distances, -limit, limit) + limit)

    def __call__(self, block: str, query: Any, key: Any) -> Any:
        """Scores `[1, A, L, L]` of a block's queries and keys, `[1, A, L, D]` each; what is read of them is summed."""
        states = {"c2p": query, "p2c": key}
        total = 0.0
        for kind in self.kinds:
            positions = split_heads(self.ops.rows(f"{block}_{kind}", self.rows[kind]), self.heads)  # [1, A, 2L, D]
            scores = self._shifted(tf.matmul(states[kind], positions, transpose_b=True))
            total += scores if kind == "c2p" else tf.transpose(scores, [0, 1, 3, 2])
        return total

    def of_first(self, block: str, query: Any, key: Any) -> Any:
        """The same `[1, A, 1, L]` where the first row alone asks."""
        total = 0.0
        for kind in self.kinds:
            positions = split_heads(self.ops.rows(f"{block}_{kind}", self.from_first), self.heads)  # [1, A, L, D]
            if kind == "c2p":
                total += tf.matmul(query, positions, transpose_b=True)
            else:
                total += tf.expand_dims(tf.reduce_sum(key * positions, axis=-1), 2)
        return total

    def _shifted(self, products: Any) -> Any:
        """`[1, A, L, 2L]` to `[1, A, L, L]`: the element (i, j) is at j - i + L - 1.

        That is i (2L - 1) + j + L - 1 in the flat row: a reshape to rows that are shorter by one.
        """
        # Slices in this form copy whole rows; Python's become an operator that takes five times as long.
        heads, length, width = self.heads, self.length, 2 * self.length - 1
        flat = tf.reshape(products, [1, heads, -1])
        flat = tf.slice(flat, [0, 0, length - 1], tf.stack([1, heads, length * width]))
        return tf.slice(tf.reshape(flat, [1, heads, -1, width]), [0, 0, 0, 0], tf.stack([1, heads, length, length]))


def convolve(ops: Operations, config: EncoderConfig, embeddings: Any, x: Any, keep: Any) -> Any:
    """The convolution beside the first block, as one product of each row and its neighbours.

    Args:
        ops: over `graph_weights`.
        config: of the encoder.
        embeddings: `[L, H]`, what entered the first block.
        x: `[L, H]`, what the first block gave.
        keep: `[L, 1]`, 1 text, 0 padding.
    """
    settings = config.disentangled
    assert settings is not None
    width = settings.conv_kernel_size
    padded = tf.pad(embeddings * keep, [[width // 2, width // 2], [0, 0]])
    neighbours = tf.concat([padded[i : i + 1 - width or None] for i in range(width)], axis=-1)  # [L, K·H]
    convolved = activation(settings.conv_act)(ops.dense(neighbours, "convolution") * keep)
    return ops.layer_norm(x + convolved, "convolution") * keep
