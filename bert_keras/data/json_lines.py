"""JSON Lines files as column names and numbered records."""

import json
from collections.abc import Iterator

from bert_keras.data.delimited import Record
from bert_keras.data.plain_text import lines_of, read_text
from bert_keras.errors import InputError


def read_json_lines(path: str) -> tuple[list[str], Iterator[Record]]:
    """Return the keys of a file with one JSON object a line, and its (line number, values) records.

    The keys are those of the first object; a key that a later object lacks gives an empty value there, which
    the caller judges. Numbers and truth values become text as JSON writes them.
    """
    objects = _objects(path)
    first_line, first = next(objects)
    keys = list(first)

    def records() -> Iterator[Record]:
        yield first_line, _values(path, first_line, first, keys)
        for line, entry in objects:
            yield line, _values(path, line, entry, keys)

    return keys, records()


def _objects(path: str) -> Iterator[tuple[int, dict]]:
    for line, content in enumerate(lines_of(read_text(path)), start=1):
        if not content.strip():
            continue
        try:
            entry = json.loads(content)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}, line {line}, column {error.colno}: not JSON ({error.msg})") from None
        if not isinstance(entry, dict):
            raise InputError(f'{path}, line {line}: each line must be one object such as {{"text": "…", "label": "…"}}')
        yield line, entry


def _values(path: str, line: int, entry: dict, keys: list[str]) -> list[str]:
    return [_as_text(path, line, key, entry.get(key)) for key in keys]


def _as_text(path: str, line: int, key: str, value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)
