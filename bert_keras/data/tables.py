"""One reader for every kind of labelled (or unlabelled) text: CSV, TSV, JSON Lines, Parquet, prepared TFDS."""

import os
import warnings
from collections.abc import Sequence
from typing import Any

from bert_keras.data.columns import Columns, choose
from bert_keras.data.records import TFDS, Records, as_text, listed, open_records, required_text
from bert_keras.data.rows import Rows
from bert_keras.errors import InputError

_LONGEST_NUMBER = 100


def table(
    source: str | os.PathLike,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
    label_separator: str | None = None,
) -> Rows:
    """Read the examples of a file or of a prepared TFDS split, in their order.

    Args:
        source: a `.csv`, `.tsv`, `.jsonl` or `.parquet` file with a header (or keys), or
            `tfds:name[/config][:split]`, split `train` unless named.
        text: the column of the text; guessed from usual names (text, sentence, review …) when None.
        pair: the column of the second text; guessed (sentence1/sentence2, premise/hypothesis …) when None and
            `text` is None too.
        label: the column of the label; guessed (label, class, sentiment …) when None. Without such a
            column, or with nothing in it, the rows have no labels. A column of lists gives `label_lists`.
        data_dir: where TFDS keeps its prepared data; its own default when None. Nothing is downloaded.
        label_separator: what stands between the labels of a cell that holds several, such as "," or "|"; an empty
            cell has none. The rows have `label_lists` then.

    Raises:
        InputError: the source is missing, empty, not UTF-8, ragged, not prepared, or lacks a column or a label.
    """
    return rows_of(open_records(source, data_dir), text, pair, label, label_separator)


def rows_of(
    records: Records,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    label_separator: str | None = None,
) -> Rows:
    """Return the examples of an opened source, as `table` does."""
    columns = choose(records, text, pair, label)
    lines: list[int] = []
    cells: dict[str, list[Any]] = {"text": [], "pair": [], "label": []}
    for line, record in records.dicts():
        lines.append(line)
        for role, column in columns.roles():
            cell = record[column]
            cells[role].append(cell if role == "label" else required_text(records.where(line), column, cell))
    if not lines:
        raise InputError(f"{records.source} holds a header ({', '.join(records.names)}) and no rows")
    pairs = cells["pair"] or None
    rows = Rows(records.source, cells["text"], pairs, None, lines, records.unit, None, columns)
    rows = _with_labels(rows, columns, cells["label"], label_separator)
    _warn_of_empty_pairs(rows)
    return rows


def labels(
    source: str | os.PathLike,
    text: str | None = None,
    pair: str | None = None,
    label: str | None = None,
    data_dir: str | os.PathLike | None = None,
    label_separator: str | None = None,
) -> list[str]:
    """Return the names of the labels that a training file holds: sorted, whole numbers by their value.

    Args:
        source, text, pair, label, data_dir, label_separator: as for `table`.

    Raises:
        InputError: as `table`, or the source has no labels, or one only (where a row has just one).
    """
    return labels_in(table(source, text, pair, label, data_dir, label_separator))


def labels_in(rows: Rows) -> list[str]:
    """Return the names of the labels of rows to train on, as `labels` does."""
    if rows.label_lists is None:
        refuse_one_class(rows)
    names = {name for of_row in require_label_lists(rows) for name in of_row}
    if not names:
        raise InputError(f"{rows.source}: no row has a label")
    return sorted(names, key=_natural)


def require_labels(rows: Rows) -> list[str]:
    """Return the labels of rows that must have one each."""
    if rows.label_lists is not None:
        raise InputError(
            f"{rows.source} holds lists of labels, where each row must have one label: lists are for multi-label "
            "classification"
        )
    if rows.labels is None:
        raise InputError(
            f"{rows.source} has no labels: name the column of the label (label=, --label), or add one called label"
            f"{_unread(rows)}"
        )
    return rows.labels


def require_label_lists(rows: Rows) -> list[list[str]]:
    """Return the labels of rows that may have any number of them; a row with a single label has a list of one."""
    return [[name] for name in require_labels(rows)] if rows.label_lists is None else rows.label_lists


