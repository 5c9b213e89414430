"""Sentences with a tag for each word: entities, parts of speech."""

import dataclasses
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bert_keras.data.conll import is_tag, read_conll
from bert_keras.data.plain_text import source_name
from bert_keras.data.records import READERS, TFDS, Records, as_text, open_records, required_text
from bert_keras.data.spans import Loose, read_spans, tags_of
from bert_keras.errors import InputError
from bert_keras.metrics.tags import split_tag, to_iob2
from bert_keras.text.word_bounds import word_bounds
from bert_keras.text.word_rows import Sentence

_CONLL = (".conll", ".conllu", ".iob", ".iob2", ".bio", ".txt", ".tsv")
_RECORDS = (".jsonl", ".ndjson", ".parquet")
_WORDS = ("tokens", "words")
_TAGS = ("tags", "ner_tags", "ner", "labels", "label", "pos_tags", "pos", "upos", "chunk_tags", "chunks")
_TEXTS = ("text", "sentence", "content", "document")
_SPANS = ("spans", "entities", "ents", "labels", "label", "annotations")


@dataclass(frozen=True)
class Tagged:
    """The sentences of one source, in its order.

    Args:
        source: the name that messages use.
        words: the words of each sentence.
        tags: a tag for each word, those of entities as IOB2; None without any.
        lines: the line where each sentence begins (or the number of the row or example), from 1.
        unit: what `lines` counts.
        originals: the text of each sentence where the source has it; None where it has words.
        bounds: (start, end) of each word in the text, in code points. Where the source has words, the text is they,
            joined by single spaces.
        plain: the tags are no entities' but, for example, parts of speech.
        word_lines: the line of each word, in a file with a word a line.
    """

    source: str
    words: list[list[str]]
    tags: list[list[str]] | None
    lines: Sequence[int]
    unit: str
    originals: list[str] | None
    bounds: list[list[tuple[int, int]]]
    plain: bool = False
    word_lines: list[list[int]] | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def texts(self) -> Sequence[str | list[str]]:
        """The sentences as a predictor takes them: texts where the source has them, else lists of words."""
        return self.words if self.originals is None else self.originals

    @property
    def pairs(self) -> None:
        """There are no second texts."""
        return None

    def labels(self) -> list[str]:
        """Return the tags that a model must know: `O`, then `B-` and `I-` of each type; or all plain tags, sorted.

        Raises:
            InputError: there are no tags, or all are the same.
        """
        if self.tags is None:
            raise InputError(f"{self.source} has no tags: each word needs one")
        found = {tag for sentence in self.tags for tag in sentence}
        if len(found) == 1 and (self.plain or "O" in found):
            only = found.pop()
            raise InputError(f"{self.source}: all words have the tag {only!r}; a file to train on has two or more")
        if self.plain:
            return sorted(found)
        types = sorted({split_tag(tag)[1] for tag in found if tag != "O"})
        # Tags may have no type: B and I.
        return ["O", *(f"{prefix}-{name}" if name else prefix for name in types for prefix in "BI")]

    def where(self, row: int, word: int | None = None) -> str:
        """Say where a sentence, or a word of it, stands (both from 0)."""
        if word is None:
            return f"{self.source}, {self.unit} {self.lines[row]}"
        if self.word_lines is None:
            return f"{self.where(row)}, word {word + 1}"
        return f"{self.source}, line {self.word_lines[row][word]}"


def tagged(
    source: str | os.PathLike,
    words: str | int | None = None,
    tags: str | int | None = None,
    text: str | None = None,
    spans: str | None = None,
    scheme: str | None = None,
    data_dir: str | os.PathLike | None = None,
) -> Tagged:
    """Read sentences with a tag for each word, or texts with spans, from a file or a prepared TFDS split.

    Args:
        source: a CoNLL file (.conll, .conllu, .iob, .iob2, .bio, .txt, .tsv: a word a line, a blank line between
            sentences); a `.jsonl` or `.parquet` file with lists of words and tags, or with texts and spans of
            characters (start and end in code points, as Prodigy, doccano and spaCy write them); or `tfds:conll2003`.
        words, tags: the columns: of a CoNLL file by number, from 0 or from the end as -1; else by name. When None they
            are found: the last column of a CoNLL file that holds nothing but tags of entities, or else its last one;
            elsewhere by usual names.
        text, spans: the columns of the text and its spans, by name; found by usual names when None.
        scheme: how the tags mark entities: "IOB1", "IOB2", "BIOES" or "BILOU"; recognised when None.
        data_dir: where TFDS keeps its prepared data; its own default when None.

    Raises:
        InputError: the source is missing, not UTF-8, or not tagged in such a way; the message names the line.
    """
    name = source_name(source)
    suffix = Path(name).suffix.lower()
    if name.startswith(TFDS) or suffix in _RECORDS:
        found = _from_records(open_records(source, data_dir), words, tags, text, spans)
    elif suffix in _CONLL:
        found = _from_conll(name, words, tags)
    else:
        known = ", ".join((*_CONLL, *_RECORDS))
        reason = "a table has a text a row, not a word" if suffix in READERS else "such files are not known"
        raise InputError(f"{name}: {reason}; tagged words are read from {known}, and TFDS names such as tfds:conll2003")
    return found if found.tags is None else _checked(found, scheme)


