"""The pieces that may stand at the mask tokens of a text. K masks, V vocabulary."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from bert_keras.answers.answer import Answer, Outputs
from bert_keras.text import Tokenizer
from bert_keras.text.rows import Row


class Masks(Answer):
    """`masks`: for each mask token of a text the likeliest pieces, each with `piece`, `id` and `score`."""

    defaults: ClassVar[Mapping[str, Any]] = {"best": 5}

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any], **chosen: Any):
        super().__init__(tokenizer.with_mask_in_text(), settings, **chosen)

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        count = int((rows[0].token_ids == self.tokenizer.mask_id).sum())
        return {"masks": [self._best_pieces(logits) for logits in outputs[0]["logits"][:count]]}

    def _best_pieces(self, logits: np.ndarray) -> list[dict[str, Any]]:
        """The likeliest pieces for logits `[V]`."""
        shifted = np.exp(logits - logits.max())
        probabilities = shifted / shifted.sum()
        vocabulary = self.tokenizer.vocabulary
        # Tables that were padded for speed have rows without a piece.
        best = np.argsort(-probabilities[: len(vocabulary)], kind="stable")[: self.settings["best"]]
        return [{"piece": vocabulary[i], "id": int(i), "score": float(probabilities[i])} for i in best]


def masked_positions(token_ids: np.ndarray, mask_id: int) -> np.ndarray:
    """Where the mask token stands in each row: int32 `[B, K]`, filled up with 0, K at least 1.

    Args:
        token_ids: int32 `[B, L]`.
        mask_id: its id.
    """
    found = [np.flatnonzero(row == mask_id) for row in token_ids]
    width = max([1, *map(len, found)])
    positions = np.zeros((len(found), width), np.int32)
    for row, places in enumerate(found):
        positions[row, : len(places)] = places
    return positions
