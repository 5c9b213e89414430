"""Every source of examples as named columns and numbered rows: CSV, TSV, JSON Lines, Parquet, prepared TFDS."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bert_keras.data.delimited import read_csv, read_tsv
from bert_keras.data.json_lines import read_json_lines
from bert_keras.data.plain_text import source_name
from bert_keras.errors import InputError

# The number of the line or example, and its cells: text, numbers, lists, objects; None where a cell is absent.
Record = tuple[int, Sequence[Any]]
Reader = Callable[[str], tuple[list[str], Iterator[Record]]]


def _read_parquet(path: str) -> tuple[list[str], Iterator[Record]]:
    # Imported here: no other kind of file needs pyarrow.
    from bert_keras.data.parquet import read_parquet

    return read_parquet(path)


READERS: dict[str, Reader] = {
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".tab": read_tsv,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": _read_parquet,
}
TFDS = "tfds:"


@dataclass(frozen=True)
class Records:
    """The rows of a source, to be gone through once.

    Args:
        source: the name that messages use.
        names: the columns.
        rows: (number from 1, cells in the order of `names`) of each row.
        unit: what the numbers count: "line", "row" or "example".
    """

    source: str
    names: list[str]
    rows: Iterator[Record]
    unit: str

    def where(self, number: int) -> str:
        """Say where the row with a number stands."""
        return f"{self.source}, {self.unit} {number}"

    def require(self, name: str | None, usual: Sequence[str], what: str) -> str:
        """Return the column that was asked for, else the first that has a usual name.

        Raises:
            InputError: there is none.
        """
        found = self.find(name, usual)
        if found is None:
            raise InputError(
                f"{self.source}: no column holds {what}: it would be named {' or '.join(usual[:4])}; "
                f"the columns are {listed(self.names)}"
            )
        return found

    def find(self, name: str | None, usual: Sequence[str]) -> str | None:
        """Return the column that was asked for, else the first that has a usual name, else None.

        Raises:
            InputError: the column that was asked for is not there.
        """
        if name is None:
            return first_of(self.names, usual)
        if name not in self.names:
            raise InputError(f"{self.source} has no column {name!r}; the columns are {listed(self.names)}")
        return name

    def dicts(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Go through the rows as (number, {column: cell})."""
        for number, cells in self.rows:
            yield number, dict(zip(self.names, cells, strict=True))


def open_records(source: str | os.PathLike, data_dir: str | os.PathLike | None = None) -> Records:
    """Open a file or a prepared TFDS split.

    Args:
        source: a file that ends in one of `READERS`, or `tfds:name[/config][:split]`.
        data_dir: where TFDS keeps its prepared data; its own default when None.

    Raises:
        InputError: the source is missing, empty, unreadable, of another kind, or not prepared.
    """
    name = source_name(source)
    if name.startswith(TFDS):
        # Imported here: TFDS imports TensorFlow, which files do not need.
        from bert_keras.data.tfds_source import read_tfds

        return Records(name, *read_tfds(name, data_dir), unit="example")
    suffix = Path(name).suffix.lower()
    if suffix not in READERS:
        raise InputError(f"{name}: a table must end in {', '.join(READERS)}, or be a TFDS name such as tfds:glue/sst2")
    return Records(name, *READERS[suffix](name), unit="row" if suffix == ".parquet" else "line")


def as_text(value: Any) -> str | None:
    """Return a cell as text: numbers and truth values as JSON writes them; None for lists, objects and None."""
    if value is None or isinstance(value, (list, dict)):
        return None
    if isinstance(value, str):
        return _whole_characters(value)
    return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


def required_text(where: str, column: str, cell: Any) -> str:
    """Return a cell as text, or raise InputError where it holds none."""
    text = as_text(cell)
    if text is None:
        raise InputError(f"{where}: {column!r} holds no text")
    return text


def first_of(names: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the first of the usual names that is there, in the case that it has there."""
    lowered = {name.lower(): name for name in reversed(names)}
    return next((lowered[name] for name in usual if name in lowered), None)


def listed(names: Sequence[str]) -> str:
    """Return the names of columns for a message."""
    # A file without a header shows its first row here, which may be long.
    shown = [repr(name if len(name) <= 40 else name[:37] + "…") for name in names[:12]]
    return ", ".join(shown + (["…"] if len(names) > 12 else []))


def _whole_characters(text: str) -> str:
    r"""The text with U+FFFD for half characters, which JSON can hold (a cut emoji is `"\ud83d"`) and UTF-8 cannot."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
