"""CoNLL files: a word a line with its columns, a blank line between sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bert_keras.data.plain_text import lines_of, read_text
from bert_keras.errors import InputError

_TAG = re.compile(r"O|[BIESLU](-\S.*)?")
_COMMENT = re.compile(r"#(\s|begin\b|end\b|$)")
_KEY_AND_VALUE = re.compile(r"# ?[\w.:-]+ = ")
_DOCUMENT = "-DOCSTART-"
# A file's first line is a header if all that stands in it is such a name.
_HEADER = re.compile(
    r"(id|word|token|form|text|lemma|tag|label|ner|pos|upos|xpos|chunk|sentence)([ _]?(tag|id|#))?s?", re.IGNORECASE
)
# CoNLL-U: FORM and UPOS.
_UNIVERSAL = ".conllu"
_UNIVERSAL_COLUMNS = 1, 3


@dataclass(frozen=True)
class Sentences:
    """The sentences of a CoNLL file: their cells, and the line of each word."""

    cells: list[list[list[str]]] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)


def read_conll(
    path: str, words: int | None = None, tags: int | None = None
) -> tuple[list[list[str]], list[list[str]] | None, list[list[int]]]:
    """Return the words of each sentence, their tags as they stand in the file, and their lines.

    Columns are divided by tabs, if each line has one, else by spaces. `-DOCSTART-` lines, comments between sentences
    and a header are left out. Of a `.conllu` file the words are FORM and the tags UPOS; its ranges (`1-2`) and empty
    nodes (`1.1`) are left out.

    Args:
        path: the file.
        words: the column of the words, from 0; when None the first, or the second where the first counts the words or
            is the only one that holds entity tags.
        tags: the column of the tags, from 0, or from the end as -1; when None the last one that holds entity tags
            (`O`, `B-…`, `I-…`, …) and nothing else, or else the last one.

    Returns:
        Words, tags (None for a file of words alone) and lines, a list a sentence.

    Raises:
        InputError: the file has no words, lines of different numbers of columns, or lacks a column.
    """
    universal = Path(path).suffix.lower() == _UNIVERSAL
    sentences = _sentences(path, universal)
    if not sentences.cells:
        raise InputError(f"{path} holds no words")
    _check_columns(path, sentences)
    count = len(sentences.cells[0][0])
    if universal:
        words = _UNIVERSAL_COLUMNS[0] if words is None else words
        tags = _UNIVERSAL_COLUMNS[1] if tags is None else tags
    words, tags = _column(path, "words", words, count), _column(path, "tags", tags, count)
    if tags is None and count > 1:
        tags = _tag_column(sentences, words, count)
    if words is None:
        words = _word_column(sentences, tags, count)
    if tags == words:
        raise InputError(f"{path}: column {words} cannot hold both the words and the tags")
    found = _of(sentences, words)
    for sentence, lines in zip(found, sentences.lines, strict=True):
        if "" in sentence:
            raise InputError(f"{path}, line {lines[sentence.index('')]}: there is no word in column {words}")
    return found, None if tags is None else _of(sentences, tags), sentences.lines


def is_tag(text: str) -> bool:
    """Tell whether a text looks like a tag of an entity: `O`, or B, I, E, S, L, U, with a type (`B-PER`) or without."""
    return _TAG.fullmatch(text) is not None


def _sentences(path: str, universal: bool) -> Sentences:
    lines = lines_of(read_text(path))
    columns = _Columns(lines)
    sentences = Sentences()
    within = False
    for number, line in enumerate(lines, start=1):
        cells = columns.split(line)
        if not cells or cells[0].startswith(_DOCUMENT):
            within = False
            continue
        if not within and (columns.is_comment(line) or _is_header(cells, sentences)):
            continue
        if universal and not cells[0].isdecimal():
            continue
        if not within:
            sentences.cells.append([])
            sentences.lines.append([])
        within = True
        sentences.cells[-1].append(cells)
        sentences.lines[-1].append(number)
    return sentences


class _Columns:
    """How the lines of a file are divided, and how many columns most have."""

    def __init__(self, lines: Sequence[str]) -> None:
        filled = [line for line in lines if line.strip(" \t") and not _COMMENT.match(line)]
        filled = [line for line in filled if not line.startswith(_DOCUMENT)]
        self._tabs = all("\t" in line for line in filled)
        self._count = len(self.split(filled[0])) if filled else 0

    def split(self, line: str) -> list[str]:
        if not line.strip(" \t"):
            return []
        # Only spaces and tabs: other white space may be a word.
        return [cell.strip(" ") for cell in line.split("\t")] if self._tabs else re.split(r"[ \t]+", line.rstrip(" \t"))

    def is_comment(self, line: str) -> bool:
        # The word # has as many columns as others.
        return bool(_KEY_AND_VALUE.match(line) or (_COMMENT.match(line) and len(self.split(line)) != self._count))


def _is_header(cells: list[str], sentences: Sentences) -> bool:
    return not sentences.cells and len(cells) > 1 and all(map(_HEADER.fullmatch, cells))


def _check_columns(path: str, sentences: Sentences) -> None:
    count = len(sentences.cells[0][0])
    for cells, lines in zip(sentences.cells, sentences.lines, strict=True):
        for word, line in zip(cells, lines, strict=True):
            if len(word) != count:
                raise InputError(
                    f"{path}, line {line}: {len(word)} column{'s' * (len(word) != 1)}, where line "
                    f"{sentences.lines[0][0]} has {count}; a word with its tag stands on each line, and a blank line "
                    "between sentences"
                )


def _column(path: str, what: str, column: int | None, count: int) -> int | None:
    if column is None:
        return None
    if not isinstance(column, int) or not -count <= column < count:
        raise InputError(
            f"{path}: {what}={column!r}, but the columns are numbered 0 to {count - 1}, or -1 from the end"
        )
    return column % count


def _tag_column(sentences: Sentences, words: int | None, count: int) -> int:
    others = [column for column in reversed(range(count)) if column != words]
    # The first column last: words such as O and B-52 look like tags.
    return next((column for column in others if all(map(is_tag, _cells(sentences, column)))), others[0])


def _word_column(sentences: Sentences, tags: int | None, count: int) -> int:
    counted = all([word[0] for word in cells] in _numbers(len(cells)) for cells in sentences.cells)
    first = 1 if counted and count > 1 + (tags is not None) else 0
    return first if first != tags else next(column for column in range(count) if column != tags)


def _numbers(count: int) -> list[list[str]]:
    return [[str(number) for number in range(first, first + count)] for first in (0, 1)]


def _cells(sentences: Sentences, column: int) -> set[str]:
    return {word[column] for cells in sentences.cells for word in cells}


def _of(sentences: Sentences, column: int) -> list[list[str]]:
    return [[word[column] for word in cells] for cells in sentences.cells]
