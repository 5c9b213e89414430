"""The encoder's own outputs. L length, H hidden."""

from typing import Any, ClassVar

from bert_keras.answers.answer import Answer, Outputs
from bert_keras.text.rows import Row


class Features(Answer):
    """`sequence_output` `[L, H]`, a vector a token, and with a pooler `pooled_output` `[H]`."""

    of_tokens = frozenset({"sequence_output"})
    texts_at_once: ClassVar[int] = 256  # a vector a token is kept of each

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        # Each token's first: the graph gives them in the alphabet's order.
        return {name: outputs[0][name].copy() for name in sorted(outputs[0], reverse=True)}
