"""Finds the words of a text, as people count them: what taggers label and what entities are made of."""

import re
from collections.abc import Iterator

from bert_keras.text.rules import is_cjk, is_dropped, is_punctuation

# What white space separates, each CJK character by itself (the ranges of BERT's rules).
_CHUNK = re.compile(r"\S+")


def word_bounds(text: str) -> list[tuple[int, int]]:
    """The words of a text, each as `(start, end)` in its code points.

    White space separates words. Of what it separates, each punctuation character at the beginning and at the end is a
    word, and so is each CJK character; punctuation within stays: `(U.S., it's)` is `(`, `U.S`, `.`, `,`, `it's`, `)`.
    Characters that tokenizers drop, as controls and zero-width spaces, belong to a word only if they stand within it.

    Args:
        text: any string.
    """
    bounds: list[tuple[int, int]] = []
    for chunk in _CHUNK.finditer(text):
        word = chunk.group()
        if word.isascii() and word.isalnum():
            bounds.append(chunk.span())
            continue
        begin = chunk.start()
        for start, end in _without_cjk(word):
            bounds += _peeled(text, begin + start, begin + end)
    return bounds


def _without_cjk(chunk: str) -> Iterator[tuple[int, int]]:
    """Cut a chunk into CJK characters and what is between them."""
    begin = 0
    for place, character in enumerate(chunk):
        if is_cjk(character):
            if begin < place:
                yield begin, place
            yield place, place + 1
            begin = place + 1
    if begin < len(chunk):
        yield begin, len(chunk)


def _peeled(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut punctuation off both ends, and drop what tokenizers drop there."""
    before, after = [], []
    while start < end and _is_peeled(text[start]):
        before.append((start, start + 1))
        start += 1
    while start < end and _is_peeled(text[end - 1]):
        after.append((end - 1, end))
        end -= 1
    middle = [(start, end)] if start < end else []
    return [bound for bound in before + middle + after[::-1] if not is_dropped(text[bound[0]])]


def _is_peeled(character: str) -> bool:
    return is_punctuation(character) or is_dropped(character)
