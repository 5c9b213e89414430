"""Attention by content and by relative position. B batch, L length, R rows that ask, H hidden, A heads, D = H/A.

Row i asks key j at the distance i − j. W distances are looked up at once, in order, so that no score is gathered:
`[M, W]` products with them become the `[M, N]` scores of M rows and N columns by shifting each row by one more.
"""

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf
from keras import ops

from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.relative_positions import relative_rows


@keras.saving.register_keras_serializable(package="bert_keras")
class DisentangledAttention(keras.layers.Layer):
    """softmax((QKᵀ + Q K_rᵀ + K Q_rᵀ) / √(nD) + bias)V for each head, n the number of products (He et al. 2020).

    Q_r and K_r are projections of the relative positions: content to position is Q_i · K_r(i − j), position to content
    K_j · Q_r(i − j); both have the same row of the table, since buckets are odd functions of the distance. Padding
    attends to all rows alike, as in transformers; its probabilities are given as if it were text.

    Args:
        hidden_size: H.
        num_heads: A.
        dropout: rate on the attention probabilities.
        position_dropout: rate on the relative positions.
        max_relative_positions: distances beyond it are like it.
        position_buckets: buckets of each direction; 0: a row for every distance.
        pos_att_type: which products are added: `c2p`, `p2c`.
        share_att_key: relative positions use the projections of the content.
        key_bias: the projections of keys have a bias; DeBERTa's first version has none.
        initializer_range: standard deviation of the kernels at the start.

    Call:
        queries: `[B, R, H]`, the rows to compute.
        keys: `[B, L, H]`, the rows to look at.
        bias: `[B, 1, 1, L]`, added to the scores in float32; negative where a row is padding.
        relative: `[2k, H]`, of `RelativePositions`.
        query_positions: `[B, R]` int, the rows of `keys` that ask; the first R when left out.
        Returns `[B, R, H]` and the probabilities `[B, A, R, L]` (float32, before dropout).
    """

    def __init__(
        self,
        hidden_size: int,
        num_heads: int,
        dropout: float,
        position_dropout: float,
        max_relative_positions: int,
        position_buckets: int,
        pos_att_type: Sequence[str],
        share_att_key: bool,
        key_bias: bool,
        initializer_range: float,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.hidden_size, self.num_heads = hidden_size, num_heads
        self.kinds, self.share_att_key = tuple(pos_att_type), share_att_key
        self.scale = ((1 + len(self.kinds)) * (hidden_size // num_heads)) ** -0.5
        self.relative_rows = relative_rows(max_relative_positions, position_buckets)
        # The dense layers by the names of their variables.
        biased = {"query": True, "key": key_bias, "value": True, "output": True}
        if not share_att_key:
            biased |= {"position_key": key_bias} if "c2p" in self.kinds else {}
            biased |= {"position_query": True} if "p2c" in self.kinds else {}
        self.dense = {
            name: keras.layers.Dense(
                hidden_size,
                use_bias=use_bias,
                kernel_initializer=truncated_normal(initializer_range),
                dtype=self.dtype_policy,
                name=name,
            )
            for name, use_bias in biased.items()
        }
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")
        self.position_dropout = keras.layers.Dropout(position_dropout, dtype=self.dtype_policy, name="position_dropout")

    def build(self, queries_shape: Any, keys_shape: Any = None, *other_shapes: Any) -> None:
        for dense in self.dense.values():
            dense.build((None, self.hidden_size))
        self.built = True

    def call(
        self,
        queries: Any,
        keys: Any,
        bias: Any,
        relative: Any,
        query_positions: Any = None,
        training: bool | None = None,
    ) -> tuple[Any, Any]:
        rows, length = ops.shape(queries)[1], ops.shape(keys)[1]
        relative = self.position_dropout(relative, training=training)
        query = self._heads(self.dense["query"], queries) * self.scale  # [A, B·R, D]
        key, value = self._heads(self.dense["key"], keys), self._heads(self.dense["value"], keys)  # [A, B·L, D]

        scores = self._float32(ops.matmul(self._texts(query, rows), ops.swapaxes(self._texts(key, length), -1, -2)))
        if "c2p" in self.kinds:
            scores += self._content_to_position(query, relative, rows, length, query_positions)
        if "p2c" in self.kinds:
            scores += self._position_to_content(key, relative, rows, length, query_positions)
        scores += ops.transpose(self._float32(bias), (1, 0, 2, 3))

        # Not Keras' own, which warns of a text of one token.
        probabilities = tf.nn.softmax(scores)  # [A, B, R, L]
        kept = self.dropout(ops.cast(probabilities, self.compute_dtype), training=training)
        context = ops.matmul(kept, self._texts(value, length))  # [A, B, R, D]
        everything = tf.reduce_mean(self._texts(value, length), axis=2, keepdims=True)
        context = tf.where(_is_padding(bias, rows, query_positions), everything, context)
        context = ops.transpose(ops.reshape(context, (self.num_heads, -1, self.head_width)), (1, 0, 2))
        output = self.dense["output"](ops.reshape(context, (-1, self.hidden_size)))
        return ops.reshape(output, (-1, rows, self.hidden_size)), ops.transpose(probabilities, (1, 0, 2, 3))

    @property
    def head_width(self) -> int:
        """D."""
        return self.hidden_size // self.num_heads

    def _content_to_position(self, query: Any, relative: Any, rows: Any, length: Any, positions: Any) -> Any:
        dense = self.dense["key" if self.share_att_key else "position_key"]
        if positions is None:
            # Row i, column j: i − j, from R − 1 down.
            scores = self._products(query, dense, relative, rows - 1 - tf.range(rows + length), rows)
            return self._float32(_shifted(scores, rows, length))
        scores = self._products(query, dense, relative, length - 1 - tf.range(2 * length), rows)  # [A, B, R, 2L]
        columns = tf.range(length) - tf.cast(positions, "int32")[..., None] + length - 1  # [B, R, L]
        picked = tf.gather(tf.transpose(scores, (1, 2, 3, 0)), columns, axis=2, batch_dims=2)
        return self._float32(tf.transpose(picked, (3, 0, 1, 2)))

    def _position_to_content(self, key: Any, relative: Any, rows: Any, length: Any, positions: Any) -> Any:
        dense = self.dense["query" if self.share_att_key else "position_query"]
        columns = rows if positions is None else length
        # Row j, column i: i − j, from −(L − 1) up.
        distances = tf.range(length + columns) - (length - 1)
        scores = _shifted(self._products(key * self.scale, dense, relative, distances, length), length, columns)
        if positions is None:
            return self._float32(tf.transpose(scores, (0, 1, 3, 2)))
        picked = tf.gather(tf.transpose(scores, (1, 3, 0, 2)), tf.cast(positions, "int32"), axis=1, batch_dims=1)
        return self._float32(tf.transpose(picked, (2, 0, 1, 3)))

    def _products(self, states: Any, dense: Any, relative: Any, distances: Any, rows: Any) -> Any:
        """The products of `[A, B·M, D]` with the projected positions at W distances: `[A, B, M, W]`."""
        limit = len(self.relative_rows) // 2
        near = tf.clip_by_value(distances, -limit, limit) + limit
        positions = self._heads(dense, tf.gather(relative, tf.gather(self.relative_rows, near)))  # [A, W, D]
        products = ops.matmul(states, ops.swapaxes(positions, -1, -2))
        return ops.reshape(products, (self.num_heads, -1, rows, tf.shape(distances)[0]))

    def _heads(self, dense: Any, x: Any) -> Any:
        """Project on flat `[N, H]`, one matrix product forward and backward, and put the heads first: `[A, N, D]`.

        With the heads first the products with positions, equal for all texts, are one matrix product a head.
        """
        x = dense(ops.reshape(x, (-1, self.hidden_size)))
        return ops.transpose(ops.reshape(x, (-1, self.num_heads, self.head_width)), (1, 0, 2))

    def _texts(self, x: Any, rows: Any) -> Any:
        return ops.reshape(x, (self.num_heads, -1, rows, self.head_width))

    def _float32(self, x: Any) -> Any:
        return ops.cast(x, "float32")

    def compute_output_spec(
        self,
        queries: Any,
        keys: Any,
        bias: Any,
        relative: Any,
        query_positions: Any = None,
        training: bool | None = None,
    ) -> Any:
        batch, rows, _ = queries.shape
        return (
            keras.KerasTensor(queries.shape, self.compute_dtype),
            keras.KerasTensor((batch, self.num_heads, rows, keys.shape[1]), "float32"),
        )


def _is_padding(bias: Any, rows: Any, positions: Any) -> Any:
    """Whether a query is padding, `[1, B, R, 1]`."""
    keys = bias[:, 0, 0, :]
    queries = keys[:, :rows] if positions is None else tf.gather(keys, tf.cast(positions, "int32"), batch_dims=1)
    return (queries < 0)[None, :, :, None]


def _shifted(products: Any, rows: Any, columns: Any) -> Any:
    """`[A, B, M, M + N]` to `[A, B, M, N]`: the element (i, j) is at j − i + M − 1.

    That is i · (M + N − 1) + j + M − 1 in the flat row: a reshape to rows that are shorter by one.
    """
    heads, width = products.shape[0], rows + columns - 1
    flat = tf.reshape(products, [heads, -1, rows * (width + 1)])
    flat = flat[..., rows - 1 : rows - 1 + rows * width]
    return tf.reshape(flat, [heads, -1, rows, width])[..., :columns]
