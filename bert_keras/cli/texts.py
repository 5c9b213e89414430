"""The texts that a command is given: as arguments, in a file, or piped."""

import sys
from pathlib import Path

import typer

from bert_keras.errors import InputError


def texts_from(
    arguments: list[str] | None, file: Path | None, text: str | None = None, pair: str | None = None
) -> tuple[list[str], list[str] | None]:
    """Return the texts of `arguments`, else of `file`, else of standard input, and the pairs that a table has.

    Args:
        arguments: texts from the command line.
        file: a table (.tsv, .csv, .jsonl), else a text file with a text a line.
        text, pair: columns of the table; found by their names when left out.

    Raises:
        InputError: a text is not UTF-8; or the file is missing, empty, not UTF-8, or not the table that its name
            says.
    """
    if arguments and file:
        raise typer.BadParameter("give texts or --file, not both")
    if arguments:
        for number, given in enumerate(arguments, start=1):
            # Python keeps bytes that are not UTF-8 as half characters.
            if not given.isascii() and any("\ud800" <= character <= "\udfff" for character in given):
                raise InputError(f"text {number} is not UTF-8: give UTF-8 text")
        return arguments, None
    if file is None:
        return _piped(), None
    from bert_keras.data.plain_text import lines_of, read_text
    from bert_keras.data.records import READERS
    from bert_keras.data.tables import table

    if file.suffix.lower() in READERS:
        rows = table(file, text, pair)
        return rows.texts, rows.pairs
    if file.suffix.lower() == ".json":
        raise InputError(f"{file} is JSON: give a text file with a text a line, or a table ({', '.join(READERS)})")
    return lines_of(read_text(file)), None


def _piped() -> list[str]:
    if sys.stdin.isatty():
        raise typer.BadParameter("nothing to predict: give texts, --file FILE, or pipe one text a line")
    from bert_keras.data.plain_text import lines_of

    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"standard input, line {line}, is not UTF-8: pipe UTF-8 text") from None
    if not text:
        raise InputError("standard input is empty: pipe one text a line")
    return lines_of(text)
