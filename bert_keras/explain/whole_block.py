"""A block that tells its attention. B batch, L length, H hidden, A heads."""

from typing import Any

import keras

from bert_keras.layers import Block


class WholeBlock(keras.layers.Layer):
    """What a block gives for every row, and its attention probabilities.

    A layer around the block: Keras takes a layer in a graph for one that always has as many outputs as at first.

    Args:
        block: the block.

    Call:
        hidden_states: `[B, L, H]`.
        context: what else the block takes.
        Returns `[B, L, H]` and the probabilities `[B, A, L, L]`.
    """

    def __init__(self, block: Block, **kwargs: Any):
        super().__init__(dtype=block.dtype_policy, **kwargs)
        self.block = block
        self.built = True

    def call(self, hidden_states: Any, *context: Any) -> tuple[Any, Any]:
        return self.block(hidden_states, *context, return_attention=True, training=False)

    def compute_output_spec(self, hidden_states: Any, *context: Any) -> Any:
        return self.block.compute_output_spec(hidden_states, *context, return_attention=True)