def _from_conll(path: str, words: Any, tags: Any) -> Tagged:
    found, found_tags, lines = read_conll(path, words, tags)
    spaced = [" " in word for of_sentence in found for word in of_sentence]
    if sum(spaced) > len(spaced) / 2:
        raise InputError(f"{path}: most lines hold a text of several words: a word with its tag stands on each line")
    starts = [of_sentence[0] for of_sentence in lines]
    bounds = [Sentence.of(sentence).bounds for sentence in found]
    return Tagged(path, found, found_tags, starts, "line", None, bounds, word_lines=lines)


def _from_records(records: Records, words: Any, tags: Any, text: str | None, spans: str | None) -> Tagged:
    rows = list(records.dicts())
    word_column = records.find(words, [name for name in _WORDS if _holds_texts(rows, name)])
    others = [name for name in _TAGS if name != word_column and _holds_texts(rows, name)]
    tag_column = records.find(tags, others)
    text_column = records.find(text, _TEXTS)
    span_column = records.find(spans, [name for name in _SPANS if not _holds_texts(rows, name)])
    if text_column is not None and (text or spans or word_column is None or (tag_column is None and span_column)):
        return _from_spans(records, rows, text_column, span_column)
    word_column = records.require(word_column, _WORDS, "lists of words, and none a text")
    return _from_lists(records, rows, word_column, tag_column)


def _holds_texts(rows: list[tuple[int, dict[str, Any]]], column: str) -> bool:
    """Whether a column holds lists of plain values, as words and their tags are, not of spans or of a tool's tokens."""
    lists = (row.get(column) for _, row in rows)
    item = next((cell[0] for cell in lists if isinstance(cell, list) and cell), None)
    return item is not None and not isinstance(item, (dict, list))


def _from_lists(records: Records, rows: list[tuple[int, dict[str, Any]]], words: str, tags: str | None) -> Tagged:
    found = [_list(records.where(line), words, row[words]) for line, row in rows]
    lines = [line for line, _ in rows]
    found_tags = None
    if tags is not None and any(row[tags] is not None for _, row in rows):
        found_tags = [_list(records.where(line), tags, row[tags]) for line, row in rows]
        for line, of_words, of_tags in zip(lines, found, found_tags, strict=True):
            if len(of_words) != len(of_tags):
                raise InputError(
                    f"{records.where(line)}: {len(of_words)} words in {words!r}, but {len(of_tags)} tags in {tags!r}"
                )
        names = {tag for sentence in found_tags for tag in sentence}
        if names and all(tag.lstrip("-").isdecimal() for tag in names):
            raise InputError(f"{records.source}: {tags!r} holds numbers; give the names of the tags, such as B-PER")
    bounds = [Sentence.of(sentence).bounds for sentence in found]
    return Tagged(records.source, found, found_tags, lines, records.unit, None, bounds)


def _from_spans(records: Records, rows: list[tuple[int, dict[str, Any]]], text: str, spans: str | None) -> Tagged:
    lines = [line for line, _ in rows]
    places = [records.where(line) for line in lines]
    texts = [required_text(place, text, row[text]) for place, (_, row) in zip(places, rows, strict=True)]
    bounds = [word_bounds(original) for original in texts]
    words = [[part[start:end] for start, end in of_part] for part, of_part in zip(texts, bounds, strict=True)]
    tags = None
    if spans is not None and any(row[spans] is not None for _, row in rows):
        found = [
            tags_of(place, original, of_text, read_spans(place, original, row[spans]))
            for place, original, of_text, (_, row) in zip(places, texts, bounds, rows, strict=True)
        ]
        tags = [of_text for of_text, _ in found]
        _warn_of_loose(records.source, places, [loose for _, loose in found])
    return Tagged(records.source, words, tags, lines, records.unit, texts, bounds)


def _list(where: str, column: str, cell: Any) -> list[str]:
    found = [as_text(item) for item in cell] if isinstance(cell, list) else [None]
    texts = [item for item in found if item]
    if len(texts) < len(found):
        raise InputError(f"{where}: {column!r} is not a list of texts, or one of them is empty")
    return texts


def _warn_of_loose(source: str, places: list[str], loose: list[Loose]) -> None:
    for reason, counts in (
        ("cut a word, which gets the tag as a whole", [row.cut for row in loose]),
        ("hold no word that no other span has, and are lost", [row.lost for row in loose]),
    ):
        if any(counts):
            first = next(place for place, count in zip(places, counts, strict=True) if count)
            warnings.warn(f"{source}: of the spans {sum(counts)} {reason}; the first at {first}", stacklevel=5)


def _checked(found: Tagged, scheme: str | None) -> Tagged:
    """The sentences with tags of entities as IOB2, and plain ones as they are."""
    assert found.tags is not None
    if found.originals is not None:
        return found
    odd = [(row, word) for row, tags in enumerate(found.tags) for word, tag in enumerate(tags) if not is_tag(tag)]
    total = sum(map(len, found.tags))
    if scheme is None and odd and len(odd) > total - len(odd):
        return dataclasses.replace(found, plain=True)
    if odd:
        row, word = odd[0]
        raise InputError(
            f"{found.where(row, word)}: the tag {found.tags[row][word]!r} is no tag of an entity, as others are: "
            "O, B-…, I-…"
        )
    return dataclasses.replace(found, tags=to_iob2(found.tags, scheme, found.where))
