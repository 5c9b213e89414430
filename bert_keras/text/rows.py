"""Rows of a model's batch, made of texts: a text a row, or windows of it. L length of a row."""

import bisect
import dataclasses
from collections.abc import Iterator, Sequence, Sized
from typing import Protocol

import numpy as np

from bert_keras.errors import InputError
from bert_keras.text.tokenizer import Tokenizer

# Share of a window that the next one repeats, so that what lies across the edge of one is whole in another.
_OVERLAP = 0.25


@dataclasses.dataclass(frozen=True)
class Row:
    """One row of a model's batch, without padding.

    Args:
        text: which of the given texts it is a part of, from 0.
        token_ids: int32 `[L]`, special tokens included.
        segment_ids: int32 `[L]`.
        words: int `[L]`: the word whose first piece stands here, else -1; None where words do not matter.
        starts, ends: int `[L]`: what the piece stands for, in code points of the text that answers come from; -1 for
            pieces of other texts and special tokens. None where places do not matter.
        best: bool `[L]`: of all windows that hold this piece, this one has the most around it. None likewise.
    """

    text: int
    token_ids: np.ndarray
    segment_ids: np.ndarray
    words: np.ndarray | None = None
    starts: np.ndarray | None = None
    ends: np.ndarray | None = None
    best: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.token_ids)


def text_rows(
    tokenizer: Tokenizer,
    texts: Sequence[str],
    pairs: Sequence[str] | None,
    max_length: int | None,
    windows: bool = False,
) -> list[Row]:
    """A row a text, or a row for each window of it.

    Args:
        tokenizer: the model's.
        texts, pairs: the texts, and a second text for each.
        max_length: the longest row, special tokens included.
        windows: a text that is too long becomes several rows instead of losing its end; of a pair the second text is
            cut into windows, and the first is repeated in each.

    Raises:
        InputError: as the tokenizer; or the first text of a pair leaves no room for the second.
    """
    if not windows or max_length is None:
        return unpadded(tokenizer(texts, pairs, max_length=max_length), range(len(texts)))
    first = tokenizer.ids(texts)
    if pairs is None:
        parts = [[ids[begin:end] for begin, end in window_bounds(len(ids), max_length - 2)] for ids in first]
        owners = [text for text, of_text in enumerate(parts) for _ in of_text]
        flat = [part for of_text in parts for part in of_text]
        return unpadded(tokenizer.pack_ids(flat, max_length=max_length), owners)
    second = tokenizer.ids(pairs, name="pairs")
    if len(first) != len(second):
        raise InputError(f"there are {len(first)} texts but {len(second)} pairs; each text needs one")
    heads, tails, owners = [], [], []
    for text, (a, b) in enumerate(zip(first, second, strict=True)):
        # The first text keeps at most half the row.
        a = a[: max(max_length // 2, max_length - 2 - tokenizer.separators - len(b))]
        room = max_length - 2 - tokenizer.separators - len(a)
        for begin, end in window_bounds(len(b), room) if b else [(0, 0)]:
            heads.append(a)
            tails.append(b[begin:end])
            owners.append(text)
    return unpadded(tokenizer.pack_ids(heads, tails, max_length), owners)


def window_bounds(
    length: int, room: int, stride: int | None = None, begins: Sequence[int] | None = None
) -> list[tuple[int, int]]:
    """Windows over `length` pieces that skip none: (begin, end), one at least.

    Args:
        length: number of pieces.
        room: most pieces of a window, 1 or more.
        stride: pieces between the begins of two windows, 1 to `room`; three quarters of `room` if None.
        begins: where windows had better begin, ascending: at the last of these before `stride` pieces are over.

    Raises:
        InputError: no room, or a stride that skips pieces.
    """
    if room < 1:
        raise InputError(f"a window has room for {room} pieces: give a greater max_length")
    if stride is None:
        stride = max(1, round(room * (1 - _OVERLAP)))
    if not 1 <= stride <= room:
        raise InputError(f"stride is {stride}: windows of {room} pieces need one of 1 to {room}, or pieces are skipped")
    bounds = [(0, min(length, room))]
    while bounds[-1][1] < length:
        begin = bounds[-1][0] + stride
        if begins is not None:
            nearest = bisect.bisect_right(begins, begin) - 1
            begin = begins[nearest] if nearest >= 0 and begins[nearest] > bounds[-1][0] else begin
        bounds.append((begin, min(length, begin + room)))
    return bounds


def best_windows(bounds: Sequence[tuple[int, int]]) -> np.ndarray:
    """The window in which each piece has the most around it, of equal ones the first: int `[pieces]`.

    Source: google-research/bert, run_squad.py (`_check_is_max_context`).

    Args:
        bounds: what `window_bounds` gives.
    """
    length = bounds[-1][1]
    best, most = np.zeros(length, np.int64), np.full(length, -1.0)
    for window, (begin, end) in enumerate(bounds):
        before = np.arange(end - begin)
        around = np.minimum(before, before[::-1]) + 0.01 * (end - begin)
        better = around > most[begin:end]
        best[begin:end][better] = window
        most[begin:end][better] = around[better]
    return best


def unpadded(arrays: dict[str, np.ndarray], owners: Sequence[int]) -> list[Row]:
    """The rows of what a tokenizer gives.

    Args:
        arrays: int32 `[B, L]` by name.
        owners: the text of each row.
    """
    lengths = arrays["padding_mask"].sum(axis=1)
    segments = arrays.get("segment_ids")
    if segments is None:
        segments = np.zeros_like(arrays["token_ids"])
    # Copies: a slice would keep the whole padded array alive.
    return [
        Row(owner, arrays["token_ids"][row, :length].copy(), segments[row, :length].copy())
        for row, (owner, length) in enumerate(zip(owners, lengths, strict=True))
    ]


def batches_by_length(rows: Sequence[Sized], batch_size: int) -> Iterator[list[int]]:
    """Places of rows of like length, the longest first, so that little is padded.

    Args:
        rows: their lengths alone are read.
        batch_size: places that are given together; the last may be fewer.
    """
    order = sorted(range(len(rows)), key=lambda place: -len(rows[place]))
    for start in range(0, len(order), batch_size):
        yield order[start : start + batch_size]


class Tokens(Protocol):
    """What `padded` reads of a row."""

    @property
    def token_ids(self) -> np.ndarray: ...

    @property
    def segment_ids(self) -> np.ndarray: ...

    def __len__(self) -> int: ...


def padded(rows: Sequence[Tokens], pad_id: int) -> dict[str, np.ndarray]:
    """The inputs of rows, padded to the longest: int32 `[len(rows), L]` each.

    Args:
        rows: at least one.
        pad_id: fills `token_ids` up.
    """
    lengths = np.array([len(row) for row in rows])
    real = np.arange(lengths.max()) < lengths[:, None]
    tokens = np.full(real.shape, pad_id, np.int32)
    segments = np.zeros(real.shape, np.int32)
    tokens[real] = np.concatenate([row.token_ids for row in rows])
    segments[real] = np.concatenate([row.segment_ids for row in rows])
    return {"token_ids": tokens, "segment_ids": segments, "padding_mask": real.astype(np.int32)}
