"""Extractive question answering: from logits to spans of the context.

L length of a row, S places where a span may begin, W the longest span.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bert_keras.answers.answer import Answer, Outputs, softmax
from bert_keras.errors import InputError, whole_number
from bert_keras.text import Tokenizer
from bert_keras.text.question_rows import question_rows
from bert_keras.text.rows import Row

_LOGITS = ("start_logits", "end_logits")


class _Span(NamedTuple):
    """A part of the context; the score is the sum of two logits."""

    start: int
    end: int
    score: float


class Spans(Answer):
    """`text`, the part of the context that answers the question, with `start`, `end` and `score`; `answers`, the best.

    The text is `context[start:end]`. `answers` are dicts of the same four, the best first, and their scores add up to
    1. `null_score` says by how much nothing scores better than the best span, in logits. Nothing is "" at 0; it is
    listed with `no_answer`, or where the context is empty.

    A span begins and ends with pieces of the context, begins where its window is the best of those that hold the piece,
    and is no longer than `longest_answer`. All such spans of all windows are compared; Google's code compares those of
    a window's 20 best begins and ends alone, which may all lie in the question.

    Source: google-research/bert, run_squad.py (`write_predictions`).

    Settings: `stride` and `question_length`, see `question_rows`; `longest_answer`, in pieces; `best`, how many answers
    are listed; `no_answer`: the model has learned that a context may not answer the question; `null_threshold`: then
    nothing is the answer where its score is better than that of the best span by more than this.
    """

    defaults: ClassVar[Mapping[str, Any]] = {
        "stride": None,
        "question_length": None,
        "longest_answer": 30,
        "best": 20,
        "no_answer": False,
        "null_threshold": 0.0,
    }
    of_tokens = frozenset(_LOGITS)
    # Each may have thousands of windows.
    texts_at_once: ClassVar[int] = 256

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any], **chosen: Any):
        super().__init__(tokenizer, settings, **chosen)
        for name in ("stride", "question_length"):
            if self.settings[name] is not None:
                self.settings[name] = whole_number(self.settings[name], name)
        self.longest_answer: int = self.settings["longest_answer"]
        self.best: int = self.settings["best"]

    def check(self, texts: Sequence[Any], pairs: Sequence[Any] | None) -> tuple[list[Any], list[Any] | None]:
        if pairs is None:
            raise InputError("question-answering needs the context of each question; give contexts as pairs")
        return super().check(texts, pairs)

    def rows(self, texts: list[Any], pairs: list[Any] | None) -> list[Row]:
        assert pairs is not None
        stride, question_length = self.settings["stride"], self.settings["question_length"]
        return question_rows(self.tokenizer, texts, pairs, self.max_length, stride, question_length)

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        starts, ends = ([output[name].astype(np.float64) for output in outputs] for name in _LOGITS)
        spans = self._best_spans(rows, starts, ends)
        nothing = _Span(0, 0, min(float(start[0] + end[0]) for start, end in zip(starts, ends, strict=True)))
        null_score = nothing.score - (spans[0].score if spans else 0.0)
        no_answer = self.settings["no_answer"]
        listed = self._with_nothing(spans, nothing) if no_answer or not spans else spans
        is_nothing = not spans or (no_answer and null_score > self.settings["null_threshold"])

        weights = softmax(np.array([span.score for span in listed]))
        answers = [
            {"text": pair[span.start : span.end], "start": span.start, "end": span.end, "score": float(weight)}
            for span, weight in zip(listed, weights, strict=True)
        ]
        chosen = answers[listed.index(nothing if is_nothing else spans[0])]
        return {**chosen, "answers": answers, "null_score": null_score}

    def _best_spans(self, rows: Sequence[Row], starts: Sequence[np.ndarray], ends: Sequence[np.ndarray]) -> list[_Span]:
        """The best spans of all rows, no place twice, the best first."""
        found = [self._candidates(row, start, end) for row, start, end in zip(rows, starts, ends, strict=True)]
        places, scores = np.concatenate([places for places, _ in found]), np.concatenate([each for _, each in found])
        count = self.best
        while True:
            best: dict[tuple[int, int], _Span] = {}
            for index in _highest(scores, count):
                start, end = places[index].tolist()
                best.setdefault((start, end), _Span(start, end, float(scores[index])))
            # A character of several pieces is found several times, and takes the room of others.
            if len(best) >= self.best or count >= len(scores):
                return list(best.values())[: self.best]
            count *= 2

    def _candidates(self, row: Row, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places `[., 2]` and scores `[.]` of a row's spans."""
        assert row.starts is not None and row.ends is not None and row.best is not None
        begins = np.flatnonzero(row.best & (row.starts >= 0))  # [S]
        beyond = np.full(self.longest_answer, -1)
        row_ends, logits = np.concatenate([row.ends, beyond]), np.concatenate([end, beyond])
        last = begins[:, None] + np.arange(self.longest_answer)  # [S, W]
        begin, length = np.nonzero(row_ends[last] >= 0)
        first, last = begins[begin], last[begin, length]
        return np.stack([row.starts[first], row_ends[last]], axis=1), start[first] + logits[last]

    def _with_nothing(self, spans: list[_Span], nothing: _Span) -> list[_Span]:
        """The list with nothing at its rank, for which the last one makes room."""
        better = sum(span.score >= nothing.score for span in spans)
        if better < self.best:
            spans = spans[: max(1, self.best - 1)]
        return sorted([*spans, nothing], key=lambda span: -span.score)


def _highest(scores: np.ndarray, count: int) -> np.ndarray:
    """Where the `count` highest stand, the highest first; of equal ones the first."""
    if count < len(scores):
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        found = np.flatnonzero(scores >= least)
    else:
        found = np.arange(len(scores))
    return found[np.argsort(-scores[found], kind="stable")][:count]
