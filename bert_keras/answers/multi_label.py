"""Any number of labels a text. C classes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from bert_keras.answers.answer import Answer, Outputs, mean_of_windows
from bert_keras.errors import one_for_each
from bert_keras.text import Tokenizer
from bert_keras.text.rows import Row


class MultiLabel(Answer):
    """`labels` whose probability reaches their threshold, likeliest first, and the `scores` of all."""

    defaults: ClassVar[Mapping[str, Any]] = {"windows": False, "thresholds": None}

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any], **chosen: Any):
        super().__init__(tokenizer, settings, **chosen)
        assert self.labels is not None
        given, labels = self.settings["thresholds"], self.labels
        self._thresholds = [0.5] * len(labels) if given is None else one_for_each(given, "thresholds", labels)

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        assert self.labels is not None
        scores = mean_of_windows(self.labels, outputs, "probabilities")
        reached = [label for label, least in zip(self.labels, self._thresholds, strict=True) if scores[label] >= least]
        return {"labels": sorted(reached, key=lambda label: -scores[label]), "scores": scores}
