"""Texts with mask tokens as rows of a model's batch. L length of a row."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from bert_keras.text.mask_parts import mask_parts
from bert_keras.text.rows import Row, best_windows, text_rows, unpadded, window_bounds
from bert_keras.text.tokenizer import Tokenizer


def mask_rows(tokenizer: Tokenizer, texts: Sequence[str], pairs: Sequence[str] | None, max_length: int) -> list[Row]:
    """A row a text; of a longer one several, so that no mask is lost, and `best` tells which one to read a mask in.

    Pairs that are too long are cut.

    Args:
        tokenizer: the model's, for which the mask token in a text is one piece.
        texts, pairs: the texts, and a second text for each.
        max_length: the longest row, special tokens included.

    Raises:
        InputError: as the tokenizer; or `max_length` leaves no room for a piece.
    """
    if pairs is not None:
        return text_rows(tokenizer, texts, pairs, max_length)
    parts, owners, best = [], [], []
    for text, ids in enumerate(tokenizer.ids(texts)):
        bounds = window_bounds(len(ids), max_length - 2)
        window_of = best_windows(bounds)
        for window, (begin, end) in enumerate(bounds):
            parts.append(ids[begin:end])
            owners.append(text)
            best.append(np.array([False, *(window_of[begin:end] == window), False]))
    rows = unpadded(tokenizer.pack_ids(parts, max_length=max_length), owners)
    return [dataclasses.replace(row, best=of_row) for row, of_row in zip(rows, best, strict=True)]


def masks_in(row: Row, mask_id: int) -> np.ndarray:
    """Which of a row's mask tokens, in their order, are read in this row: bool `[masks]`.

    Args:
        row: of `mask_rows`.
        mask_id: id of the mask token.
    """
    is_mask = row.token_ids == mask_id
    return np.ones(is_mask.sum(), bool) if row.best is None else row.best[is_mask]


def mask_places(tokenizer: Tokenizer, text: str) -> list[tuple[int, int]]:
    """Where mask tokens stand in a text: (start, end) in code points.

    Args:
        tokenizer: says what a mask token is.
        text: any text.
    """
    parts = mask_parts(text, tokenizer.special_tokens["mask"], takes_space=False)
    return [(part.start, part.end) for part in parts if part.is_mask]
