"""Spans of characters, as annotation tools write them, to tags of words."""

import itertools
from typing import Any, NamedTuple

from bert_keras.errors import InputError

_START = ("start", "start_offset", "begin")
_END = ("end", "end_offset")
_LABEL = ("label", "type", "entity_group")


class Span(NamedTuple):
    """An entity of a text: `text[start:end]`, in code points."""

    start: int
    end: int
    label: str


class Loose(NamedTuple):
    """How many spans did not fit the words."""

    cut: int = 0
    lost: int = 0


def read_spans(where: str, text: str, spans: Any) -> list[Span]:
    """Return the spans of a text in their order.

    Args:
        where: the place, for messages.
        text: the text.
        spans: a list of `{"start", "end", "label"}` or `[start, end, label]`.

    Raises:
        InputError: a span is of another form, empty, outside the text, or overlaps another one.
    """
    if not isinstance(spans, list):
        raise InputError(
            f"{where}: the spans are not a list of {{start, end, label}} or [start, end, label]; a text without any "
            "has the empty list []"
        )
    found = sorted(_span(where, text, span) for span in spans)
    for before, after in itertools.pairwise(found):
        if after.start < before.end:
            raise InputError(
                f"{where}: the spans {_shown(text, before)} and {_shown(text, after)} overlap: a word has one tag"
            )
    return found


def tags_of(where: str, text: str, bounds: list[tuple[int, int]], spans: list[Span]) -> tuple[list[str], Loose]:
    """Return the IOB2 tags of the words, and how many spans cut a word or found all their words taken.

    A word belongs to the first span that overlaps it.

    Raises:
        InputError: a span holds no word.
    """
    tags = ["O"] * len(bounds)
    cut = lost = word = 0
    for span in spans:
        while word < len(bounds) and bounds[word][1] <= span.start:
            word += 1
        last = word
        while last < len(bounds) and bounds[last][0] < span.end:
            last += 1
        if last == word:
            raise InputError(f"{where}: the span {_shown(text, span)} holds no word")
        cut += bounds[word][0] < span.start or bounds[last - 1][1] > span.end
        # Two spans may share a word: 10mg.
        free = [place for place in range(word, last) if tags[place] == "O"]
        lost += not free
        for place in free:
            tags[place] = ("B-" if place == free[0] else "I-") + span.label
    return tags, Loose(cut, lost)


def _span(where: str, text: str, span: Any) -> Span:
    if isinstance(span, dict):
        span = [next((span[key] for key in keys if key in span), None) for keys in (_START, _END, _LABEL)]
    if not isinstance(span, list) or len(span) != 3:
        raise InputError(f"{where}: the span {span!r} is neither {{start, end, label}} nor [start, end, label]")
    start, end, label = span
    if type(start) is not int or type(end) is not int or not isinstance(label, str) or not label.strip():
        raise InputError(f"{where}: the span {span!r} must have whole numbers as start and end, and a label")
    if not 0 <= start < end <= len(text):
        raise InputError(
            f"{where}: the span {span!r} is not within the text's {len(text)} characters, or is empty; start counts "
            "from 0, end stands behind the last character"
        )
    return Span(start, end, label.strip())


def _shown(text: str, span: Span) -> str:
    return f"{text[span.start : span.end]!r} ({span.start} to {span.end})"
