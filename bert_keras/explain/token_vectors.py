"""Where a model can be entered past its token table. B batch, L length, E width of the tables."""

from typing import Any

import keras

from bert_keras.layers import Embeddings


class TokenVectors(keras.layers.Layer):
    """What an embedding layer makes of given vectors in the place of the tokens' rows of its table.

    Args:
        embeddings: the layer, whose other tables and LayerNorm are used.

    Call:
        vectors: `[B, L, E]`.
        segment_ids, position_ids: `[B, L]` int, as for the layer.
        Returns the embeddings `[B, L, E]`.
    """

    def __init__(self, embeddings: Embeddings, **kwargs: Any):
        super().__init__(dtype=embeddings.dtype_policy, **kwargs)
        self.embeddings = embeddings
        self.built = True

    def call(self, vectors: Any, segment_ids: Any = None, position_ids: Any = None) -> Any:
        return self.embeddings.after_lookup(vectors, segment_ids, position_ids, training=False)

    def compute_output_spec(self, vectors: Any, segment_ids: Any = None, position_ids: Any = None) -> Any:
        return keras.KerasTensor(vectors.shape, self.compute_dtype)
