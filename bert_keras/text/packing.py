"""Packs pieces into the arrays that models take: `[CLS] a [SEP]` or `[CLS] a [SEP] b [SEP]`.

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
        max_length: the longest row, special tokens included; None for no limit.
        pad: make all rows `max_length` long instead of as long as the longest.
        truncate: cut what is too long instead of refusing it.

    Returns:
        `token_ids`, `segment_ids` (1 from the first piece of the second text to the last `[SEP]`) and `padding_mask`
        (1 where there is a piece or special token), each int32 [B, L].

    Raises:
        InputError: `max_length` leaves no room for a piece of each text, `pad` has no `max_length`, or a row is too
            long and `truncate` is false.
    """
    is_pair = second is not None
    _check_lengths(max_length, pad, least=5 if is_pair else 3)
    pairs = list(zip(first, second, strict=True)) if second is not None else [(ids, ()) for ids in first]
    specials = 3 if is_pair else 2  # [CLS], [SEP] and, with a pair, one more [SEP]
    first_lengths = np.array([len(a) for a, _ in pairs], dtype=np.int64)  # [B]
    second_lengths = np.array([len(b) for _, b in pairs], dtype=np.int64)
    if max_length is not None:
        if not truncate:
            _refuse_longer(first_lengths + second_lengths + specials, max_length)
        first_lengths, second_lengths = _truncate_longest_first(first_lengths, second_lengths, max_length - specials)

    stream: list[int] = []
    last = [sep_id] if is_pair else []
    for (a, b), a_length, b_length in zip(pairs, first_lengths, second_lengths, strict=True):
        stream += [cls_id, *a[:a_length], sep_id, *b[:b_length], *last]

    lengths = first_lengths + second_lengths + specials
    longest = max_length if pad and max_length is not None else int(lengths.max(initial=0))
    columns = np.arange(longest)
    mask = columns < lengths[:, None]  # [B, L]
    token_ids = np.full(mask.shape, pad_id, dtype=np.int32)
    token_ids[mask] = stream
    second_begins = first_lengths + 2
    return {
        "token_ids": token_ids,
        "segment_ids": (mask & (columns >= second_begins[:, None])).astype(np.int32),
        "padding_mask": mask.astype(np.int32),
    }


def _check_lengths(max_length: int | None, pad: bool, least: int) -> None:
    if max_length is None and pad:
        raise InputError("pad=True pads to max_length, which is not given")
    if max_length is not None and max_length < least:
        kind = "a pair of texts" if least == 5 else "a text"
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
