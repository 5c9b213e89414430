"""Vocabularies: one piece a line, the line's number is the id."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bert_keras.errors import InputError

# By role, in the order in which new vocabularies begin.
SPECIAL_TOKENS = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}

# Released uncased vocabularies have no capitals at all; in cased ones they are a quarter of the pieces or more.
_CASED_SHARE = 0.01

_SURROGATE = re.compile("[\ud800-\udfff]")


def read_vocabulary(path: str | os.PathLike) -> list[str]:
    r"""Read a `vocab.txt` line by line, exactly.

    Only `\n` ends a line, and a `\r` before it is dropped: blank lines, duplicates, U+2028, U+0085 and spaces are
    kept, so that the ids of all later lines stay right. A byte order mark at the start of the file is skipped.

    Source: google-research/bert, `load_vocab`. It strips white space from every line as well; here such a line keeps
    its own piece, which no word can reach, instead of taking over the id of the stripped one.

    Args:
        path: the file.

    Raises:
        InputError: the file is missing or empty, or a line is not UTF-8.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such vocabulary file")
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if not content:
        raise InputError(f"{path} is empty; a vocabulary has one piece a line")
    lines = content.removesuffix(b"\n").split(b"\n")
    return [_decode(line, path, number) for number, line in enumerate(lines, start=1)]


def _decode(line: bytes, path: Path, number: int) -> str:
    try:
        return line.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {number}: not UTF-8 ({error.reason} at byte {error.start})") from None


def vocabulary_bytes(vocabulary: Sequence[str]) -> bytes:
    """Return the content of a `vocab.txt` that `read_vocabulary` reads back as it was.

    Raises:
        InputError: a piece cannot stand on one line.
    """
    for index, piece in enumerate(vocabulary):
        if "\n" in piece or piece.endswith("\r"):
            raise InputError(f"piece {index} ({piece!r}) holds a line end, so vocab.txt cannot hold it")
    return "".join(f"{piece}\n" for piece in vocabulary).encode("utf-8")


def check_piece(piece: object, index: int) -> None:
    """Raise InputError when a piece is not a string or holds half a character (a lone surrogate)."""
    if not isinstance(piece, str):
        raise InputError(f"vocabulary[{index}] is {piece!r}; every piece must be a string")
    if _SURROGATE.search(piece):
        raise InputError(
            f"vocabulary[{index}] is {piece!r}, which holds half a character and cannot be written as UTF-8"
        )


def piece_ids(vocabulary: Iterable[str]) -> dict[str, int]:
    """Return the id of each piece; of duplicates the last one counts, and blank lines are not pieces.

    Source: google-research/bert and transformers, `load_vocab`, which both keep the last one.
    """
    return {piece: index for index, piece in enumerate(vocabulary) if piece}


def is_cased(vocabulary: Iterable[str], special_tokens: Iterable[str]) -> bool:
    """Tell whether a vocabulary was made from cased text: more than 1 % of its pieces have capitals.

    Special tokens and others in brackets, such as `[E1]`, do not count.
    """
    pieces = set(vocabulary).difference(special_tokens)
    capitals = sum(piece != piece.lower() and not _is_bracketed(piece) for piece in pieces)
    return capitals > _CASED_SHARE * len(pieces)


def _is_bracketed(piece: str) -> bool:
    return (piece[:1], piece[-1:]) in (("[", "]"), ("<", ">"))
