"""One label a text, or a pair of texts. C classes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bert_keras.answers.answer import Answer, Outputs, mean_of_windows
from bert_keras.text.rows import Row


class Label(Answer):
    """`label`, its `score`, and the `scores` of all labels: the mean probabilities over the windows of a text."""

    defaults: ClassVar[Mapping[str, Any]] = {"windows": False}

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        assert self.labels is not None
        scores = mean_of_windows(self.labels, outputs, "probabilities")
        best = max(scores, key=lambda label: scores[label])
        return {"label": best, "score": scores[best], "scores": scores}
