"""Splits a text into words by Google's rules, with the place in the text where each character came from.

The `tokenizers` library does this by itself, and much faster, for a *plain* text: one made of characters on which its
rules and Google's agree whatever stands beside them. Every other text is split here, in Python.
"""

import enum
import functools
import itertools
import re
import reprlib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bert_keras.errors import InputError
from bert_keras.text.rules import is_accent, is_cjk, is_dropped, is_punctuation, is_whitespace

# Old, settled blocks without control characters, combining marks, unassigned characters and capital sigma (whose
# lower case depends on its place in the word). A test compares every one of these characters with the rules.
_PLAIN = re.compile(
    "["
    "\t\n\r -~\xa0-\xac\xae-\u02ff"  # ASCII, Latin, phonetics
    "\u0384-\u038a\u038c\u038e-\u03a1\u03a4-\u03ff"  # Greek
    "\u0400-\u0482\u048a-\u0523"  # Cyrillic
    "\u05d0-\u05ea\u0621-\u063a\u0641-\u064a\u0660-\u066f"  # Hebrew and Arabic letters
    "\u1e00-\u1eff"  # Latin with two accents, as in Vietnamese
    "\u2000-\u200a\u2010-\u2027\u2030-\u205e\u20a0-\u20b5"  # general punctuation, currencies
    "\u2100-\u214f\u2190-\u23e7\u2500-\u26ff\u2701-\u2704\u2706-\u2709"  # symbols
    "\u3000-\u3029\u3030-\u303f\u3041-\u3096\u309b-\u30ff\uac00-\ud7a3"  # kana, hangul
    "\u3400-\u4db5\u4e00-\u9fc3"  # ideographs
    "\uff01-\uffbe"  # full-width and half-width forms
    "\U0001f300-\U0001f320\U0001f330-\U0001f335\U0001f400-\U0001f43e\U0001f600-\U0001f640"  # emoji
    "]*"
)

# Stands for a lone surrogate, which no UTF-8 vocabulary can hold: its word is unknown either way.
_SURROGATE = "\ufffe"


def is_plain(text: str) -> bool:
    """Tell whether the `tokenizers` library splits this text exactly as Google's rules do."""
    return _PLAIN.fullmatch(text) is not None


def check_string(text: object, name: str) -> None:
    """Raise InputError, with a name for the text, when it is not a string."""
    if not isinstance(text, str):
        raise InputError(f"{name} is {reprlib.repr(text)}; every text must be a string")


class Words(NamedTuple):
    """The words of a text, joined by single spaces, and the span of the text behind each character of `joined`."""

    joined: str
    starts: list[int]
    ends: list[int]


# The characters of a word, each with its span (start, end) in the text.
_Word = list[tuple[str, int, int]]


class WordSplitter:
    """Splits texts into words: cleaned, lower-cased and stripped of accents as asked.

    A character that accents were stripped from spans them too, whether they were part of it or followed it.

    Source: google-research/bert, tokenization.py (`BasicTokenizer`).

    Args:
        lowercase: lower-case the words.
        strip_accents: decompose them (NFD) and delete nonspacing marks.
    """

    def __init__(self, lowercase: bool, strip_accents: bool):
        self._lowercase = lowercase
        self._strip_accents = strip_accents

    def split(self, text: str) -> Words:
        """Return the words of a text."""
        return _join(self._words(text))

    def _words(self, text: str) -> Iterator[_Word]:
        for chunk in _chunks(text):
            word = self._lower(chunk) if self._lowercase else chunk
            yield from _split_punctuation(_strip(word) if self._strip_accents else word)

    def _lower(self, word: _Word) -> _Word:
        # The word as a whole, for capital sigma; each character alone, for those that become longer (İ).
        lower = "".join(character for character, _, _ in word).lower()
        spans = [(start, end) for character, start, end in word for _ in character.lower()]
        return [(character, start, end) for character, (start, end) in zip(lower, spans, strict=True)]


def _chunks(text: str) -> Iterator[_Word]:
    """Yield what white space separates, each CJK character by itself, without the characters that cleaning drops."""
    chunk: _Word = []
    for position, character in enumerate(text):
        kind = _kind(character)
        if kind is _Kind.DROPPED:
            continue
        if kind is _Kind.LETTER:
            chunk.append((_SURROGATE if _is_surrogate(character) else character, position, position + 1))
            continue
        if chunk:
            yield chunk
            chunk = []
        if kind is _Kind.CJK:
            yield [(character, position, position + 1)]
    if chunk:
        yield chunk


def _strip(word: _Word) -> _Word:
    """Decompose a word (NFD) and delete its nonspacing marks; the character before a mark takes its span."""
    stripped: _Word = []
    for character, start, end in _decompose(word):
        if not is_accent(character):
            stripped.append((character, start, end))
        elif stripped:
            base, base_start, base_end = stripped[-1]
            stripped[-1] = (base, base_start, max(base_end, end))
    return stripped


def _decompose(word: _Word) -> _Word:
    """Decompose a word (NFD): each character by itself, then runs of combining marks in canonical order."""
    parts = [(part, start, end) for character, start, end in word for part in unicodedata.normalize("NFD", character)]
    begin = 0
    for end in range(1, len(parts) + 1):
        # A run of marks ends before a character that is none, whose combining class is 0.
        if end == len(parts) or not unicodedata.combining(parts[end][0]):
            parts[begin:end] = sorted(parts[begin:end], key=lambda part: unicodedata.combining(part[0]))
            begin = end
    return parts


def _split_punctuation(word: _Word) -> Iterator[_Word]:
    for alone, run in itertools.groupby(word, key=lambda part: is_punctuation(part[0])):
        if alone:
            yield from ([part] for part in run)
        else:
            yield list(run)


def _join(words: Iterable[_Word]) -> Words:
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for word in words:
        for character, start, end in word:
            characters.append(character)
            starts.append(start)
            ends.append(end)
        # The space after the word: no piece ever covers it.
        characters.append(" ")
        starts.append(ends[-1])
        ends.append(ends[-1])
    return Words("".join(characters), starts, ends)


class _Kind(enum.Enum):
    LETTER = enum.auto()
    CJK = enum.auto()
    WHITESPACE = enum.auto()
    DROPPED = enum.auto()


@functools.lru_cache(maxsize=10_000)
def _kind(character: str) -> _Kind:
    if is_dropped(character):
        return _Kind.DROPPED
    if is_whitespace(character):
        return _Kind.WHITESPACE
    return _Kind.CJK if is_cjk(character) else _Kind.LETTER


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"
