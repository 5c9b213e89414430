"""What the tokenizer files of all kinds share: which kind a folder holds, their JSON, special tokens and lengths."""

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.files import output_file

# The files of each kind's own vocabulary, and the name of the kind in tokenizer.json.
_VOCABULARY_FILES = {
    "wordpiece": ("vocab.txt",),
    "byte-level-bpe": ("vocab.json", "merges.txt"),
    "unigram": ("*.model",),
}
_MODEL_TYPES = {"WordPiece": "wordpiece", "BPE": "byte-level-bpe", "Unigram": "unigram"}

# Hugging Face's classes of certain kinds: they choose where a folder holds vocabularies of two kinds.
_CLASSES = {
    "Bert": "wordpiece",
    "Electra": "wordpiece",
    "DistilBert": "wordpiece",
    "Roberta": "byte-level-bpe",
    "Deberta": "byte-level-bpe",
    "Albert": "unigram",
    "XLMRoberta": "unigram",
    "DebertaV2": "unigram",
}

# Hugging Face writes 1e30 for "no limit".
_NO_LIMIT = 10**9

# Ten times the largest vocabulary of the family; a larger id is a mistake, and its list would fill the memory.
_MAX_PIECES = 5_000_000


def kind_of(path: str | os.PathLike) -> str:
    """Tell the kind of the tokenizer in a folder by its files.

    A vocabulary's own file wins over tokenizer.json; of two such files, the one of the class that
    tokenizer_config.json names, or else the first in the order of `KINDS`.

    Args:
        path: the folder.

    Returns:
        A name of `bert_keras.text.kinds.KINDS`.

    Raises:
        InputError: there is no such folder, it holds no vocabulary, or one of another kind.
    """
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"{path}: there is no such folder")
    kinds = [kind for kind, files in _VOCABULARY_FILES.items() if all(any(path.glob(file)) for file in files)]
    if kinds:
        name = read_json(path / "tokenizer_config.json").get("tokenizer_class") or ""
        named = _CLASSES.get(name.removesuffix("Fast").removesuffix("Tokenizer"))
        return named if named in kinds else kinds[0]
    saved = read_json(path / "tokenizer.json")
    if not saved and (path / "vocab.json").exists():
        return "byte-level-bpe"  # whose reader names what is missing
    if not saved:
        raise InputError(
            f"{path} holds no vocabulary: neither vocab.txt, nor vocab.json with merges.txt, nor a SentencePiece "
            ".model, nor tokenizer.json"
        )
    name = saved["model"].get("type", "WordPiece")
    if name not in _MODEL_TYPES:
        raise InputError(
            f"{path / 'tokenizer.json'} holds a tokenizer of kind {name}; known are {', '.join(_MODEL_TYPES)}"
        )
    return _MODEL_TYPES[name]


def kind_of_vocabulary(vocabulary: object) -> str:
    """Tell the kind of a vocabulary by its file's name; a list of pieces is WordPiece's."""
    suffix = Path(vocabulary).suffix if isinstance(vocabulary, str | os.PathLike) else ""
    return {".json": "byte-level-bpe", ".model": "unigram"}.get(suffix, "wordpiece")


def read_json(file: Path) -> dict[str, Any]:
    """Return what a JSON file holds, nothing where there is none."""
    if not file.exists():
        return {}
    try:
        value = json.loads(file.read_bytes())
    except json.JSONDecodeError as error:
        raise InputError(f"{file}, line {error.lineno}: not JSON ({error.msg})") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not UTF-8") from None
    except RecursionError:
        raise InputError(f"{file}: not JSON of a tokenizer (nested too deeply)") from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{file}: not JSON of a tokenizer ({error})") from None
    if not isinstance(value, dict):
        raise InputError(f"{file} holds a {type(value).__name__}; it should hold an object with names and values")
    return value


def read_config(path: Path) -> dict[str, Any]:
    """Return what special_tokens_map.json and tokenizer_config.json say; the second wins."""
    return {**read_json(path / "special_tokens_map.json"), **read_json(path / "tokenizer_config.json")}


def special_tokens(config: Mapping[str, Any], defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the special tokens by role, as `read_config` names them or else by default."""
    tokens = {role: config.get(f"{role}_token") or default for role, default in defaults.items()}
    # A token is a string, or an object that says more about it.
    return {role: token["content"] if isinstance(token, dict) else token for role, token in tokens.items()}


def named_tokens(tokens: Mapping[str, str]) -> dict[str, str]:
    """Return special tokens as tokenizer_config.json and special_tokens_map.json name them."""
    return {f"{role}_token": token for role, token in tokens.items()}


def model_max_length(config: Mapping[str, Any]) -> int | None:
    """Return the longest row that tokenizer_config.json states, None for no limit."""
    length = config.get("model_max_length")
    return length if isinstance(length, int) and length < _NO_LIMIT else None


def pieces_in_order(ids: Mapping[str, int], file: Path) -> list[str]:
    """Return the pieces by id; an id without a piece gives an empty one, as a blank line in vocab.txt does.

    Raises:
        InputError: an id is not a number from 0; `file` is where it stands.
    """
    for piece, index in ids.items():
        if not isinstance(index, int) or not 0 <= index < _MAX_PIECES:
            raise InputError(f"{file}: piece {piece!r} has the id {index!r}; ids count from 0")
    pieces = {index: piece for piece, index in ids.items()}
    return [pieces.get(index, "") for index in range(max(pieces, default=-1) + 1)]


def setting(path: Path, name: str, configured: bool | None, saved: bool | None) -> bool | None:
    """Return what tokenizer_config.json says, or else tokenizer.json; warn where they differ."""
    if None not in (configured, saved) and configured != saved:
        warn(f"{path}: tokenizer.json says {name}={saved}, tokenizer_config.json {configured}, which is used")
    return saved if configured is None else configured


def warn_of_added_tokens(saved: Mapping[str, Any], tokens: Iterable[str], path: Path) -> None:
    """Warn of tokens that tokenizer.json adds and that are not special ones."""
    added = {token["content"] for token in saved.get("added_tokens", ())}.difference(tokens)
    if added:
        listed = ", ".join(sorted(added)[:5])
        warn(f"{path}: tokenizer.json adds {len(added)} tokens ({listed}); in a text they are ordinary text here")


def json_bytes(value: Mapping[str, Any]) -> bytes:
    """Return the content of a JSON file."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def write_files(path: str | os.PathLike, contents: Mapping[str, bytes], force: bool) -> None:
    """Write files into a folder, all or none.

    Raises:
        InputError: one exists and `force` is false.
    """
    with ExitStack() as files:
        for name, content in contents.items():
            files.enter_context(output_file(Path(path) / name, force)).write_bytes(content)


def warn(message: str) -> None:
    """Warn of something in a folder."""
    # Up to the caller of Tokenizer.from_folder, roughly: the folder matters, not the line.
    warnings.warn(message, stacklevel=5)
