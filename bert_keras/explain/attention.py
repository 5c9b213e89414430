"""Which pieces a model looks at. L length, A heads."""

import dataclasses
from typing import Any

import keras
import numpy as np

from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.explain.graphs import attention_graph, run
from bert_keras.explain.reading import read
from bert_keras.text import Tokenizer


@dataclasses.dataclass(frozen=True)
class Attention:
    """The attention of every head of a model over one text.

    Args:
        texts: the text, or the two of a pair.
        pieces: the L pieces, special tokens included.
        parts: which text each piece comes from, 0 or 1; -1 for special tokens.
        offsets: L places `(start, end)` in that text, in code points; `(-1, -1)` for special tokens.
        array: float32 `[layers, A, L, L]`: how much of its attention the piece of a row gives to that of a column.
    """

    texts: tuple[str, ...]
    pieces: list[str]
    parts: list[int]
    offsets: list[tuple[int, int]]
    array: np.ndarray

    def figure(self, layer: int, head: int) -> Any:
        """A picture of one head, a `matplotlib.figure.Figure`.

        Args:
            layer, head: which, from 0; negative numbers count from the end.

        Raises:
            InputError: there is no such layer or head.
        """
        from bert_keras.explain.figures import attention_figure

        for name, number, count in zip(("layer", "head"), (layer, head), self.array.shape[:2], strict=True):
            if not -count <= number < count:
                raise InputError(f"{name} is {number}: the model has {count}, numbered from 0")
        return attention_figure(self.pieces, self.array[layer, head], layer, head)


def attention(model: keras.Model, tokenizer: Tokenizer, text: str, pair: str | None = None) -> Attention:
    """The attention probabilities of every layer and head (Vaswani et al. 2017, section 3.2), without dropout.

    They are the model's own: every row sums to 1. Where shared blocks run several times, each time is a layer.

    Args:
        model: an encoder or a model that a task made of one.
        tokenizer: its tokenizer.
        text: what the model reads.
        pair: a second text, if it reads two.

    Raises:
        InputError: a text is not a string, or the model is not one of ours.
    """
    if "masked_positions" in model.input:
        tokenizer = tokenizer.with_mask_in_text()
    reading = read(tokenizer, config_of(model).max_length, [text] if pair is None else [text, pair])
    array = run(attention_graph(model), reading.inputs)[0]
    return Attention(reading.texts, reading.pieces, reading.parts, reading.offsets, array)
