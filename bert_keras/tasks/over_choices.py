"""A model that reads several texts for one answer. B batch, C choices, L length, H hidden."""

from collections.abc import Callable
from typing import Any

import keras

from bert_keras.layers import MergeChoices


def over_choices(encoder: keras.Model, pooled: Any, head: Callable[[Any, Any], Any], name: str) -> keras.Model:
    """A model over inputs `[B, C, L]` that reads each choice by itself.

    Args:
        encoder: a model of `bert_keras.encoder`.
        pooled: a symbolic tensor of the encoder, `[B, H]`, that the head reads of each choice.
        head: `[B·C, H]` and the padding mask `[B, C, L]` -> logits `[B, C]`.
        name: of the model.
    """
    inputs = {each: keras.Input((None, None), dtype="int32", name=each) for each in encoder.input}
    merged = {each: MergeChoices(name=f"merged_{each}")(choices) for each, choices in inputs.items()}
    # `call` runs the same layers on other inputs; the encoder does not become a layer of its own.
    flat = keras.Model(encoder.input, pooled).call(merged)
    return keras.Model(inputs, head(flat, inputs["padding_mask"]), name=name)
