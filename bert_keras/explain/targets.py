"""Which number of a model's answer is explained: a function a kind of answer.

S rows of one text, L length, C classes, K masks, V vocabulary, E width of an embedding.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.explain.graphs import run
from bert_keras.explain.reading import Reading, read
from bert_keras.tasks import TASKS, labels_of, task_of
from bert_keras.text import Tokenizer

# As long as an answer's span may be, in tokens (google-research/bert, run_squad.py).
_LONGEST_SPAN = 30


@dataclasses.dataclass(frozen=True)
class Target:
    """One number of an answer.

    Args:
        name: what a user calls it, such as a label.
        score: what the model says of it: a probability, or the number itself where it is none.
        reading: the row that it comes from.
        inputs: int32 `[1, ...]` by name, what the model takes.
        value: the model's outputs for S rows -> the number that is explained, a logit where there is one, `[S]`.
    """

    name: str
    score: float
    reading: Reading
    inputs: dict[str, np.ndarray]
    value: Callable[[Any], tf.Tensor]


@dataclasses.dataclass(frozen=True)
class Subject:
    """A model and what it is to read."""

    model: keras.Model
    tokenizer: Tokenizer
    text: str
    pair: Any

    def read(self, *texts: str) -> Reading:
        """A row of texts."""
        return read(self.tokenizer, config_of(self.model).max_length, texts)

    def read_given(self) -> Reading:
        """The row of the text, or of it and its pair."""
        return self.read(self.text) if self.pair is None else self.read(self.text, self.pair)


def target_of(model: keras.Model, tokenizer: Tokenizer, text: str, pair: Any, wanted: Any) -> Target:
    """The target that is asked for, or without one what the model predicts.

    Args:
        model: a model that a task made.
        tokenizer: its tokenizer.
        text: what the model reads.
        pair: what else it reads.
        wanted: as for `attributions`.

    Raises:
        InputError: the task's answers have no number to explain, or not the one that is asked for.
    """
    task = task_of(model)
    if task not in TARGETS:
        raise InputError(
            f"a model for {task} gives no answer to explain; tasks that do are {', '.join(sorted(TARGETS))}"
        )
    if TASKS[task].needs_pairs and pair is None:
        raise InputError(f"a model for {task} reads two texts: give the second one as pair")
    if "masked_positions" in model.input:
        tokenizer = tokenizer.with_mask_in_text()
    return TARGETS[task](Subject(model, tokenizer, text, pair), wanted)


def _label(subject: Subject, wanted: Any) -> Target:
    return _class(subject, wanted, _softmax)


def _multi_label(subject: Subject, wanted: Any) -> Target:
    return _class(subject, wanted, _sigmoid)


def _class(subject: Subject, wanted: Any, probabilities: Callable[[np.ndarray], np.ndarray]) -> Target:
    reading = subject.read_given()
    labels = labels_of(subject.model) or []
    logits = run(subject.model, reading.inputs)[0]  # [C]
    index = int(logits.argmax()) if wanted is None else _index(labels, wanted)
    score = float(probabilities(logits)[index])
    return Target(labels[index], score, reading, reading.inputs, lambda outputs: outputs[:, index])


def _number(subject: Subject, wanted: Any) -> Target:
    reading = subject.read_given()
    labels = labels_of(subject.model) or []
    index = 0 if wanted is None else _index(labels, wanted)
    number = float(run(subject.model, reading.inputs)[0, index])
    return Target(labels[index], number, reading, reading.inputs, lambda outputs: outputs[:, index])


def _word_label(subject: Subject, wanted: Any) -> Target:
    if subject.pair is not None:
        raise InputError("the model labels the words of a single text: leave pair out")
    reading = subject.read_given()
    labels = labels_of(subject.model) or []
    scores = _softmax(run(subject.model, reading.inputs)[0])  # [L, C]
    if wanted is None:
        word, index = _surest_label(reading, labels, scores)
    elif isinstance(wanted, tuple) and len(wanted) == 2:
        word, index = wanted[0], _index(labels, wanted[1])
    else:
        raise InputError(f"the target is {wanted!r}; of each word it is (number of the word from 0, label)")
    position = _position(reading, word)
    name = f"{reading.words[word].text}: {labels[index]}"
    score = float(scores[position, index])
    return Target(name, score, reading, reading.inputs, lambda outputs: outputs[:, position, index])


def _surest_label(reading: Reading, labels: list[str], scores: np.ndarray) -> tuple[int, int]:
    """The word of which the model is surest, and its label; O, which says nothing, only where there is no other."""
    best = {word: scores[position] for word, position in _read_words(reading)}
    telling = [word for word, own in best.items() if labels[int(own.argmax())] != "O"]
    word = max(telling or best, key=lambda word: best[word].max())
    return word, int(best[word].argmax())


def _span(subject: Subject, wanted: Any) -> Target:
    reading = subject.read_given()
    outputs = run(subject.model, reading.inputs)
    start, end = outputs["start_logits"][0], outputs["end_logits"][0]
    places = [place for place, part in enumerate(reading.parts) if part == 1]
    if not places:
        raise InputError("the text to find the answer in has no pieces: give one with words")
    if wanted is None:
        first, last = best_span(start, end, places[0], places[-1])
    else:
        first, last = _wanted_span(reading, places, wanted)
    name = reading.texts[1][reading.offsets[first][0] : reading.offsets[last][1]]
    score = float(_softmax(start)[first] * _softmax(end)[last])
    return Target(
        name,
        score,
        reading,
        reading.inputs,
        lambda found: found["start_logits"][:, first] + found["end_logits"][:, last],
    )


def best_span(start: np.ndarray, end: np.ndarray, low: int, high: int) -> tuple[int, int]:
    """The places of the likeliest span between two places, which ends where it begins or after it.

    Args:
        start, end: logits `[L]`.
        low, high: the first and the last place that may be in it.
    """
    sums = start[low : high + 1, None] + end[None, low : high + 1]
    allowed = np.triu(np.ones_like(sums)) - np.triu(np.ones_like(sums), _LONGEST_SPAN)
    first, last = np.unravel_index(np.where(allowed > 0, sums, -np.inf).argmax(), sums.shape)
    return low + int(first), low + int(last)


def _wanted_span(reading: Reading, places: list[int], wanted: Any) -> tuple[int, int]:
    if not (isinstance(wanted, tuple) and len(wanted) == 2 and all(isinstance(place, int) for place in wanted)):
        raise InputError(f"the target is {wanted!r}; of a span it is (start, end) in characters of the text")
    begin, end = wanted
    within = [place for place in places if reading.offsets[place][0] < end and begin < reading.offsets[place][1]]
    if not within:
        raise InputError(f"the text that the model reads has no piece from {begin} to {end}: give a span of its words")
    return within[0], within[-1]


def _masked_piece(subject: Subject, wanted: Any) -> Target:
    reading = subject.read_given()
    mask_id, vocabulary = subject.tokenizer.mask_id, subject.tokenizer.vocabulary
    positions = np.flatnonzero(reading.inputs["token_ids"][0] == mask_id)
    if not len(positions):
        mask = subject.tokenizer.special_tokens["mask"]
        raise InputError(f"the text has no {mask}: write it where the model is to find what is missing")
    inputs = {**reading.inputs, "masked_positions": positions[None, :1].astype(np.int32)}
    logits = _mask_logits(run(subject.model, inputs))[0, 0]
    # Tables that were padded for speed have rows without a piece.
    index = int(logits[: len(vocabulary)].argmax()) if wanted is None else _index(vocabulary, wanted)
    return Target(
        vocabulary[index],
        float(_softmax(logits)[index]),
        reading,
        inputs,
        lambda outputs: _mask_logits(outputs)[:, 0, index],
    )


def _mask_logits(outputs: Any) -> Any:
    """The logits at masks, `[., K, V]`, of fill-mask or of pretraining's two outputs."""
    return outputs["mlm"] if isinstance(outputs, dict) else outputs


