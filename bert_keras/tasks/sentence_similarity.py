"""One vector a text, near for texts of like meaning. B batch, H hidden."""

from collections.abc import Mapping
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of, rows
from bert_keras.errors import InputError
from bert_keras.layers import SentencePooling
from bert_keras.lean import LeanHead
from bert_keras.losses import InfoNce
from bert_keras.tasks.task import Task


def sentence_similarity(
    encoder: keras.Model,
    pooling: str = "mean",
    normalize: bool = True,
    dimensions: int | None = None,
    max_length: int | None = None,
) -> keras.Model:
    """A model of vectors `[B, H]`, the hidden states pooled over the mask (Reimers, Gurevych 2019).

    Args:
        encoder: a model of `bert_keras.encoder`.
        pooling: `mean` or `max` of the tokens, or the `first` token.
        normalize: scale to unit length.
        dimensions: how many of the vector's numbers are kept; all if None (Kusupati et al. 2022).
        max_length: tokens that are read of a text where nobody says otherwise; the encoder's longest if None.

    Raises:
        InputError: no such pooling, another setting is not of its type, dimensions are below 1 or over H, or a length
            that the encoder does not take.
    """
    config = config_of(encoder)
    layer = SentencePooling(pooling, normalize, dimensions, max_length, name="sentence_pooling")
    if dimensions is not None and dimensions > config.hidden_size:
        raise InputError(f"dimensions is {dimensions}, but the model's vectors have {config.hidden_size} numbers")
    if max_length is not None and not 3 <= max_length <= config.max_length:
        raise InputError(f"max_length is {max_length}; this model takes 3 to {config.max_length}")
    read = rows(encoder) if pooling == "first" else encoder.output["sequence_output"]
    return keras.Model(encoder.input, layer(read, encoder.input["padding_mask"]), name="sentence_similarity")


def _lean(options: Mapping[str, Any]) -> LeanHead:
    pooling, dimensions = options["pooling"], options["dimensions"]

    def forward(ops: Any, config: Any, x: Any, mask: Any) -> dict[str, Any]:
        x = x[:, :dimensions]
        column = tf.reshape(mask, [-1, 1])
        if pooling == "first":
            pooled = x[:1]
        elif pooling == "max":
            # Moderate, as the mask of the scores is: it must fit into float16.
            pooled = tf.reduce_max(x - (1.0 - column) * 1e4, axis=0, keepdims=True)
        else:
            pooled = tf.reduce_sum(x * column, axis=0, keepdims=True) / tf.reduce_sum(column)
        if options["normalize"]:
            length = tf.sqrt(tf.reduce_sum(pooled * pooled, axis=-1, keepdims=True))
            pooled = pooled / tf.maximum(length, 1e-12)
        return {"embedding": pooled}

    return LeanHead(forward, first_token_only=pooling == "first")


SENTENCE_SIMILARITY = Task(
    name="sentence-similarity",
    build=sentence_similarity,
    heads=("sentence_pooling",),
    answer="embedding",
    examples="similar-texts",
    scores="similarity",
    outputs=lambda embedding: {"embedding": embedding},
    # Pairs of like meaning; other examples ask for another loss.
    objective=lambda model: {"loss": InfoNce()},
    lean=_lean,
    of_texts=("embedding",),
    options=("pooling", "normalize", "dimensions", "max_length"),
)
