"""Answers of Keras models and SavedModels to raw texts. B batch, L length."""

import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.export.answers import Answers, check_batch_size, checked_texts, masked_positions
from bert_keras.export.outputs import forward_of, input_names
from bert_keras.export.saved_model_folder import FACTS, SIGNATURE, TOKENIZER
from bert_keras.pretrained import load
from bert_keras.tasks import labels_of, task_of
from bert_keras.text import Tokenizer

# Texts that are tokenized and sorted by length together: enough for even batches, little memory.
_CHUNK = 4096

# What TensorFlow raises for a SavedModel with a missing or damaged file.
_UNREADABLE = (tf.errors.OpError, IndexError, OSError, RuntimeError, ValueError)

Arrays = dict[str, np.ndarray]


class Predictor:
    """Answers of a model to raw texts; what `predictor` opens, for a model that TensorFlow runs.

    Args:
        model: a model that a task made.
        tokenizer: its tokenizer.
        max_length: tokens that are read of a text; the model's longest if None.

    Raises:
        InputError: the model's task has no answer for a text, or `max_length` is over the position table.
    """

    def __init__(self, model: "keras.Model | Graph", tokenizer: Tokenizer, max_length: int | None = None):
        graph = model if isinstance(model, Graph) else _graph_of(model)
        if max_length is not None and not 3 <= max_length <= graph.max_length:
            raise InputError(f"max_length is {max_length}; this model takes 3 to {graph.max_length}")
        self.task = graph.task
        self.max_length = max_length or graph.max_length
        self._graph = graph
        self._tokenizer = tokenizer.with_mask_in_text() if graph.task == "fill-mask" else tokenizer
        self._answers = Answers(graph.task, graph.labels, tokenizer.vocabulary, tokenizer.mask_id)
        self.labels = self._answers.labels

    def __call__(
        self, texts: Sequence[str], pairs: Sequence[str] | None = None, batch_size: int = 32
    ) -> list[dict[str, Any]]:
        """Answer texts, or texts with their pairs, in their order.

        Texts of like length are computed together; what is over `max_length` tokens is cut off.

        Args:
            texts: a list of texts.
            pairs: a second text for each; next-sentence-prediction needs it.
            batch_size: texts that are computed together.

        Returns:
            A dict a text: `label`, `score` and `scores` (classification); `embedding` `[H]` (sentence-similarity);
            `sequence_output` `[tokens, H]` and `pooled_output` `[H]` (feature-extraction); `masks`, for each `[MASK]`
            the likeliest pieces (fill-mask).

        Raises:
            InputError: something else than lists of texts of one length, or a `batch_size` below 1.
        """
        texts, pairs = checked_texts(texts, pairs)
        if self.task == "next-sentence-prediction" and pairs is None:
            raise InputError("next-sentence-prediction needs pairs: the text that may follow each text")
        check_batch_size(batch_size)
        answers: list[Any] = [None] * len(texts)
        for start in range(0, len(texts), _CHUNK):
            rows = slice(start, start + _CHUNK)
            tokens = self._tokenizer(texts[rows], None if pairs is None else pairs[rows], max_length=self.max_length)
            for places, inputs in _batches(tokens, batch_size):
                for place, answer in zip(places, self._answer(inputs), strict=True):
                    answers[start + place] = answer
        return answers

    def _answer(self, inputs: Arrays) -> list[dict[str, Any]]:
        if "masked_positions" in self._graph.inputs:
            inputs["masked_positions"] = masked_positions(inputs["token_ids"], self._tokenizer.mask_id)
        return self._answers(inputs, self._graph.run({name: inputs[name] for name in self._graph.inputs}))


@dataclasses.dataclass(frozen=True)
class Graph:
    """A model's numbers without its text: what a predictor needs of any kind of file.

    Args:
        task: the task's name.
        labels: the names of the classes, if it has some.
        inputs: the names that `run` takes.
        max_length: the longest L.
        run: int32 arrays `[B, L]` by name to float32 arrays by name.
    """

    task: str
    labels: list[str] | None
    inputs: Sequence[str]
    max_length: int
    run: Callable[[Arrays], Arrays]


def _batches(tokens: Arrays, batch_size: int) -> Iterator[tuple[np.ndarray, Arrays]]:
    """Rows of like length together, each batch only as wide as its longest row, with the rows' places."""
    lengths = tokens["padding_mask"].sum(axis=1)
    order = np.argsort(-lengths, kind="stable")
    for start in range(0, len(order), batch_size):
        places = order[start : start + batch_size]
        width = lengths[places[0]]
        yield places, {name: values[places, :width] for name, values in tokens.items()}


def _graph_of(model: keras.Model) -> Graph:
    forward = forward_of(model)

    def run(inputs: Arrays) -> Arrays:
        return {name: value.numpy() for name, value in forward(inputs).items()}

    return Graph(task_of(model), labels_of(model), input_names(model), config_of(model).max_length, run)


def from_model_folder(path: Path) -> Predictor:
    """The predictor of a model folder or a TensorFlow 1 checkpoint's."""
    model, tokenizer = load(path)
    return Predictor(model, tokenizer)


def from_saved_model(path: Path) -> Predictor:
    """The predictor of a SavedModel's version folder."""
    if not (path / FACTS).is_file():
        raise InputError(f"{path} was not written by bert_keras.export.saved_model: {FACTS} is missing")
    try:
        facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        task, labels, names, longest = (facts[name] for name in ("task", "labels", "inputs", "max_length"))
    except (KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"{path / FACTS} was changed: it lacks what it should hold ({error})") from None
    try:
        loaded = tf.saved_model.load(str(path))
    except _UNREADABLE as error:
        reason = (str(error).splitlines() or [""])[0]
        raise InputError(f"{path} cannot be opened: a file of it is missing or damaged ({reason})") from error

    def run(inputs: Arrays) -> Arrays:
        # Looked up each time: a signature holds its variables weakly, and `loaded` owns them.
        outputs = loaded.signatures[SIGNATURE](**{name: tf.constant(value) for name, value in inputs.items()})
        return {name: value.numpy() for name, value in outputs.items()}

    # The vocabulary does not tell whether a DeBERTa has segments.
    tokenizer = Tokenizer.from_folder(path / TOKENIZER, segments="segment_ids" in names)
    return Predictor(Graph(task, labels, names, longest, run), tokenizer)
