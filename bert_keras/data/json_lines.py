"""JSON and JSON Lines files."""

import json
from collections.abc import Iterator
from typing import Any

from bert_keras.data.plain_text import lines_of, read_text
from bert_keras.errors import InputError


def read_json_lines(path: str) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    """Return the keys of a file with one JSON object a line, and its (line number, values) records.

    The keys are those of all objects; where an object lacks one, the value is None.
    """
    objects = list(_objects(path))
    keys = list(dict.fromkeys(key for _, entry in objects for key in entry))
    return keys, ((line, [entry.get(key) for key in keys]) for line, entry in objects)


def read_json(path: str) -> Any:
    """Return what a JSON file holds.

    Raises:
        InputError: the file is no UTF-8 text, or not JSON.
    """
    return _parse(path, read_text(path), None)


def _objects(path: str) -> Iterator[tuple[int, dict]]:
    for line, content in enumerate(lines_of(read_text(path)), start=1):
        if not content.strip():
            continue
        entry = _parse(path, content, line)
        if not isinstance(entry, dict):
            raise InputError(f'{path}, line {line}: each line must be one object such as {{"text": "…", "label": "…"}}')
        yield line, entry


def _parse(path: str, content: str, line: int | None) -> Any:
    """The value of a whole file, or of one line of it."""
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        if line is None and error.msg == "Extra data":
            raise InputError(f"{path} holds one JSON value a line, it seems: name it .jsonl") from None
        raise InputError(f"{path}, line {line or error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        # JSON, but a number of thousands of digits, or lists in lists without end.
        where = path if line is None else f"{path}, line {line}"
        raise InputError(f"{where}: cannot be read ({error})") from None
