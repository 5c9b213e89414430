"""The table of relative positions, shared by all blocks. k rows of each direction, H hidden."""

from typing import Any

import keras
import numpy as np
from keras import ops

from bert_keras.errors import InputError
from bert_keras.layers.initializer import truncated_normal
from bert_keras.layers.layer_norm import LayerNorm


@keras.saving.register_keras_serializable(package="bert_keras")
class RelativePositions(keras.layers.Layer):
    """One vector for each bucket of distances, behind the token and before it (He et al. 2020, section 3.1).

    Args:
        rows: 2k, of `relative_rows`.
        hidden_size: H.
        layer_norm_eps: epsilon of the LayerNorm over the table (`norm_rel_ebd`); None for no LayerNorm.
        initializer_range: standard deviation of the table at the start.

    Call:
        anchor: any tensor of the model; it is not read, a functional model needs an edge.
        Returns `[2k, H]`.
    """

    def __init__(
        self, rows: int, hidden_size: int, layer_norm_eps: float | None, initializer_range: float, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.rows, self.hidden_size, self.initializer_range = rows, hidden_size, initializer_range
        self.layer_norm = None
        if layer_norm_eps is not None:
            self.layer_norm = LayerNorm(layer_norm_eps, dtype=self.dtype_policy, name="layer_norm")

    def build(self, anchor_shape: Any) -> None:
        shape = (self.rows, self.hidden_size)
        self.table = self.add_weight(name="table", shape=shape, initializer=truncated_normal(self.initializer_range))
        if self.layer_norm is not None:
            self.layer_norm.build(shape)
        self.built = True

    def call(self, anchor: Any) -> Any:
        table = ops.cast(ops.convert_to_tensor(self.table), self.compute_dtype)
        return table if self.layer_norm is None else self.layer_norm(table)

    def compute_output_spec(self, anchor: Any) -> Any:
        return keras.KerasTensor((self.rows, self.hidden_size), self.compute_dtype)


def relative_rows(max_relative_positions: int, position_buckets: int) -> np.ndarray:
    """The row of the table for each distance i − j from query i to key j: a constant, so no graph computes a logarithm.

    Args:
        max_relative_positions: distances beyond it share its row.
        position_buckets: k; 0: k is `max_relative_positions` and every distance under it has a row of its own.

    Returns:
        `[2N + 1]` int32 for the distances −N to N. Those beyond have the rows of −N and N.

    Raises:
        InputError: the number of buckets is odd.
    """
    if position_buckets % 2:
        raise InputError(f"config: position_buckets is {position_buckets}; it must be even")
    k = position_buckets or max_relative_positions
    limit = max(max_relative_positions, position_buckets)
    distances = np.arange(-limit, limit + 1)
    buckets = log_buckets(distances, position_buckets, max_relative_positions) if position_buckets else distances
    return np.clip(buckets + k, 0, 2 * k - 1).astype(np.int32)


def log_buckets(distances: np.ndarray, position_buckets: int, max_relative_positions: int) -> np.ndarray:
    """The buckets of distances: one each up to half of the buckets, then wider with the logarithm.

    Source: microsoft/DeBERTa `da_utils.py`, `make_log_bucket_position`.

    Args:
        distances: int array.
        position_buckets: buckets of each direction.
        max_relative_positions: the last bucket ends under it.
    """
    middle = position_buckets // 2
    size = np.abs(distances)
    far = size > middle
    if max_relative_positions - 1 <= middle:
        return np.clip(distances, -middle, middle)  # no distance that the table knows is far
    growth = np.log(np.where(far, size, middle) / middle) / np.log((max_relative_positions - 1) / middle)
    wide = np.ceil(growth * (middle - 1)).astype(distances.dtype) + middle
    return np.where(far, np.sign(distances) * wide, distances)
