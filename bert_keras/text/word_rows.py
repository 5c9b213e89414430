"""Rows of a model's batch in which words are marked, for tasks that answer each word. L length of a row."""

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from bert_keras.errors import InputError
from bert_keras.text.rows import Row, best_windows, window_bounds
from bert_keras.text.tokenizer import Piece, Tokenizer
from bert_keras.text.word_bounds import word_bounds
from bert_keras.text.words import check_string

# What training passes over, as everywhere in the field.
IGNORED = -100

# Where a word's answer stands: which row, and the piece's position in it.
Place = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Sentence:
    """A text and its words.

    Args:
        text: the text, to which places in it refer.
        bounds: each word's `(start, end)` in code points, ascending.
    """

    text: str
    bounds: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.bounds)

    @classmethod
    def of(cls, given: str | Sequence[str], name: str = "text") -> "Sentence":
        """The sentence of a text, or of a list of words, whose text has a space between any two.

        Args:
            given: the text, or the words.
            name: what errors call it.

        Raises:
            InputError: it is neither.
        """
        if isinstance(given, str):
            return cls(given, word_bounds(given))
        if not isinstance(given, list | tuple):
            raise InputError(f"{name} is {given!r}; it must be a text or a list of words")
        for index, word in enumerate(given):
            check_string(word, f"{name}[{index}]")
        ends = list(itertools.accumulate(len(word) + 1 for word in given))
        return cls(" ".join(given), [(end - 1 - len(word), end - 1) for word, end in zip(given, ends, strict=True)])


def sentences_of(texts: Sequence[str | Sequence[str]]) -> list[Sentence]:
    """The sentences of texts, each a string or a list of words.

    Raises:
        InputError: something is neither, or `texts` is one string.
    """
    if isinstance(texts, str | bytes):
        raise InputError("texts is one text; give a list of texts, or of lists of words")
    return [Sentence.of(text, f"texts[{index}]") for index, text in enumerate(texts)]


def word_rows(tokenizer: Tokenizer, sentences: Sequence[Sentence], max_length: int | None) -> list[Row]:
    """A row a sentence, or several overlapping ones of a long sentence, with each word's first piece marked.

    A piece belongs to the word in which its first character that is in a word lies. `▁` or `Ġ` alone belongs to the
    word right behind it. So each word has one first piece, or none where the tokenizer drops it or makes one piece of
    it and of the word before.

    Windows begin with a word's first piece, unless a word is longer than a window's step.

    The first word is tokenized as the tokenizer begins every text: of RoBERTa's with a space in front only where its
    folder says `add_prefix_space`. A list of words so has the pieces of its text, in training and afterwards.

    Args:
        tokenizer: the model's.
        sentences: the sentences.
        max_length: the longest row, special tokens included; None for no limit.

    Returns:
        Rows with `words`, `starts`, `ends` and `best`; a word's first piece is `best` in exactly one row.

    Raises:
        InputError: `max_length` leaves no room for a piece.
    """
    rows: list[Row] = []
    for text, sentence in enumerate(sentences):
        rows += _rows(tokenizer, text, sentence, max_length)
    return rows


def word_places(sentence: Sentence, rows: Sequence[Row]) -> list[Place | None]:
    """Where each word's answer stands: its first piece in the window where it is best.

    A word without a first piece has the place of the piece that covers its beginning, and None where there is none.

    Args:
        sentence: the sentence.
        rows: its rows, from `word_rows`.
    """
    places: list[Place | None] = [None] * len(sentence)
    for number, row in enumerate(rows):
        assert row.words is not None and row.best is not None
        for position in np.flatnonzero((row.words >= 0) & row.best).tolist():
            places[int(row.words[position])] = (number, position)
    for word, (start, end) in enumerate(sentence.bounds):
        if places[word] is None and sentence.text[start:end].strip():
            places[word] = _covering(rows, start)
    return places


def word_targets(rows: Sequence[Row], labels: Sequence[Sequence[int]]) -> list[np.ndarray]:
    """What to learn at each piece: the word's label at its first piece, and -100, which losses pass over, elsewhere.

    A word that several windows hold is learnt in the one where it is best.

    Args:
        rows: from `word_rows`.
        labels: of each sentence, the label of each word.

    Returns:
        int32 `[L]` a row.

    Raises:
        InputError: a sentence has fewer labels than words.
    """
    targets = []
    for row in rows:
        assert row.words is not None and row.best is not None
        of_sentence = np.asarray(labels[row.text], np.int32)
        target = np.full(len(row), IGNORED, np.int32)
        learnt = (row.words >= 0) & row.best
        words = row.words[learnt]
        if words.size and words.max() >= len(of_sentence):
            raise InputError(
                f"sentence {row.text} has {len(of_sentence)} labels but at least {words.max() + 1} words; "
                "each word needs one"
            )
        target[learnt] = of_sentence[words]
        targets.append(target)
    return targets


def _rows(tokenizer: Tokenizer, text: int, sentence: Sentence, max_length: int | None) -> list[Row]:
    pieces = tokenizer.tokenize(sentence.text)
    words = _first_pieces(tokenizer, sentence, pieces)  # [L - 2], as all that follows
    ids = np.array([index for _, index, _, _ in pieces], np.int32)
    starts = np.array([start for _, _, start, _ in pieces], np.int32)
    ends = np.array([end for _, _, _, end in pieces], np.int32)
    room = max(1, len(pieces)) if max_length is None else max_length - 2
    windows = window_bounds(len(pieces), room, begins=np.flatnonzero(words >= 0).tolist())
    owners = best_windows(windows)
    rows = []
    for window, (begin, end) in enumerate(windows):
        part = slice(begin, end)
        token_ids = np.empty(end - begin + 2, np.int32)
        token_ids[0], token_ids[1:-1], token_ids[-1] = tokenizer.cls_id, ids[part], tokenizer.sep_id
        rows.append(
            Row(
                text,
                token_ids,
                segment_ids=np.zeros_like(token_ids),
                words=_between(words[part], -1),
                starts=_between(starts[part], -1),
                ends=_between(ends[part], -1),
                best=_between(owners[part] == window, False),
            )
        )
    return rows


def _first_pieces(tokenizer: Tokenizer, sentence: Sentence, pieces: Sequence[Piece]) -> np.ndarray:
    """At each piece the word that it is the first of, else -1."""
    found = np.full(len(pieces), -1, np.int32)
    # Words that are empty or white space have no pieces, even if a piece's place holds the white space before it.
    numbers = [word for word, (start, end) in enumerate(sentence.bounds) if sentence.text[start:end].strip()]
    word, latest = 0, -1
    for position, (piece, _, start, end) in enumerate(pieces):
        while word < len(numbers) and sentence.bounds[numbers[word]][1] <= start:
            word += 1
        if word == len(numbers):
            break
        begin = sentence.bounds[numbers[word]][0]
        belongs = begin < end or (begin == end and not tokenizer.continues_word(piece))
        if belongs and word > latest:
            found[position] = numbers[word]
            latest = word
    return found


def _covering(rows: Sequence[Row], start: int) -> Place | None:
    for number, row in enumerate(rows):
        assert row.starts is not None and row.ends is not None and row.best is not None
        found = np.flatnonzero((row.starts <= start) & (start < row.ends) & row.best)
        if found.size:
            return number, int(found[0])
    return None


def _between(of_pieces: np.ndarray, special: int | bool) -> np.ndarray:
    """Values at pieces, and one for the special tokens around them."""
    values = np.full(len(of_pieces) + 2, special, of_pieces.dtype)
    values[1:-1] = of_pieces
    return values
