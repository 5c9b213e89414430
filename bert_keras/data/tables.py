"""One reader for every kind of labelled (or unlabelled) text: CSV, TSV, JSON Lines, prepared TFDS."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bert_keras.data.columns import Columns, choose
from bert_keras.data.delimited import read_csv, read_tsv
from bert_keras.data.json_lines import read_json_lines
from bert_keras.data.rows import Record, Rows
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
_LONGEST_NUMBER = 100


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
    source: str | os.PathLike,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
) -> list[str]:
    """Return the names of the labels that a training file holds: sorted, whole numbers by their value.

    Args:
        source, text, pair, label, data_dir: as for `table`.

    Raises:
        InputError: as `table`, or the source has no labels, or one only.
    """
    rows = table(source, text, pair, label, data_dir)
    refuse_one_class(rows)
    return sorted(set(require_labels(rows)), key=_natural)


def require_labels(rows: Rows) -> list[str]:
    """Return the labels of rows that must have some."""
    if rows.labels is None:
        raise InputError(
            f"{rows.source} has no labels: name the column of the label (label=, --label), or add one called label"
        )
    return rows.labels


def refuse_one_class(rows: Rows) -> None:
    """Raise InputError when all rows have the same label."""
    names = require_labels(rows)
    if len(set(names)) == 1:
        raise InputError(
            f"{rows.source}: all {len(rows)} rows have the label {names[0]!r}; a file to train on must have two or more"
        )


def _rows(source: str, columns: Columns, names: list[str], records: Iterator[Record], unit: str) -> Rows:
    positions = {name: place for place, name in enumerate(names)}
    lines: list[int] = []
    cells: dict[str, list[str]] = {"text": [], "pair": [], "label": []}
    for line, record in records:
        lines.append(line)
        for role, column in columns.roles():
            cell = record[positions[column]]
            if cell is None and role != "label":
                raise InputError(f"{source}, {unit} {line}: {column!r} holds no text")
            cells[role].append(cell or "")
    if not lines:
        raise InputError(f"{source} holds a header ({', '.join(names)}) and no rows")
    found = [name.strip() for name in cells["label"]]
    rows = Rows(source, cells["text"], cells["pair"] or None, found if any(found) else None, lines, unit)
    if rows.labels is not None and "" in rows.labels:
        row = rows.labels.index("")
        raise InputError(f"{rows.where(row)}: column {columns.label!r} is empty, where a label must stand")
    return rows


def _natural(name: str) -> tuple[bool, int, str]:
    # Python turns no more than 4,300 digits into a number.
    return (False, int(name), "") if name.isdecimal() and len(name) <= _LONGEST_NUMBER else (True, 0, name)
