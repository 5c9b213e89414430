"""JSON Lines files as column names and numbered records."""

import itertools
import json
from collections.abc import Iterator

from bert_keras.data.plain_text import lines_of, read_text
from bert_keras.data.rows import Record
from bert_keras.errors import InputError


def read_json_lines(path: str) -> tuple[list[str], Iterator[Record]]:
    """Return the keys of a file with one JSON object a line, and its (line number, values) records.

    The keys are those of the first object. Numbers and truth values become text as JSON writes them; a key that
    is absent, null, a list or an object gives None, which the caller judges.
    """
    objects = _objects(path)
    first_line, first = next(objects)
    keys = list(first)

    def records() -> Iterator[Record]:
        for line, entry in itertools.chain([(first_line, first)], objects):
            yield line, [_as_text(entry.get(key)) for key in keys]

    return keys, records()


def _objects(path: str) -> Iterator[tuple[int, dict]]:
    for line, content in enumerate(lines_of(read_text(path)), start=1):
        if not content.strip():
            continue
        try:
            entry = json.loads(content)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}, line {line}, column {error.colno}: not JSON ({error.msg})") from None
        except (ValueError, RecursionError) as error:
            # JSON, but a number of thousands of digits, or lists in lists without end.
            raise InputError(f"{path}, line {line}: cannot be read ({error})") from None
        if not isinstance(entry, dict):
            raise InputError(f'{path}, line {line}: each line must be one object such as {{"text": "…", "label": "…"}}')
        yield line, entry


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, (list, dict)):
        return None
    return _whole_characters(value) if isinstance(value, str) else json.dumps(value)


def _whole_characters(text: str) -> str:
    r"""The text with U+FFFD for half characters, which JSON can hold (a cut emoji is `"\ud83d"`) and UTF-8 cannot."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
