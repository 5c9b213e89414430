"""A text as a model reads it: one row of pieces, with their places and the words that they are parts of. L length."""

import dataclasses
import logging
from collections.abc import Sequence

import numpy as np

from bert_keras.text import Tokenizer
from bert_keras.text.word_rows import Sentence, word_places, word_rows
from bert_keras.text.words import check_string

_log = logging.getLogger("bert_keras")


@dataclasses.dataclass(frozen=True)
class Word:
    """A word of one of the texts.

    Args:
        text: the word, `texts[part][start:end]`.
        part: which of the texts it stands in: 0, or 1 for the second of a pair.
        start, end: its place there in code points.
    """

    text: str
    part: int
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Reading:
    """One row of a model's batch, with where each token comes from.

    Args:
        texts: the text, or the two of a pair.
        inputs: int32 `[1, L]` by name.
        pieces: the L pieces, special tokens included.
        parts: which text each piece comes from, 0 or 1; -1 for special tokens.
        offsets: L places `(start, end)` in that text, in code points; `(-1, -1)` for special tokens.
        words: the words of the texts, numbered as predictors of words do.
        word_of: the word that each piece is a part of; -1 for special tokens and what stands before the first word.
        position_of: where the first piece of each word stands, or the one that it shares with the word before; None
            where the model reads none of it.
    """

    texts: tuple[str, ...]
    inputs: dict[str, np.ndarray]
    pieces: list[str]
    parts: list[int]
    offsets: list[tuple[int, int]]
    words: list[Word]
    word_of: list[int]
    position_of: list[int | None]


def read(tokenizer: Tokenizer, max_length: int, texts: Sequence[str]) -> Reading:
    """Read a text or a pair of texts; what is too long is cut, with a warning.

    Args:
        tokenizer: the model's.
        max_length: the longest row that the model takes.
        texts: one text or two.

    Raises:
        InputError: something is not a string.
    """
    for text, name in zip(texts, ("text", "pair"), strict=False):
        check_string(text, name)
    sentences = [Sentence.of(text) for text in texts]
    rows = word_rows(tokenizer, sentences, None)  # without a limit one a text
    inputs = tokenizer([texts[0]], [texts[1]] if len(texts) > 1 else None, max_length=max_length)
    ids = inputs["token_ids"][0].tolist()
    # No piece of a text is the separator: the first one ends the first text, the last one the second.
    kept = [ids.index(tokenizer.sep_id) - 1]
    if len(texts) > 1:
        kept.append(len(ids) - kept[0] - 2 - tokenizer.separators)
    whole = len(ids) + sum(len(row) - 2 - own for row, own in zip(rows, kept, strict=True))
    if whole > len(ids):
        _log.warning("the text has %d tokens, the model reads %d of them: the rest is not explained", whole, len(ids))

    parts, offsets, word_of = [-1] * len(ids), [(-1, -1)] * len(ids), [-1] * len(ids)
    words: list[Word] = []
    position_of: list[int | None] = []
    for part, (sentence, row) in enumerate(zip(sentences, rows, strict=True)):
        # From positions in the row of this text alone.
        shift = 0 if part == 0 else len(ids) - 2 - kept[part]
        assert row.words is not None and row.starts is not None and row.ends is not None
        latest = -1
        for position in range(1, 1 + kept[part]):
            latest = max(latest, int(row.words[position]) + len(words) if row.words[position] >= 0 else -1)
            parts[position + shift], word_of[position + shift] = part, latest
            offsets[position + shift] = int(row.starts[position]), int(row.ends[position])
        for place in word_places(sentence, [row]):
            position_of.append(place[1] + shift if place and place[1] <= kept[part] else None)
        words += [Word(sentence.text[start:end], part, start, end) for start, end in sentence.bounds]
    pieces = [tokenizer.vocabulary[index] for index in ids]
    return Reading(tuple(texts), inputs, pieces, parts, offsets, words, word_of, position_of)
