"""One vector a text. E dimensions."""

from typing import Any

from bert_keras.answers.answer import Answer, Outputs
from bert_keras.text.rows import Row


class Embedding(Answer):
    """`embedding`, float32 `[E]`."""

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        return {"embedding": outputs[0]["embedding"].copy()}
