"""Which pieces and words of a text an answer rests on. L length, E width of the tables, S steps."""

import dataclasses
from collections.abc import Sequence
from typing import Any, Literal, get_args

import keras
import numpy as np
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.explain.graphs import VECTORS, shaped, vector_graph
from bert_keras.explain.reading import Word
from bert_keras.explain.targets import Target, target_of
from bert_keras.text import Tokenizer

Method = Literal["integrated-gradients", "gradient-x-input"]
# Points on the way from the baseline to the text. Gauss and Legendre's places for them are exact for polynomials of
# degree 99.
_STEPS = 50
# Tokens that are computed at one time, so that the memory does not grow with the text.
_TOKENS = 1024


@dataclasses.dataclass(frozen=True)
class Attributions:
    """How much each piece and each word of a text speaks for (above 0) or against (below 0) an answer.

    Args:
        texts: the text, or the two of a pair.
        target: what is explained, such as a label.
        score: what the model says of it: a probability, or the number itself where it is none.
        method: how it was explained.
        pieces: the L pieces, special tokens included.
        parts: which text each piece comes from, 0 or 1; -1 for special tokens.
        offsets: L places `(start, end)` in that text, in code points; `(-1, -1)` for special tokens.
        scores: float64 `[L]`, a score of each piece.
        words: the words of the texts.
        word_scores: float64, a score of each word: the sum of its pieces'. A piece of several words counts for the
            first of them.
        value: the number that the scores explain, a logit where there is one.
        baseline_value: the same for the text with every piece masked; None for gradient × input.
    """

    texts: tuple[str, ...]
    target: str
    score: float
    method: Method
    pieces: list[str]
    parts: list[int]
    offsets: list[tuple[int, int]]
    scores: np.ndarray
    words: list[Word]
    word_scores: np.ndarray
    value: float
    baseline_value: float | None

    @property
    def gap(self) -> float | None:
        """How far the scores' sum is from `value - baseline_value`, which they share out; None for gradient × input.

        Trained models have one of about float32's rounding, under 1e-5; it is larger where a model is far from smooth.
        """
        if self.baseline_value is None:
            return None
        return float(self.scores.sum()) - (self.value - self.baseline_value)

    def top(self, count: int = 5) -> list[tuple[Word, float]]:
        """The words with the largest scores, for or against, and these.

        Args:
            count: how many.
        """
        order = np.argsort(-np.abs(self.word_scores), kind="stable")[:count]
        return [(self.words[i], float(self.word_scores[i])) for i in order]

    def figure(self) -> Any:
        """A picture of the words' scores, a `matplotlib.figure.Figure`."""
        from bert_keras.explain.figures import attributions_figure

        return attributions_figure([word.text for word in self.words], self.word_scores, self.target)


def attributions(
    model: keras.Model,
    tokenizer: Tokenizer,
    text: str,
    pair: str | Sequence[str] | None = None,
    target: Any = None,
    method: Method = "integrated-gradients",
) -> Attributions:
    """Share out a number of a model's answer to the pieces of the text, by gradients at their rows of the token table.

    `integrated-gradients` (Sundararajan, Taly, Yan 2017) go from a baseline to the text. The baseline is the same row
    with the mask token's vector in the place of every piece: so models learned to read a word that is not told. Special
    tokens, segments and positions stay, and special tokens score 0 by that. The scores sum to what the text adds to the
    baseline's number; `gap` tells how exactly. `gradient-x-input` is one gradient times the vector: quicker, without
    that sum.

    Args:
        model: a model that a task made.
        tokenizer: its tokenizer.
        text: what the model reads.
        pair: what else it reads: a second text; the text that a question is about; a list of choices; for
            sentence-similarity the text to compare with, which itself is not explained.
        target: what to explain; what the model predicts if None. A label; for token-classification `(word, label)`
            with the word's number; for question-answering `(start, end)` of a span in characters; for fill-mask a piece
            in the place of the first mask; for multiple-choice the choice's number; for replaced-token-detection a
            word's number.
        method: `integrated-gradients` or `gradient-x-input`.

    Raises:
        InputError: the model gives no answer to explain, or not that target; a text is not a string or has no words;
            or there is no such method.
    """
    if method not in get_args(Method):
        raise InputError(f"no method is named {method!r}; known are {', '.join(get_args(Method))}")
    found = target_of(model, tokenizer, text, pair, target)
    reading = found.reading
    graph = vector_graph(model)
    table = model.get_layer("embeddings").token_embedding
    ids = reading.inputs["token_ids"][0]
    vectors = _rows(table, ids)
    if method == "integrated-gradients":
        baseline = _rows(table, np.where(np.array(reading.parts) < 0, ids, tokenizer.mask_id))
        places, weights = np.polynomial.legendre.leggauss(_STEPS)  # on [-1, 1]
        points = baseline + (places[:, None, None] + 1) / 2 * (vectors - baseline)
        gradient = np.tensordot(weights / 2, _gradients(graph, found, points), axes=1)
        scores = ((vectors - baseline) * gradient).sum(axis=1)
        value, baseline_value = _values(graph, found, np.stack([vectors, baseline])).tolist()
    else:
        scores = (vectors * _gradients(graph, found, vectors[None])[0]).sum(axis=1)
        value, baseline_value = float(_values(graph, found, vectors[None])[0]), None
    owners = np.array(reading.word_of, dtype=int)
    word_scores = np.bincount(owners[owners >= 0], scores[owners >= 0], minlength=len(reading.words))
    return Attributions(
        reading.texts,
        found.name,
        found.score,
        method,
        reading.pieces,
        reading.parts,
        reading.offsets,
        scores,
        reading.words,
        word_scores,
        value,
        baseline_value,
    )


def _rows(table: Any, ids: np.ndarray) -> np.ndarray:
    """The rows of the token table in float64, `[L, E]`."""
    return np.asarray(tf.gather(tf.convert_to_tensor(table), ids)).astype("float64")


def _values(graph: keras.Model, target: Target, points: np.ndarray) -> np.ndarray:
    """The target's number at token vectors `[S, L, E]`: `[S]`."""
    return np.asarray(_value(graph, target, tf.constant(points, tf.float32))).astype("float64")


def _gradients(graph: keras.Model, target: Target, points: np.ndarray) -> np.ndarray:
    """The gradients of the target's number at token vectors `[S, L, E]`, of the same shape."""
    at_once = max(1, _TOKENS // points.shape[1])
    gradients = []
    for begin in range(0, len(points), at_once):
        vectors = tf.constant(points[begin : begin + at_once], tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(vectors)
            total = tf.reduce_sum(_value(graph, target, vectors))
        gradients.append(np.asarray(tape.gradient(total, vectors)).astype("float64"))
    return np.concatenate(gradients)


def _value(graph: keras.Model, target: Target, vectors: tf.Tensor) -> tf.Tensor:
    rows = {name: np.repeat(array, len(vectors), axis=0) for name, array in target.inputs.items()}
    return tf.cast(target.value(graph(shaped(graph, {**rows, VECTORS: vectors}), training=False)), tf.float32)
