"""The best of several choices. C choices, which are computed as C rows."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.answers.answer import Answer, Outputs, check_as_many, check_strings, checked_list, softmax
from bert_keras.errors import InputError
from bert_keras.text.rows import Row, text_rows


class Choice(Answer):
    """`choice`, the place of the best from 0, its `text` and `score`, and the `scores` of all choices."""

    def check(self, texts: Sequence[Any], pairs: Sequence[Any] | None) -> tuple[list[Any], list[Any] | None]:
        texts = checked_list(texts, "texts")
        check_strings(texts, "texts")
        if pairs is None:
            raise InputError("a model that chooses needs pairs: a list of choices for each text")
        pairs = checked_list(pairs, "pairs")
        check_as_many(texts, pairs)
        listed = [checked_list(choices, f"pairs[{place}]") for place, choices in enumerate(pairs)]
        for place, choices in enumerate(listed):
            if not choices:
                raise InputError(f"pairs[{place}] is empty; it must be a list of choices")
            check_strings(choices, f"pairs[{place}]")
        return texts, listed

    def rows(self, texts: list[Any], pairs: list[Any] | None) -> list[Row]:
        assert pairs is not None
        owners = [place for place, choices in enumerate(pairs) for _ in choices]
        flat = [choice for choices in pairs for choice in choices]
        rows = text_rows(self.tokenizer, [texts[owner] for owner in owners], flat, self.max_length)
        return [dataclasses.replace(row, text=owner) for row, owner in zip(rows, owners, strict=True)]

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        logits = np.array([output["logits"][0] for output in outputs])  # [C]
        scores = softmax(logits).tolist()
        best = int(np.argmax(logits))
        return {"choice": best, "text": pair[best], "score": scores[best], "scores": scores}