def _choice(subject: Subject, wanted: Any) -> Target:
    choices = subject.pair
    if isinstance(choices, str) or choices is None or len(choices) < 2:
        raise InputError(f"the choices are {choices!r}; give a list of two or more texts as pair")
    readings = [subject.read(subject.text, choice) for choice in choices]
    logits = np.array([float(run(subject.model, reading.inputs)[0, 0]) for reading in readings])
    if wanted is not None and wanted not in range(len(choices)):
        raise InputError(f"the target is {wanted!r}; the choices have the numbers 0 to {len(choices) - 1}")
    index = int(logits.argmax()) if wanted is None else int(wanted)
    reading = readings[index]
    score = float(_softmax(logits)[index])
    # The logit of a choice comes from its own row alone.
    return Target(f"{index}: {choices[index]}", score, reading, reading.inputs, lambda outputs: outputs[:, 0])


def _similarity(subject: Subject, wanted: Any) -> Target:
    if subject.pair is None:
        raise InputError("what is explained is how like two texts are: give the other one as pair")
    if wanted is not None:
        raise InputError(f"the target is {wanted!r}, but the model gives one number for two texts: leave it out")
    reading = subject.read(subject.text)
    vector = run(subject.model, subject.read(subject.pair).inputs)[0]
    other = tf.constant(_unit(vector))

    def cosine(outputs: Any) -> tf.Tensor:
        return tf.linalg.matvec(tf.math.l2_normalize(outputs, axis=-1, epsilon=1e-24), other)

    score = float(_unit(run(subject.model, reading.inputs)[0]) @ _unit(vector))
    return Target(f"similarity to {subject.pair!r}", score, reading, reading.inputs, cosine)


