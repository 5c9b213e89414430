"""Answers of a model to raw texts, whatever runs it. B batch, L length."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from bert_keras.answers import KINDS
from bert_keras.answers.masks import masked_positions
from bert_keras.errors import InputError, whole_number
from bert_keras.text import Tokenizer
from bert_keras.text.rows import Row, batches_by_length, padded

Arrays = dict[str, np.ndarray]


class Graph(Protocol):
    """A model's numbers without its text.

    `labels` are the names of its classes. `answer` is the kind of its answers and their settings; None where it has
    none for a text. `batches` tells whether `run` takes several rows at once. `run` takes int32 `[B, L]` by name, those
    of `inputs` at least, and gives float32 arrays by name.
    """

    task: str
    labels: list[str] | None
    answer: dict[str, Any] | None
    inputs: Sequence[str]
    max_length: int
    batches: bool

    def run(self, inputs: Arrays) -> Arrays: ...


class Predictor:
    """Answers to texts; what `bert_keras.predictor` opens.

    Args:
        graph: the model.
        tokenizer: its tokenizer.
        max_length: tokens that are read of a text, or of a window of it; the model's longest if None.
        **settings: what the kind of answer has to choose.

    Raises:
        InputError: the model's task has no answer for a text, there is no such setting, or `max_length` is over the
            position table.
    """

    def __init__(self, graph: Graph, tokenizer: Tokenizer, max_length: int | None = None, **settings: Any):
        if max_length is not None and not 3 <= whole_number(max_length, "max_length") <= graph.max_length:
            raise InputError(f"max_length is {max_length}; this model takes 3 to {graph.max_length}")
        if graph.answer is None:
            raise InputError(f"a model for {graph.task} does not answer texts")
        self.task = graph.task
        self.max_length = max_length or graph.max_length
        self.tokenizer = tokenizer
        own = {**graph.answer, "labels": graph.labels, "max_length": self.max_length}
        self.needs_pairs: bool = own.pop("needs_pairs", False)
        self.kind: str = own.pop("kind")
        self._answer = KINDS[self.kind](tokenizer, own, **settings)
        self.settings = self._answer.settings
        self.labels = self._answer.labels
        self.graph = graph

    def __call__(
        self, texts: Sequence[Any], pairs: Sequence[Any] | None = None, batch_size: int = 32
    ) -> list[dict[str, Any]]:
        """Answer texts, or texts with their pairs, in their order.

        Rows of like length are computed together. What is over `max_length` tokens is cut off, but read in windows
        where the kind of answer has them.

        Args:
            texts: a list of texts; for token-classification a text may be a list of words; for question-answering
                they are the questions.
            pairs: a second text for each: what may follow it (next-sentence-prediction), the text that holds the
                answer (question-answering), a list of choices (multiple-choice).
            batch_size: rows that are computed together; a `.tflite` file computes them one by one.

        Returns:
            A dict a text: `label`, `score` and `scores` (one label); `labels` and `scores` (multi-label); `score`
            (regression); `entities` and `words` (token-classification); `text`, `start`, `end`, `score` and further
            `answers` (question-answering); `choice`, `text`, `score`, `scores` (multiple-choice); `masks`, for each
            mask token the likeliest pieces (fill-mask); `embedding` `[H]` (sentence-similarity); `sequence_output`
            `[tokens, H]` and `pooled_output` `[H]` (feature-extraction).

        Raises:
            InputError: something else than such lists, or a `batch_size` below 1.
        """
        texts, pairs = self._answer.check(texts, pairs)
        if self.needs_pairs and pairs is None:
            raise InputError(f"{self.task} needs pairs: a second text for each text")
        batch_size = whole_number(batch_size, "batch_size")
        answers: list[dict[str, Any]] = []
        step = self._answer.texts_at_once
        for start in range(0, len(texts), step):
            chunk = slice(start, start + step)
            answers += self._answers(texts[chunk], None if pairs is None else pairs[chunk], batch_size)
        return answers

    def _answers(self, texts: list[Any], pairs: list[Any] | None, batch_size: int) -> list[dict[str, Any]]:
        rows = self._answer.rows(texts, pairs)
        outputs = self._outputs(rows, batch_size if self.graph.batches else 1)
        of_text: list[list[int]] = [[] for _ in texts]
        for place, row in enumerate(rows):
            of_text[row.text].append(place)
        return [
            self._answer.answer(
                text,
                None if pairs is None else pairs[number],
                [rows[place] for place in places],
                [outputs[place] for place in places],
            )
            for number, (text, places) in enumerate(zip(texts, of_text, strict=True))
        ]

    def _outputs(self, rows: list[Row], batch_size: int) -> list[Arrays]:
        """What the model gives for each row, without padding."""
        outputs: list[Any] = [None] * len(rows)
        for places in batches_by_length(rows, batch_size):
            inputs = padded([rows[place] for place in places], self.tokenizer.pad_id)
            if "masked_positions" in self.graph.inputs:
                inputs["masked_positions"] = masked_positions(inputs["token_ids"], self.tokenizer.mask_id)
            result = self.graph.run(inputs)
            for line, place in enumerate(places):
                outputs[place] = {
                    name: values[line, : len(rows[place])] if name in self._answer.of_tokens else values[line]
                    for name, values in result.items()
                }
        return outputs
