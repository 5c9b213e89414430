"""A file's text as UTF-8, or a sentence that says where it is not."""

import codecs
import os
from pathlib import Path

from bert_keras.errors import InputError

# UTF-32's marks first: UTF-16's is the beginning of one of them.
_OTHER_MARKS = (
    ("UTF-32", (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
    ("UTF-16", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
)


def source_name(source: str | os.PathLike) -> str:
    """Return the name of a source as text, or raise InputError where it is none."""
    if not isinstance(source, (str, os.PathLike)) or not os.fspath(source):
        raise InputError(f"the source of the data is {source!r}: give the path of a file, or a TFDS name")
    return os.fsdecode(source)


def read_text(path: str | os.PathLike) -> str:
    """Return the text of a UTF-8 file without its byte order mark; line ends stay as they are.

    Raises:
        InputError: the file is missing, a folder, unreadable, empty, or not UTF-8.
    """
    raw = _read_bytes(Path(source_name(path)))
    encoding = _other_encoding(raw)
    if encoding:
        raise InputError(f"{path} is {encoding}: save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The decoder counts from behind a byte order mark, this message from the start of the file.
        at = error.start + (len(codecs.BOM_UTF8) if raw.startswith(codecs.BOM_UTF8) else 0)
        line = raw.count(b"\n", 0, at) + 1
        column = at - raw.rfind(b"\n", 0, at)
        raise InputError(
            f"{path}, line {line}, byte {column} of the line (0x{raw[at]:02x}) is not UTF-8: save the file as UTF-8"
        ) from None
    if not text.strip():
        raise InputError(f"{path} is empty")
    return text


def lines_of(text: str) -> list[str]:
    r"""Split at \n and \r\n only: str.splitlines also splits at U+2028, form feeds and others."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _other_encoding(raw: bytes) -> str | None:
    for encoding, marks in _OTHER_MARKS:
        if raw.startswith(marks):
            return encoding
    # Without a mark, Latin letters betray them: each has one zero byte beside it, or three.
    zeros = raw[:8].count(0)
    return None if zeros < 4 else "UTF-16" if zeros == 4 else "UTF-32"


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: name a file in it") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
