"""One number a text, or several with names. C numbers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bert_keras.answers.answer import Answer, Outputs, mean_of_windows
from bert_keras.text.rows import Row


class Number(Answer):
    """`score`, the first number, and the `scores` of all: their means over the windows of a text."""

    defaults: ClassVar[Mapping[str, Any]] = {"windows": False}

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        assert self.labels is not None
        scores = mean_of_windows(self.labels, outputs, "values")
        return {"score": scores[self.labels[0]], "scores": scores}