def refuse_one_class(rows: Rows) -> None:
    """Raise InputError when all rows have the same label."""
    names = require_labels(rows)
    if len(set(names)) == 1:
        raise InputError(
            f"{rows.source}: all {len(rows)} rows have the label {names[0]!r}; a file to train on must have two or more"
        )


def _unread(rows: Rows) -> str:
    unread = rows.columns.unread if rows.columns else ()
    return f"; columns that are not read are {listed(unread)}" if unread else ""


def _with_labels(rows: Rows, columns: Columns, cells: list[Any], separator: str | None) -> Rows:
    """The rows with the labels that the cells hold, one each or lists of them."""
    if separator == "":
        raise InputError("label_separator is empty: give what stands between labels, such as a comma")
    if separator is not None or any(isinstance(cell, list) for cell in cells):
        lists = [_label_list(rows, row, cell, separator) for row, cell in enumerate(cells)]
        # Where only texts stand, nothing at all in the column means no labels, as with single ones.
        labelled = any(lists) or any(isinstance(cell, list) for cell in cells)
        return _replaced(rows, range(len(rows)), None, lists if labelled else None)
    found = [(as_text(cell) or "").strip() for cell in cells]
    if _all_hidden(rows, found):
        return rows
    missing = [row for row, name in enumerate(found) if not name]
    if not missing:
        return _replaced(rows, range(len(rows)), found, None)
    if not rows.source.startswith(TFDS):
        held = "holds an object" if isinstance(cells[missing[0]], dict) else "is empty"
        raise InputError(f"{rows.where(missing[0])}: column {columns.label!r} {held}, where a label must stand")
    # As in SNLI, where people did not agree.
    warnings.warn(f"{rows.source}: {len(missing)} examples without a label are left out", stacklevel=4)
    kept = [row for row, name in enumerate(found) if name]
    return _replaced(rows, kept, [found[row] for row in kept], None)


def _all_hidden(rows: Rows, found: list[str]) -> bool:
    """Whether there are no labels, or TFDS hides them: it writes -1 in the place of a test split's scores."""
    return not any(found) or (rows.source.startswith(TFDS) and set(found) == {"-1.0"})


def _label_list(rows: Rows, row: int, cell: Any, separator: str | None) -> list[str]:
    if isinstance(cell, str):
        cell = [part for part in cell.split(separator) if part.strip()] if separator else [cell]
    elif isinstance(cell, (bool, int, float)):
        cell = [cell]
    if cell is None:
        raise InputError(f"{rows.where(row)}: there is no list of labels; a text without any has the empty list []")
    names = [as_text(name) for name in cell] if isinstance(cell, list) else [None]
    found = [name.strip() for name in names if name is not None and name.strip()]
    if len(found) < len(names):
        raise InputError(f"{rows.where(row)}: the labels are not a list of names")
    # Twice the same label is that label.
    return list(dict.fromkeys(found))


def _replaced(rows: Rows, kept: Sequence[int], found: list[str] | None, lists: list[list[str]] | None) -> Rows:
    """The rows that are kept, with their labels."""
    pairs = None if rows.pairs is None else [rows.pairs[row] for row in kept]
    texts, lines = [rows.texts[row] for row in kept], [rows.lines[row] for row in kept]
    return Rows(rows.source, texts, pairs, found, lines, rows.unit, lists, rows.columns)


def _warn_of_empty_pairs(rows: Rows) -> None:
    empty = [row for row, pair in enumerate(rows.pairs or ()) if not pair.strip()]
    if empty:
        warnings.warn(
            f"{rows.source}: {len(empty)} of {len(rows)} rows have no second text, the first at {rows.where(empty[0])}",
            stacklevel=4,
        )


def _natural(name: str) -> tuple[bool, int, str]:
    # Python turns no more than 4,300 digits into a number.
    return (False, int(name), "") if name.isdecimal() and len(name) <= _LONGEST_NUMBER else (True, 0, name)
