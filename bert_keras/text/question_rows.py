"""Rows of questions: a question before each window of its context, and where in them an answer stands.

L length of a row, R rows, N pieces of a context.
"""

from collections.abc import Sequence

import numpy as np

from bert_keras.errors import InputError
from bert_keras.text.rows import Row, best_windows, unpadded, window_bounds
from bert_keras.text.tokenizer import Tokenizer
from bert_keras.text.words import check_string

LONGEST_QUESTION, STRIDE = 64, 128
# Place of a piece that stands for nothing of the context.
NOWHERE = (-1, -1)


def question_rows(
    tokenizer: Tokenizer,
    questions: Sequence[str],
    contexts: Sequence[str],
    max_length: int = 384,
    stride: int | None = None,
    question_length: int | None = None,
) -> list[Row]:
    """A row for each window of each context, behind its question; every piece of a context is in one at least.

    Places are those of the context as given, without white space at the edges; a piece of white space alone has none.

    Source: google-research/bert, run_squad.py (`convert_examples_to_features`, `_check_is_max_context`).

    Args:
        tokenizer: the model's.
        questions, contexts: as many of the one as of the other.
        max_length: the longest row, special tokens included.
        stride: pieces between the begins of two windows; 128, or three quarters of the least room if that is less.
        question_length: pieces of a question that are kept; 64, or a quarter of `max_length` if that is less.

    Raises:
        InputError: something is not a string, other numbers of questions and contexts, no room for a context, or a
            stride that skips pieces.
    """
    if question_length is None:
        question_length = min(LONGEST_QUESTION, max(1, max_length // 4))
    room = max_length - 2 - tokenizer.separators
    stride = _checked_stride(max_length, room, stride, question_length)
    question_ids = tokenizer.ids(questions, name="questions")
    if isinstance(contexts, str | bytes):
        raise InputError("contexts is one string; give a list of strings")
    if len(question_ids) != len(contexts):
        raise InputError(
            f"there are {len(question_ids)} questions but {len(contexts)} contexts; each question needs one"
        )

    # Many questions share a context.
    seen: dict[str, tuple[list[int], np.ndarray]] = {}
    rows: list[Row] = []
    for text, (question, context) in enumerate(zip(question_ids, contexts, strict=True)):
        check_string(context, f"contexts[{text}]")
        if context not in seen:
            seen[context] = _pieces(tokenizer, context)
        ids, places = seen[context]
        question = question[:question_length]
        bounds = window_bounds(len(ids), room - len(question), stride)
        arrays = tokenizer.pack_ids([question] * len(bounds), [ids[begin:end] for begin, end in bounds], max_length)
        offset = 1 + len(question) + tokenizer.separators
        best = best_windows(bounds)
        for window, row in enumerate(unpadded(arrays, [text] * len(bounds))):
            begin, end = bounds[window]
            starts, ends = np.full((2, len(row)), -1, np.int32)
            starts[offset:-1], ends[offset:-1] = places[:, begin:end]
            has_most = np.zeros(len(row), bool)
            has_most[offset:-1] = best[begin:end] == window
            rows.append(Row(text, row.token_ids, row.segment_ids, None, starts, ends, has_most))
    return rows


def answer_targets(rows: Sequence[Row], answers: Sequence[Sequence[tuple[str, int]]]) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last piece of each row's answer: int32 `[R]` each; 0, the `[CLS]`, where it has none.

    An answer's pieces are those that share a character with it. A row has an answer if it has all of it.

    Source: google-research/bert, run_squad.py.

    Args:
        rows: what `question_rows` made, all windows of a context.
        answers: of each question; (text, place of its first character in the context) each, of which the first one
            counts. Without any, the question has no answer.
    """
    first, last = np.zeros((2, len(rows)), np.int32)
    spans = [_stripped(*of_text[0]) if of_text else NOWHERE for of_text in answers]
    reach = _reach(rows)
    for index, row in enumerate(rows):
        assert row.starts is not None and row.ends is not None
        pieces = np.flatnonzero(row.starts >= 0)
        if spans[row.text] == NOWHERE or not pieces.size:
            continue
        # Characters at a context's very ends may have no piece, as tokenizers drop some.
        begin, end = np.clip(spans[row.text], *reach[row.text])
        held = pieces[(row.starts[pieces] < end) & (row.ends[pieces] > begin)]
        if not held.size:
            continue
        cut_before = held[0] == pieces[0] and row.starts[held[0]] > begin
        cut_behind = held[-1] == pieces[-1] and row.ends[held[-1]] < end
        if not cut_before and not cut_behind:
            first[index], last[index] = held[0], held[-1]
    return first, last


def _checked_stride(max_length: int, room: int, stride: int | None, question_length: int) -> int:
    """The stride, if it skips no piece beside the longest question, so that it skips none beside any."""
    least = room - question_length
    if question_length < 1:
        raise InputError(f"question_length is {question_length}; it must be 1 or more")
    if least < 1:
        raise InputError(
            f"max_length {max_length} leaves no room for a context beside a question of {question_length} pieces; "
            f"give {max_length + 1 - least} or more"
        )
    if stride is None:
        return min(STRIDE, max(1, least * 3 // 4))
    if not 1 <= stride <= least:
        raise InputError(
            f"stride is {stride}: a window of max_length {max_length} has room for {least} pieces beside a question of "
            f"{question_length}, so give 1 to {least}, or pieces are skipped"
        )
    return stride


def _pieces(tokenizer: Tokenizer, context: str) -> tuple[list[int], np.ndarray]:
    """The ids of a context's pieces, and where each begins and ends: int32 `[2, N]`."""
    pieces = tokenizer.tokenize(context)
    places = [_stripped(context[start:end], start) for _, _, start, end in pieces]
    return [index for _, index, _, _ in pieces], np.array(places, np.int32).reshape(-1, 2).T


def _stripped(text: str, start: int) -> tuple[int, int]:
    """Where a text that stands at `start` begins and ends without the white space at its edges."""
    shown = text.strip()
    if not shown:
        return NOWHERE
    start += len(text) - len(text.lstrip())
    return start, start + len(shown)


def _reach(rows: Sequence[Row]) -> dict[int, tuple[int, int]]:
    """From where to where the pieces of each context reach, for contexts with any."""
    reach: dict[int, tuple[int, int]] = {}
    for row in rows:
        assert row.starts is not None and row.ends is not None
        held = row.starts >= 0
        if held.any():
            begin, end = int(row.starts[held].min()), int(row.ends.max())
            least, most = reach.get(row.text, (begin, end))
            reach[row.text] = min(begin, least), max(end, most)
    return reach
