"""What enters the first block: token + segment + position, LayerNorm, dropout.

B batch, L length, E width of the tables, V vocabulary, T segments, P positions.
"""

from typing import Any

import keras
import tensorflow as tf
from keras import ops

from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.layer_norm import LayerNorm


@keras.saving.register_keras_serializable(package="bert_keras")
class Embeddings(keras.layers.Layer):
    """LayerNorm(E_token + E_segment + E_position) with dropout (Devlin et al. 2018, figure 2).

    Args:
        vocab_size: V.
        width: E; H, or less where a projection follows.
        max_position_embeddings: P; 0 for no positions.
        type_vocab_size: T; 0 for no segments, with 1 the only row is added to every token.
        layer_norm_eps: epsilon of the LayerNorm.
        dropout: rate after the LayerNorm.
        initializer_range: standard deviation of the tables at the start.

    Call:
        token_ids: `[B, L]` int32.
        segment_ids: `[B, L]` int32; needed if T is over 1.
        position_ids: `[B, L]` int32; 0 to L - 1 when left out.
        Returns the embeddings `[B, L, E]` and the token table `[V, E]`, for a decoder that is tied to it.
    """

    def __init__(
        self,
        vocab_size: int,
        width: int,
        max_position_embeddings: int,
        type_vocab_size: int,
        layer_norm_eps: float,
        dropout: float,
        initializer_range: float,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.width = width
        self.rows = {
            "token_embedding": vocab_size,
            "segment_embedding": type_vocab_size,
            "position_embedding": max_position_embeddings,
        }
        self.initializer_range = initializer_range
        self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")

    def build(self, token_ids_shape: Any, segment_ids_shape: Any = None, position_ids_shape: Any = None) -> None:
        for name, rows in self.rows.items():
            if rows:
                initializer = truncated_normal(self.initializer_range)
                setattr(self, name, self.add_weight(name=name, shape=(rows, self.width), initializer=initializer))
        self.layer_norm.build((None, None, self.width))
        self.built = True

    def call(
        self, token_ids: Any, segment_ids: Any = None, position_ids: Any = None, training: bool | None = None
    ) -> tuple[Any, Any]:
        table = ops.convert_to_tensor(self.token_embedding)
        # Looked up before the cast, so that mixed precision does not convert the whole table for a few rows.
        vectors = ops.cast(tf.gather(table, token_ids), self.compute_dtype)  # [B, L, E]
        embedded = self.after_lookup(vectors, segment_ids, position_ids, training)
        return embedded, ops.cast(table, self.compute_dtype)

    def after_lookup(self, vectors: Any, segment_ids: Any, position_ids: Any, training: bool | None) -> Any:
        """The embeddings `[B, L, E]` from the tokens' rows of the table, `[B, L, E]`."""
        summed = vectors
        if self.rows["segment_embedding"]:
            summed += self._segments(vectors, segment_ids)
        if self.rows["position_embedding"]:
            summed += self._positions(vectors, position_ids)
        return self.dropout(self.layer_norm(summed), training=training)

    def _segments(self, vectors: Any, segment_ids: Any) -> Any:
        table = ops.cast(ops.convert_to_tensor(self.segment_embedding), self.compute_dtype)
        if table.shape[0] == 1:
            return table[0]
        # A product with one-hot rows: its gradient is a product too, not a scatter of B·L rows into T.
        one_hot = tf.one_hot(tf.reshape(segment_ids, [-1]), table.shape[0], dtype=self.compute_dtype)
        return tf.reshape(tf.matmul(one_hot, table), tf.shape(vectors))

    def _positions(self, vectors: Any, position_ids: Any) -> Any:
        table = ops.convert_to_tensor(self.position_embedding)
        rows = table[: tf.shape(vectors)[1]] if position_ids is None else tf.gather(table, position_ids)
        return ops.cast(rows, self.compute_dtype)

    def compute_output_spec(
        self, token_ids: Any, segment_ids: Any = None, position_ids: Any = None, training: bool | None = None
    ) -> Any:
        return (
            keras.KerasTensor((*token_ids.shape, self.width), self.compute_dtype),
            keras.KerasTensor((self.rows["token_embedding"], self.width), self.compute_dtype),
        )
