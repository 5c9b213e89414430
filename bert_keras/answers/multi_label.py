"""Any number of labels a text. C classes."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from bert_keras.answers.answer import Answer, Outputs
from bert_keras.text.rows import Row


class MultiLabel(Answer):
    """`labels` whose probability reaches their threshold, likeliest first, and the `scores` of all."""

    defaults: ClassVar[Mapping[str, Any]] = {"windows": False, "thresholds": None}

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        assert self.labels is not None
        probabilities = np.mean([output["probabilities"] for output in outputs], axis=0)  # [C]
        scores = {label: float(p) for label, p in zip(self.labels, probabilities, strict=True)}
        thresholds = dict(zip(self.labels, self.settings["thresholds"] or [0.5] * len(self.labels), strict=True))
        reached = [label for label, score in scores.items() if score >= thresholds[label]]
        return {"labels": sorted(reached, key=lambda label: -scores[label]), "scores": scores}
