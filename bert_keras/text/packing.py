"""Packs pieces into the arrays that models take: `[CLS] a [SEP]`, `[CLS] a [SEP] b [SEP]` or `<s> a </s></s> b </s>`.

Dimensions: B batch, L length.
"""

from collections.abc import Sequence

import numpy as np

from bert_keras.errors import InputError


def pack(
    first: Sequence[Sequence[int]],
    second: Sequence[Sequence[int]] | None,
    *,
    cls_id: int,
    sep_id: int,
    pad_id: int,
    separators: int = 1,
    segments: bool = True,
    max_length: int | None = None,
    pad: bool = False,
    truncate: bool = True,
) -> dict[str, np.ndarray]:
    """Pack the ids of texts, or of pairs of texts, into int32 arrays.

    Too long pairs lose pieces from the end of the longer text, one by one; where both are equally long, from the
    second. Too long single texts lose their end.

    Source: google-research/bert, run_classifier.py (`_truncate_seq_pair`).

    Args:
        first: B lists of ids without special tokens.
        second: B lists of ids, or None.
        cls_id: id of `[CLS]`.
        sep_id: id of `[SEP]`.
        pad_id: id that fills the rows up.
        separators: how many `[SEP]` stand between the texts of a pair.
        segments: give `segment_ids`.
        max_length: the longest row, special tokens included; None for no limit.
        pad: make all rows `max_length` long instead of as long as the longest.
        truncate: cut what is too long instead of refusing it.

    Returns:
        `token_ids`, `padding_mask` (1 where there is a piece or special token) and, if asked for, `segment_ids` (1 from
        the first piece of the second text to the last `[SEP]`), each int32 [B, L].

    Raises:
        InputError: `max_length` leaves no room for a piece of each text, `pad` has no `max_length`, or a row is too
            long and `truncate` is false.
    """
    is_pair = second is not None
    between = [sep_id] * separators if is_pair else []
    specials = 2 + len(between)  # [CLS], the last [SEP] and, in a pair, those between the texts
    _check_lengths(max_length, pad, specials, is_pair)
    pairs = list(zip(first, second, strict=True)) if second is not None else [(ids, ()) for ids in first]
    first_lengths = np.array([len(a) for a, _ in pairs], dtype=np.int64)  # [B]
    second_lengths = np.array([len(b) for _, b in pairs], dtype=np.int64)
    if max_length is not None:
        if not truncate:
            _refuse_longer(first_lengths + second_lengths + specials, max_length)
        first_lengths, second_lengths = _truncate_longest_first(first_lengths, second_lengths, max_length - specials)

    stream: list[int] = []
    for (a, b), a_length, b_length in zip(pairs, first_lengths, second_lengths, strict=True):
        stream += [cls_id, *a[:a_length], *between, *b[:b_length], sep_id]

    lengths = first_lengths + second_lengths + specials
    longest = max_length if pad and max_length is not None else int(lengths.max(initial=0))
    columns = np.arange(longest)
    mask = columns < lengths[:, None]  # [B, L]
    token_ids = np.full(mask.shape, pad_id, dtype=np.int32)
    token_ids[mask] = stream
    arrays = {"token_ids": token_ids, "padding_mask": mask.astype(np.int32)}
    if segments:
        second_begins = first_lengths + 1 + separators
        arrays["segment_ids"] = (mask & (columns >= second_begins[:, None])).astype(np.int32)
    return arrays


def _check_lengths(max_length: int | None, pad: bool, specials: int, is_pair: bool) -> None:
    least = specials + (2 if is_pair else 1)
    if max_length is None and pad:
        raise InputError("pad=True pads to max_length, which is not given")
    if max_length is not None and max_length < least:
        kind = "a pair of texts" if is_pair else "a text"
        raise InputError(f"max_length {max_length} is too small: {kind} with its special tokens needs at least {least}")


def _refuse_longer(lengths: np.ndarray, max_length: int) -> None:
    too_long = np.flatnonzero(lengths > max_length)
    if too_long.size:
        index = too_long[0]
        raise InputError(
            f"text {index} has {lengths[index]} tokens, more than max_length {max_length}; pass truncate=True to cut it"
        )


def _truncate_longest_first(first: np.ndarray, second: np.ndarray, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the lengths left when the longer of two texts loses one piece after the other until both fit."""
    half = (room + 1) // 2
    kept = np.minimum(first, np.maximum(room - second, half))
    return kept, np.minimum(second, room - kept)
