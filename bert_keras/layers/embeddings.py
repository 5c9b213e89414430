"""What enters the first block: token + segment + position, LayerNorm, dropout.

B batch, L length, H hidden, V vocabulary, T segments, P positions.
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
        hidden_size: H.
        max_position_embeddings: P.
        type_vocab_size: T.
        layer_norm_eps: epsilon of the LayerNorm.
        dropout: rate after the LayerNorm.
        initializer_range: standard deviation of the tables at the start.

    Call:
        token_ids, segment_ids: `[B, L]` int32.
        Returns the embeddings `[B, L, H]` and the token table `[V, H]`, for a decoder that is tied to it.
    """

    def __init__(
        self,
        vocab_size: int,
        hidden_size: int,
        max_position_embeddings: int,
        type_vocab_size: int,
        layer_norm_eps: float,
        dropout: float,
        initializer_range: float,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.tables = {
            "token_embedding": (vocab_size, hidden_size),
            "segment_embedding": (type_vocab_size, hidden_size),
            "position_embedding": (max_position_embeddings, hidden_size),
        }
        self.initializer_range = initializer_range
        self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")

    def build(self, token_ids_shape: Any, segment_ids_shape: Any = None) -> None:
        for name, shape in self.tables.items():
            weight = self.add_weight(name=name, shape=shape, initializer=truncated_normal(self.initializer_range))
            setattr(self, name, weight)
        self.layer_norm.build((None, None, self.tables["token_embedding"][1]))
        self.built = True

    def call(self, token_ids: Any, segment_ids: Any, training: bool | None = None) -> tuple[Any, Any]:
        table = ops.convert_to_tensor(self.token_embedding)
        # Looked up before the cast, so that mixed precision does not convert the whole table for a few rows.
        tokens = ops.cast(tf.gather(table, token_ids), self.compute_dtype)  # [B, L, H]
        segment_table = ops.convert_to_tensor(self.segment_embedding)
        # A product with one-hot rows: its gradient is a product too, not a scatter of B·L rows into T.
        segments = tf.matmul(
            tf.one_hot(tf.reshape(segment_ids, [-1]), segment_table.shape[0], dtype=self.compute_dtype),
            ops.cast(segment_table, self.compute_dtype),
        )
        positions = ops.convert_to_tensor(self.position_embedding)[: tf.shape(token_ids)[1]]  # [L, H]
        summed = tokens + tf.reshape(segments, tf.shape(tokens)) + ops.cast(positions, self.compute_dtype)
        return self.dropout(self.layer_norm(summed), training=training), ops.cast(table, self.compute_dtype)

    def compute_output_spec(self, token_ids: Any, segment_ids: Any, training: bool | None = None) -> Any:
        vocab_size, hidden_size = self.tables["token_embedding"]
        return (
            keras.KerasTensor((*token_ids.shape, hidden_size), self.compute_dtype),
            keras.KerasTensor((vocab_size, hidden_size), self.compute_dtype),
        )
