"""A mistake's text as HTML, with its right and its predicted spans marked, cut to a readable length."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from bert_keras.evaluation.result import Mistake, Span

_LONGEST = 600
# Text that stays before the first mark of a long text.
_BEFORE = 150

LEGEND = (
    '<p class="soft"><mark class="right">expected and predicted</mark> <mark class="missed">missed</mark> '
    '<mark class="extra">predicted, not expected</mark> <mark class="both">both, but not the same</mark></p>'
)


def marked_text(mistake: Mistake) -> str:
    """The text with its spans as `<mark>`; everything of the user's is escaped.

    Args:
        mistake: with spans of its text, or without.
    """
    begin, end = _shown(mistake)
    bounds = {begin, end}
    for span in (*mistake.gold, *mistake.found):
        bounds.update(place for place in (span.start, span.end) if begin < place < end)
    places = sorted(bounds)
    parts = [_part(mistake, start, stop) for start, stop in pairwise(places)]
    return "…" * (begin > 0) + "".join(parts) + "…" * (end < len(mistake.text))


def cut(text: str) -> str:
    """The escaped text, its end replaced by `…` if it is long."""
    return escape(text[:_LONGEST]) + "…" * (len(text) > _LONGEST)


def _shown(mistake: Mistake) -> tuple[int, int]:
    """Which part of the text is shown: where its first spans are."""
    length = len(mistake.text)
    if length <= _LONGEST:
        return 0, length
    first = min((span.start for span in (*mistake.gold, *mistake.found)), default=0)
    begin = max(0, min(first - _BEFORE, length - _LONGEST))
    return begin, begin + _LONGEST


def _part(mistake: Mistake, start: int, end: int) -> str:
    """A part of the text within which no span begins or ends."""
    text = escape(mistake.text[start:end])
    gold, found = _covering(mistake.gold, start), _covering(mistake.found, start)
    if gold is None and found is None:
        return text
    labels = [span.label for span in (gold, found) if span is not None and span.label and span.end == end]
    name = " → ".join(dict.fromkeys(labels))
    return f'<mark class="{_style(gold, found)}">{text}{f"<small>{escape(name)}</small>" if name else ""}</mark>'


def _style(gold: Span | None, found: Span | None) -> str:
    if found is None:
        return "missed"
    if gold is None:
        return "extra"
    return "right" if gold == found else "both"


def _covering(spans: Sequence[Span], place: int) -> Span | None:
    return next((span for span in spans if span.start <= place < span.end), None)