def _replaced(subject: Subject, wanted: Any) -> Target:
    reading = subject.read_given()
    logits = run(subject.model, reading.inputs)[0]  # [L]
    words = dict(_read_words(reading))
    word = max(words, key=lambda word: logits[words[word]]) if wanted is None else wanted
    position = _position(reading, word)
    score = float(_sigmoid(logits)[position])
    name = f"{reading.words[word].text}: replaced"
    return Target(name, score, reading, reading.inputs, lambda outputs: outputs[:, position])


def _read_words(reading: Reading) -> list[tuple[int, int]]:
    """The words that the model reads, and where they stand."""
    found = [(word, position) for word, position in enumerate(reading.position_of) if position is not None]
    if not found:
        raise InputError("the text has no words: give one with words")
    return found


def _position(reading: Reading, word: Any) -> int:
    """Where a word stands."""
    if word not in range(len(reading.words)):
        raise InputError(f"the target is word {word!r}; the words have the numbers 0 to {len(reading.words) - 1}")
    position = reading.position_of[word]
    if position is None:
        raise InputError(f"the target is word {word}, {reading.words[word].text!r}, of which the model reads nothing")
    return position


def _index(names: list[str], wanted: Any) -> int:
    if wanted not in names:
        known = ", ".join(names) if len(names) <= 50 else f"the {len(names)} pieces of the vocabulary"
        raise InputError(f"the target is {wanted!r}; known are {known}")
    return names.index(wanted)


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp((logits - logits.max(axis=-1, keepdims=True)).astype("float64"))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def _sigmoid(logits: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-logits.astype("float64")))


def _unit(vector: np.ndarray) -> np.ndarray:
    # A vector of zeros has the cosine 0 to every other.
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


# Kind of answer, a key of `bert_keras.answers.KINDS` -> what makes its target.
BY_KIND: dict[str | None, Callable[[Subject, Any], Target]] = {
    "choice": _choice,
    "embedding": _similarity,
    "entities": _word_label,
    "label": _label,
    "masks": _masked_piece,
    "multi-label": _multi_label,
    "number": _number,
    "span": _span,
}
# Task -> the same; of these predictors give no answer, but the model does.
_BY_TASK: dict[str, Callable[[Subject, Any], Target]] = {
    "pretraining": _masked_piece,
    "replaced-token-detection": _replaced,
}
TARGETS = _BY_TASK | {name: BY_KIND[task.answer] for name, task in TASKS.items() if task.answer in BY_KIND}
