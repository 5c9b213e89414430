"""One number a text, or several with names. C numbers."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from bert_keras.answers.answer import Answer, Outputs
from bert_keras.text.rows import Row


class Number(Answer):
    """`score`, the first number, and the `scores` of all: their means over the windows of a text."""

    defaults: ClassVar[Mapping[str, Any]] = {"windows": False}

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        assert self.labels is not None
        values = np.mean([output["values"] for output in outputs], axis=0)  # [C]
        scores = {label: float(value) for label, value in zip(self.labels, values, strict=True)}
        return {"score": scores[self.labels[0]], "scores": scores}
