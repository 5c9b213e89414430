"""Where the enhanced mask decoder learns the absolute positions. B batch, R rows, P positions, H hidden."""

from typing import Any

import keras
import tensorflow as tf
from keras import ops

from bert_keras.layers.initializer import truncated_normal


@keras.saving.register_keras_serializable(package="bert_keras")
class QueryPositions(keras.layers.Layer):
    """Adds the absolute positions to the states that ask in the enhanced mask decoder (He et al. 2020, section 3.2).

    Args:
        max_position_embeddings: P.
        hidden_size: H.
        initializer_range: standard deviation of the table at the start.

    Call:
        rows: `[B, R, H]`, hidden states that enter the last block.
        positions: `[B, R]` int, where they stand.
        Returns `[B, R, H]`.
    """

    def __init__(self, max_position_embeddings: int, hidden_size: int, initializer_range: float, **kwargs: Any):
        super().__init__(**kwargs)
        self.shape, self.initializer_range = (max_position_embeddings, hidden_size), initializer_range

    def build(self, rows_shape: Any, positions_shape: Any = None) -> None:
        initializer = truncated_normal(self.initializer_range)
        self.position_embedding = self.add_weight(name="position_embedding", shape=self.shape, initializer=initializer)
        self.built = True

    def call(self, rows: Any, positions: Any) -> Any:
        table = ops.convert_to_tensor(self.position_embedding)
        return rows + ops.cast(tf.gather(table, ops.cast(positions, "int32")), self.compute_dtype)

    def compute_output_spec(self, rows: Any, positions: Any) -> Any:
        return keras.KerasTensor(rows.shape, self.compute_dtype)
