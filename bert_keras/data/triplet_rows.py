"""Texts with a text of like meaning, and perhaps some of other meanings."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bert_keras.data.records import Records, as_text, open_records
from bert_keras.errors import InputError

ANCHORS = ("anchor", "query", "question")
POSITIVES = ("positive", "pos", "answer", "document", "passage")
_NEGATIVES = re.compile(r"(?:(?:hard_)?negatives?|neg)(?:_?[0-9]+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Triplets:
    """The anchors of one source, each with a positive and any number of negatives.

    Args:
        source: the name that messages use.
        anchors: the texts that are compared, such as queries.
        positives: a text for each that means the same, or answers it.
        negatives: texts for each that do not; the lists may be empty and of different lengths.
        lines: the line, row or example of each anchor, from 1.
        unit: what `lines` counts.
    """

    source: str
    anchors: list[str]
    positives: list[str]
    negatives: list[list[str]]
    lines: Sequence[int]
    unit: str

    def __len__(self) -> int:
        return len(self.anchors)

    @property
    def texts(self) -> list[str]:
        """The anchors."""
        return self.anchors

    @property
    def pairs(self) -> list[str]:
        """The positives."""
        return self.positives

    def where(self, row: int) -> str:
        """Say where anchor `row` (from 0) stands."""
        return f"{self.source}, {self.unit} {self.lines[row]}"


def triplets(
    source: str | os.PathLike,
    anchor: str | None = None,
    positive: str | None = None,
    negative: str | Sequence[str] | None = None,
    data_dir: str | os.PathLike | None = None,
) -> Triplets:
    """Read anchors, positives and negatives from a table, JSON Lines, Parquet, or a prepared TFDS split.

    A row with a list of positives gives a triplet for each of them. An empty cell of a negative is none.

    Args:
        source: as for `table`.
        anchor, positive: the columns; found by usual names (anchor, query, question …; positive, answer, document …)
            when None.
        negative: the columns of the negatives, of one text or of lists; all with a usual name (negative, negative_1 …,
            negatives) when None. There may be none.
        data_dir: where TFDS keeps its prepared data; its own default when None.

    Raises:
        InputError: the source cannot be read, has no such columns, or a row without anchor or positive; the message
            names the line.
    """
    return triplets_of(open_records(source, data_dir), anchor, positive, negative)


def triplets_of(
    records: Records,
    anchor: str | None = None,
    positive: str | None = None,
    negative: str | Sequence[str] | None = None,
) -> Triplets:
    """Return the anchors of an opened source, as `triplets` does."""
    anchor = records.require(anchor, ANCHORS, "the anchors")
    positive = records.require(positive, POSITIVES, "the positives")
    if positive == anchor:
        raise InputError(f"{records.source}: column {anchor!r} cannot hold both the anchors and the positives")
    columns = _negative_columns(records, negative)
    found: list[tuple[int, str, str, list[str]]] = []
    for line, row in records.dicts():
        where = records.where(line)
        first = _texts(where, anchor, row[anchor])
        positives = _texts(where, positive, row[positive])
        if len(first) != 1 or not positives:
            raise InputError(f"{where}: there is no text in {anchor if len(first) != 1 else positive!r}")
        negatives = [text for name in columns for text in _texts(where, name, row[name])]
        found += [(line, first[0], text, negatives) for text in positives]
    if not found:
        raise InputError(f"{records.source} holds no rows")
    lines, anchors, texts, others = (list(column) for column in zip(*found, strict=True))
    return Triplets(records.source, anchors, texts, others, lines, records.unit)


def _negative_columns(records: Records, asked: str | Sequence[str] | None) -> list[str]:
    if asked is None:
        return [name for name in records.names if _NEGATIVES.fullmatch(name)]
    return [records.require(name, (), "") for name in ([asked] if isinstance(asked, str) else asked)]


def _texts(where: str, column: str, cell: Any) -> list[str]:
    """The texts of a cell, one or a list; an empty one is none."""
    cells = cell if isinstance(cell, list) else [] if cell is None else [cell]
    texts = [as_text(item) for item in cells]
    found = [text for text in texts if text is not None]
    if len(found) < len(texts):
        raise InputError(f"{where}: {column!r} holds something that is no text")
    return [text for text in found if text.strip()]
