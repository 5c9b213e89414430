"""One reader for every kind of labelled (or unlabelled) text: CSV, TSV, JSON Lines, prepared TFDS."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bert_keras.data.columns import Columns, choose
from bert_keras.data.delimited import Record, read_csv, read_tsv
from bert_keras.data.json_lines import read_json_lines
from bert_keras.data.rows import Rows
from bert_keras.errors import InputError

Reader = Callable[[str], tuple[list[str], Iterator[Record]]]

READERS: dict[str, Reader] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".tab": read_tsv,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
}
_TFDS = "tfds:"


def table(
    source: str | os.PathLike,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
) -> Rows:
    """Read the examples of a file or of a prepared TFDS split, in their order.

    Args:
        source: a `.csv`, `.tsv` or `.jsonl` file with a header (or keys), or `tfds:name[/config][:split]`,
            split `train` unless named.
        text: the column of the text; guessed from usual names (text, sentence, review …) when None.
        pair: the column of the second text; guessed (sentence1/sentence2, premise/hypothesis …) when None and
            `text` is None too.
        label: the column of the label; guessed (label, class, sentiment …) when None. Without such a
            column, or with nothing in it, the rows have no labels.
        data_dir: where TFDS keeps its prepared data; its own default when None. Nothing is downloaded.

    Raises:
        InputError: the source is missing, empty, not UTF-8, ragged, not prepared, or lacks a column or a label.
    """
    name = os.fspath(source)
    if name.startswith(_TFDS):
        # Imported here: TFDS imports TensorFlow, which files do not need.
        from bert_keras.data.tfds_source import read_tfds

        names, records = read_tfds(name, data_dir)
        return _rows(name, choose(name, names, text, pair, label), names, records, unit="example")
    suffix = Path(name).suffix.lower()
    if suffix not in READERS:
        raise InputError(f"{name}: a table must end in {', '.join(READERS)}, or be a TFDS name such as tfds:glue/sst2")
    names, records = READERS[suffix](name)
    return _rows(name, choose(name, names, text, pair, label), names, records, unit="line")


def labels(
    source: str | os.PathLike, label: str | None = None, data_dir: str | os.PathLike | None = None, **columns: str
) -> list[str]:
    """Return the names of the labels that a source holds: sorted, whole numbers by their value.

    Args:
        source, label, data_dir: as for `table`; further columns (`text`, `pair`) too.

    Raises:
        InputError: as `table`, or the source has no labels.
    """
    rows = table(source, label=label, data_dir=data_dir, **columns)
    return sorted(set(require_labels(rows)), key=_natural)


def require_labels(rows: Rows) -> list[str]:
    """Return the labels of rows that must have some."""
    if rows.labels is None:
        raise InputError(
            f"{rows.source} has no labels: name the column of the label (label=, --label), or add one called label"
        )
    return rows.labels


def _rows(source: str, columns: Columns, names: list[str], records: Iterator[Record], unit: str) -> Rows:
    positions = {name: place for place, name in enumerate(names)}
    lines: list[int] = []
    texts: list[str] = []
    pairs: list[str] = []
    found: list[str] = []
    for line, cells in records:
        lines.append(line)
        texts.append(cells[positions[columns.text]])
        if columns.pair is not None:
            pairs.append(cells[positions[columns.pair]])
        if columns.label is not None:
            found.append(cells[positions[columns.label]].strip())
    if not texts:
        raise InputError(f"{source} holds a header ({', '.join(names)}) and no rows")
    rows = Rows(source, texts, pairs or None, found if any(found) else None, lines, unit)
    if rows.labels is not None and "" in rows.labels:
        raise InputError(
            f"{rows.where(rows.labels.index(''))}: column {columns.label!r} is empty, a label must stand there"
        )
    return rows


def _natural(name: str) -> tuple[bool, int, str]:
    return (False, int(name), "") if name.isdecimal() else (True, 0, name)
