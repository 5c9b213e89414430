"""CSV and TSV files as a header and numbered rows."""

import csv
import io
import re
from collections.abc import Iterable, Iterator

from bert_keras.data.plain_text import lines_of, read_text
from bert_keras.errors import InputError

# The default limit is 131,072 characters a cell: less than a text of 100,000 words.
_CELL_LIMIT = 2**31 - 1
_QUOTED_CELL = re.compile(r'(?:(?<=[\t\n])|\A)"((?:[^"\n]|"")*)"(?=[\t\r\n]|\Z)')
_QUOTED = re.compile(r'"[^"]*"')

Line = tuple[int, list[str]]


def read_csv(path: str) -> tuple[list[str], Iterator[Line]]:
    """Return the header of a CSV file and its (line number, cells) rows.

    A header without a comma outside quotes may show another delimiter: a semicolon, as spreadsheets write where the
    comma is the decimal sign, or a tab.
    """
    text = read_text(path)
    header = _QUOTED.sub("", text.lstrip("\r\n").split("\n", 1)[0])
    delimiter = next((sign for sign in (",", ";", "\t") if sign in header), ",")
    return _split_header(path, _parse(path, text, delimiter))


def read_tsv(path: str) -> tuple[list[str], Iterator[Line]]:
    """Return the header of a TSV file and its (line number, cells) rows.

    Quotes in a TSV file are text, unless the file clearly quotes: all cells of its header are quoted, or
    quotes occur only around whole cells and double inside them, as spreadsheets and pandas write them.
    """
    text = read_text(path)
    if _quotes(text):
        return _split_header(path, _parse(path, text, "\t"))
    rows = ((number, line.split("\t")) for number, line in enumerate(lines_of(text), start=1))
    return _split_header(path, rows)


def _quotes(text: str) -> bool:
    if '"' not in text:
        return False
    header = text.split("\n", 1)[0].rstrip("\r")
    if all(_QUOTED_CELL.fullmatch(cell) for cell in header.split("\t")):
        return True
    doubled = any('""' in match[1] for match in _QUOTED_CELL.finditer(text))
    return doubled and '"' not in _QUOTED_CELL.sub("", text)


def _parse(path: str, text: str, delimiter: str) -> Iterator[Line]:
    # Set and set back around the parsing: the limit is global to the process.
    limit = csv.field_size_limit(_CELL_LIMIT)
    try:
        # strict: otherwise a quote that is never closed silently swallows the rest of the file.
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = []
        line = 1
        for cells in reader:
            rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, row that begins at line {line}: {error}") from None
    finally:
        csv.field_size_limit(limit)
    return iter(rows)


def _split_header(path: str, rows: Iterable[Line]) -> tuple[list[str], Iterator[Line]]:
    rows = iter(rows)
    _, header = next((row for row in rows if not _blank(row[1])), (0, []))
    header = [name.strip() for name in header]
    return header, _checked(path, header, rows)


def _checked(path: str, header: list[str], rows: Iterator[Line]) -> Iterator[Line]:
    for line, cells in rows:
        # In a file of one column a blank line is an empty text, in any other it is no row.
        if _blank(cells):
            if len(header) > 1:
                continue
            cells = [""]
        if len(cells) != len(header):
            raise InputError(
                f"{path}, line {line}: {_cells(len(cells))} where the header has {len(header)} ({', '.join(header)})"
            )
        yield line, cells


def _blank(cells: list[str]) -> bool:
    return cells in ([], [""])


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
