"""The pieces that may stand at the mask tokens of a text. K masks, V vocabulary."""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from bert_keras.answers.answer import Answer, Outputs, softmax
from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.mask_rows import mask_places, mask_rows, masks_in
from bert_keras.text.rows import Row


class Masks(Answer):
    """`masks`: for each mask token of a text the likeliest pieces.

    A piece is `text`, as it stands in a text; `piece` and `id`, as in the vocabulary; `score`, its probability among
    the whole vocabulary; and `sequence`, the text with it in the mask's place (of a pair the text of the two that has
    the mask). Long texts are read in windows.

    Settings: `best`, how many pieces are listed; `whole_words`: at a mask that begins a word no pieces whose letters
    would go on with one, as `##ing`, and nowhere special tokens and parts of a character.
    """

    defaults: ClassVar[Mapping[str, Any]] = {"best": 5, "whole_words": True}
    texts_at_once: ClassVar[int] = 256  # an output is as wide as the vocabulary

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any], **chosen: Any):
        super().__init__(tokenizer.with_mask_in_text(), settings, **chosen)
        self._special = set(tokenizer.special_tokens.values())

    def rows(self, texts: list[Any], pairs: list[Any] | None) -> list[Row]:
        return mask_rows(self.tokenizer, texts, pairs, self.max_length)

    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        found = []
        for row, output in zip(rows, outputs, strict=True):
            read = masks_in(row, self.tokenizer.mask_id)
            found += list(output["logits"][: len(read)][read])
        texts = [text] if pair is None else [text, pair]
        places = [(each, *place) for each in texts for place in mask_places(self.tokenizer, each)]
        if len(found) < len(places):
            raise InputError(
                f"the pair of {text[:40]!r} has {len(places)} masks, of which {len(found)} are within the "
                f"{self.max_length} tokens that are read: shorten its texts"
            )
        return {"masks": [self._best_pieces(logits, *place) for logits, place in zip(found, places, strict=True)]}

    def _best_pieces(self, logits: np.ndarray, text: str, start: int, end: int) -> list[dict[str, Any]]:
        """The likeliest pieces for logits `[V]` at the mask `text[start:end]`."""
        probabilities = softmax(logits)
        # Tables that were padded for speed have rows without a piece.
        ranked = probabilities[: len(self.tokenizer.vocabulary)]
        if self.settings["whole_words"]:
            apart = text[start - 1].isspace() if start else self._texts_begin_apart
            ranked = np.where(self._apart if apart else self._whole, ranked, -1)
        best = np.argsort(-ranked, kind="stable")[: self.settings["best"]]
        return [
            {**self._put(int(i), text, start, end), "score": float(probabilities[i])} for i in best if ranked[i] >= 0
        ]

    @functools.cached_property
    def _texts(self) -> list[str]:
        """Each piece as it stands in a text."""
        return [self.tokenizer.piece_text(piece) for piece in self.tokenizer.vocabulary]

    @functools.cached_property
    def _whole(self) -> np.ndarray:
        """Whether each piece is made of whole characters and no special token: bool `[V]`."""
        pieces = zip(self.tokenizer.vocabulary, self._texts, strict=True)
        # The mark of a space may be a piece by itself, which is no answer.
        return np.array(
            [piece not in self._special and "\ufffd" not in text and bool(text.strip()) for piece, text in pieces]
        )

    @functools.cached_property
    def _apart(self) -> np.ndarray:
        """Whether each of them may begin a word: bool `[V]`."""
        pieces = zip(self.tokenizer.vocabulary, self._texts, strict=True)
        goes_on = [text[:1].isalnum() and self.tokenizer.continues_word(piece) for piece, text in pieces]
        return self._whole & ~np.array(goes_on)

    @functools.cached_property
    def _texts_begin_apart(self) -> bool:
        """Whether the first piece of a text begins a word as those behind spaces do; RoBERTa's lacks the space."""
        return not any(self.tokenizer.continues_word(piece) for piece, *_ in self.tokenizer.tokenize("a")[:1])

    def _put(self, index: int, text: str, start: int, end: int) -> dict[str, Any]:
        """A piece, and the text with it in place of `text[start:end]`."""
        piece = self.tokenizer.vocabulary[index]
        word, before = self.tokenizer.piece_text(piece), text[:start]
        if piece not in self._special and self.tokenizer.continues_word(piece):
            before = before.rstrip()
        elif word.startswith(" ") and (not before or before[-1].isspace()):
            word = word[1:]
        return {"text": word.strip(), "piece": piece, "id": index, "sequence": f"{before}{word}{text[end:]}"}


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
