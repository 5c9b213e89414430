"""A text as a model reads it: one row of pieces, with their places and the words that they are parts of. L length."""

import dataclasses
import logging
from collections.abc import Sequence

import numpy as np

from bert_keras.text import Tokenizer
from bert_keras.text.word_bounds import word_bounds

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
        words: the words of the texts, as far as the row holds them.
        word_of: the word that each piece begins in; -1 for special tokens and what is in no word.
        position_of: the first piece of each word.
    """

    texts: tuple[str, ...]
    inputs: dict[str, np.ndarray]
    pieces: list[str]
    parts: list[int]
    offsets: list[tuple[int, int]]
    words: list[Word]
    word_of: list[int]
    position_of: list[int]


def read(tokenizer: Tokenizer, max_length: int, texts: Sequence[str]) -> Reading:
    """Read a text or a pair of texts; what is too long is cut, with a warning.

    Args:
        tokenizer: the model's.
        max_length: the longest row that the model takes.
        texts: one text or two.

    Raises:
        InputError: something is not a string.
    """
    found = [tokenizer.tokenize(text) for text in texts]
    inputs = tokenizer([texts[0]], [texts[1]] if len(texts) > 1 else None, max_length=max_length)
    ids = inputs["token_ids"][0].tolist()
    # No piece of a text is the separator: the first one ends the first text, the last one the second.
    kept = [ids.index(tokenizer.sep_id) - 1]
    if len(texts) > 1:
        kept.append(len(ids) - kept[0] - 2 - tokenizer.separators)
    whole = len(ids) + sum(map(len, found)) - sum(kept)
    if whole > len(ids):
        _log.warning("the text has %d tokens, the model reads %d of them: the rest is not explained", whole, len(ids))

    pieces = [tokenizer.vocabulary[index] for index in ids]
    parts, offsets = [-1] * len(ids), [(-1, -1)] * len(ids)
    for part, begin in enumerate((1, len(ids) - 1 - kept[-1])[: len(texts)]):
        for place, (_, _, start, end) in enumerate(found[part][: kept[part]], begin):
            parts[place], offsets[place] = part, (start, end)

    words: list[Word] = []
    word_of, position_of = [-1] * len(ids), []
    for part, text in enumerate(texts):
        places = [place for place, own in enumerate(parts) if own == part]
        for start, end in word_bounds(text):
            within = [place for place in places if offsets[place][0] < end and start < offsets[place][1]]
            if not within:
                continue  # it was cut, or it is no piece
            for place in within:
                if word_of[place] < 0:
                    word_of[place] = len(words)
            words.append(Word(text[start:end], part, start, end))
            position_of.append(within[0])
    return Reading(tuple(texts), inputs, pieces, parts, offsets, words, word_of, position_of)
