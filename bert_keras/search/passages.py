"""Long texts as passages that a model reads whole; no word is lost. N texts."""

import bisect
import itertools
from collections.abc import Sequence

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.tokenizer import Piece

_SENTENCE_ENDS = ".!?…。！？"


def passages(tokenizer: Tokenizer, texts: Sequence[str], max_length: int) -> list[list[str]]:
    """Cut each of N texts into passages, between paragraphs if it can be, else sentences, words, or pieces.

    Args:
        tokenizer: the model's.
        texts: N texts.
        max_length: the most tokens of a passage, `[CLS]` and `[SEP]` included.

    Returns:
        For each text its passages in order; a text that fits is one, unchanged.

    Raises:
        InputError: something is no text, or no piece fits into `max_length`.
    """
    room = max_length - 2
    if room < 1:
        raise InputError(f"max_length is {max_length}: a passage needs 3 tokens or more")
    ids = tokenizer.ids(texts)
    return [
        [text] if len(of_text) <= room else _cut(tokenizer, text, room)
        for text, of_text in zip(texts, ids, strict=True)
    ]


def _cut(tokenizer: Tokenizer, text: str, room: int) -> list[str]:
    pieces = tokenizer.tokenize(text)
    starts = [0, *_breaks(text, pieces, room)]
    places = [pieces[start][2] if start else 0 for start in starts] + [len(text)]
    found = [text[start:end].strip() for start, end in itertools.pairwise(places)]
    cut = []
    for passage in found:
        # Out of its place a text may have other pieces, and more of them.
        fits = len(found) == 1 or len(tokenizer.ids([passage])[0]) <= room
        cut += [passage] if fits else _cut(tokenizer, passage, room)
    return cut


def _breaks(text: str, pieces: list[Piece], room: int) -> list[int]:
    """The pieces that begin the second passage and those after it."""
    # A character of several pieces is not cut.
    places = [place for place in range(1, len(pieces)) if pieces[place][2] > pieces[place - 1][2]]
    breaks = [0]
    while len(pieces) - breaks[-1] > room:
        start = breaks[-1]
        after = places[bisect.bisect_right(places, start) :]
        near = after[: bisect.bisect_right(after, start + room)] or after[:1]
        if not near:
            break

        def worth(place: int, least: int = start + room // 2) -> tuple[bool, int, int]:
            # Early places last, or many small passages would arise.
            return place >= least, _rank(text, pieces[place - 1][3], pieces[place][2]), place

        breaks.append(max(near, key=worth))
    return breaks[1:]


def _rank(text: str, end: int, start: int) -> int:
    """How good a place to cut lies between two pieces: 3 a blank line, 2 a sentence's end, 1 white space, 0 none."""
    gap = text[end:start]
    if gap.count("\n") > 1:
        return 3
    ends_sentence = "\n" in gap or text[end - 1 : end] in _SENTENCE_ENDS
    if gap.strip() or not gap:
        # Languages without spaces end their sentences too.
        return 2 if text[end - 1 : end] in "。！？" else 0
    return 2 if ends_sentence else 1
