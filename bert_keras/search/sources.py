"""Where documents come from: a folder of text files, a table, or a file with a text a line."""

import dataclasses
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bert_keras.data.columns import choose
from bert_keras.data.plain_text import lines_of, read_text, source_name
from bert_keras.data.records import READERS, TFDS, Records, as_text, first_of, open_records
from bert_keras.errors import InputError

_TEXT_FILES = (".txt", ".md")
_IDS = ("id", "_id", "doc_id", "docid")


@dataclasses.dataclass(frozen=True)
class Documents:
    """Texts with their names.

    Args:
        ids: N different names.
        texts: N texts, none of them blank.
        metadata: for each text the further columns of its table; empty for other sources.
    """

    ids: list[str]
    texts: list[str]
    metadata: list[dict[str, Any]]


def documents(source: str | os.PathLike, text: str | None = None, id: str | None = None) -> Documents:
    """Read documents.

    Args:
        source: a folder, of which every `.txt` and `.md` file at any depth is a document, its path in the folder the id
            (hidden and empty files are left out); a `.tsv`, `.csv`, `.jsonl` or `.parquet` table or TFDS name; or a
            `.txt` or `.md` file with a text a line, blank ones left out.
        text: the column of the text; guessed from usual names (text, sentence, …) when None.
        id: the column of the id; `id`, `_id`, `doc_id` or `docid` when None. Without one, as in a text file, the id is
            FILE:LINE.

    Raises:
        InputError: the source is missing, not UTF-8, of another kind, or holds no text; a row has no text, or no id, or
            the id of another.
    """
    name = source_name(source)
    path = Path(name)
    if path.is_dir():
        return _folder(path)
    if path.suffix.lower() in READERS or name.startswith(TFDS):
        return _table(open_records(name), text, id)
    if path.suffix.lower() in _TEXT_FILES:
        lines = [(f"{path.name}:{line}", found) for line, found in enumerate(lines_of(read_text(path)), start=1)]
        return _without_metadata([(line, found) for line, found in lines if found.strip()])
    raise InputError(f"{name}: give a folder, or a file that ends in {', '.join([*_TEXT_FILES, *READERS])}")


def _folder(path: Path) -> Documents:
    found = [(file.relative_to(path).as_posix(), read_text(file)) for file in _files(path)]
    if not found:
        raise InputError(f"{path} holds no text: no file in it ends in {' or '.join(_TEXT_FILES)}, or all are empty")
    return _without_metadata(found)


def _files(path: Path) -> Iterator[Path]:
    for file in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
        if file.suffix.lower() in _TEXT_FILES and file.is_file() and not hidden and not _blank(file):
            yield file


def _blank(file: Path) -> bool:
    """Whether there are but a few bytes of white space."""
    return file.stat().st_size < 100 and not file.read_bytes().strip()


def _without_metadata(found: list[tuple[str, str]]) -> Documents:
    return Documents([id for id, _ in found], [text for _, text in found], [{} for _ in found])


def _table(records: Records, text: str | None, id: str | None) -> Documents:
    text = choose(records, text).text
    id = records.find(id, _IDS) if id else first_of(records.names, _IDS)
    name = Path(records.source).name
    numbers: dict[str, int] = {}
    found = Documents([], [], [])
    for number, row in records.dicts():
        content = as_text(row.pop(text)) or ""
        if not content.strip():
            raise InputError(f"{records.where(number)}: {text!r} holds no text")
        own = as_text(row.pop(id)) if id else f"{name}:{number}"
        if not own:
            raise InputError(f"{records.where(number)}: {id!r} holds no id")
        if numbers.setdefault(own, number) != number:
            raise InputError(f"{records.where(number)}: the id {own!r} is that of {records.unit} {numbers[own]} too")
        found.ids.append(own)
        found.texts.append(content)
        found.metadata.append({key: _plain(value) for key, value in row.items() if _is_something(value)})
    if not found.ids:
        raise InputError(f"{records.source} holds a header ({', '.join(records.names)}) and no rows")
    return found


def _is_something(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def _plain(value: Any) -> Any:
    """The value if JSON can hold it, else as text, such as the dates of Parquet."""
    return value if isinstance(value, (str, bool, int, float, list, dict)) else str(value)
