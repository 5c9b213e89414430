"""Texts tokenized once, kept without padding.

Legend: N rows, T tokens of all rows together, L length of the longest row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bert_keras.text.rows import Row

# Characters in the padded rectangle that one tokenizer call makes: bounds its memory, however long one text is.
_CHARACTERS = 4_000_000


@dataclass(frozen=True)
class Encoded:
    """Rows of token ids, end to end.

    Args:
        token_ids: int32 [T].
        segment_ids: uint8 [T].
        starts: int64 [N + 1]: row i is `token_ids[starts[i]:starts[i + 1]]`.
    """

    token_ids: np.ndarray
    segment_ids: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Encoded":
        """Rows that are made already."""
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        tokens, segments = [row.token_ids for row in rows], [row.segment_ids.astype(np.uint8) for row in rows]
        return cls(_joined(tokens, np.int32), _joined(segments, np.uint8), starts)

    @property
    def lengths(self) -> np.ndarray:
        """Number of tokens of each row, int64 [N]."""
        return np.diff(self.starts)

    def padded(self, rows: np.ndarray, pad_id: int) -> dict[str, np.ndarray]:
        """Return the model inputs of some rows, padded to the longest: int32 [len(rows), L] each."""
        lengths = self.lengths[rows]
        real = np.arange(lengths.max(initial=0)) < lengths[:, None]
        tokens = np.full(real.shape, pad_id, np.int32)
        segments = np.zeros(real.shape, np.int32)
        source = (self.starts[rows][:, None] + np.arange(real.shape[1]))[real]
        tokens[real] = self.token_ids[source]
        segments[real] = self.segment_ids[source]
        return {"token_ids": tokens, "segment_ids": segments, "padding_mask": real.astype(np.int32)}


def encode(tokenizer: Any, texts: list[str], pairs: list[str] | None = None, max_length: int | None = None) -> Encoded:
    """Tokenize texts in large batches; special tokens are included.

    Args:
        tokenizer: `bert_keras.text.Tokenizer`.
        texts, pairs: one text (and second text) a row.
        max_length: longest row, in tokens; None for no limit.
    """
    tokens, segments, lengths = [], [], []
    for part in _parts(texts, pairs):
        arrays = tokenizer(texts[part], pairs[part] if pairs is not None else None, max_length=max_length)
        real = arrays["padding_mask"].astype(bool)
        tokens.append(arrays["token_ids"][real].astype(np.int32))
        # A tokenizer without segments has all texts in the first.
        segments.append(arrays.get("segment_ids", np.zeros(real.shape))[real].astype(np.uint8))
        lengths.append(real.sum(axis=1))
    starts = np.concatenate([[0], np.cumsum(np.concatenate([[], *lengths]))]).astype(np.int64)
    return Encoded(_joined(tokens, np.int32), _joined(segments, np.uint8), starts)


def _parts(texts: list[str], pairs: list[str] | None) -> Iterator[slice]:
    """Cut the rows so that rows x longest row of a part stays within the budget."""
    begin, longest = 0, 0
    for row, text in enumerate(texts):
        # Three for the special tokens, so that empty texts count too.
        size = len(text) + (len(pairs[row]) if pairs is not None else 0) + 3
        if row > begin and max(longest, size) * (row + 1 - begin) > _CHARACTERS:
            yield slice(begin, row)
            begin, longest = row, 0
        longest = max(longest, size)
    if texts:
        yield slice(begin, len(texts))


def _joined(arrays: list[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)
