"""Results appear whole or not at all: they are written beside their target and renamed at the end."""

import contextlib
import fnmatch
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bert_keras.errors import InputError

# What this package writes into a folder: all that `force` may replace there.
_WRITTEN = (
    "config.json",
    "model.safetensors",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
    "albert_config.json",
    "bert_config.json",
    "*.index",
    "*.data-*",
    "checkpoint",
    "model",
    "saved_model",
    "*.tflite",
    # KerasHub's presets.
    "assets",
    "metadata.json",
    "model.weights.h5",
    "preprocessor.json",
    "task.json",
    "task.weights.h5",
    # sentence-transformers' folders.
    "1_Pooling",
    "2_Normalize",
    "config_sentence_transformers.json",
    "modules.json",
    "sentence_bert_config.json",
)
# What it writes into the folders among them beside the above and the numbers of versions: of a SavedModel and of a
# preset's tokenizer.
_WRITTEN_WITHIN = (
    *_WRITTEN,
    "assets.extra",
    "bert_keras.json",
    "fingerprint.pb",
    "saved_model.pb",
    "tokenizer",
    "variables",
    "vocabulary.*",
)


@contextlib.contextmanager
def output_folder(path: str | os.PathLike, force: bool = False) -> Iterator[Path]:
    """Yield an empty folder that becomes `path` when the block ends without an exception.

    Args:
        path: the folder to make; its parents are made too.
        force: replace an earlier result of this package; without it an existing path is refused.

    Raises:
        InputError: `path` exists and `force` is false, or it holds something else than such a result.
    """
    with _temporary(Path(path), force) as folder:
        folder.mkdir()
        yield folder


@contextlib.contextmanager
def output_file(path: str | os.PathLike, force: bool = False) -> Iterator[Path]:
    """Yield the path of a file that becomes `path` when the block ends without an exception.

    Args:
        path: the file to make; its parents are made too.
        force: replace an existing file; without it an existing path is refused.

    Raises:
        InputError: `path` exists and `force` is false, or `path` is a folder, which no file ever replaces.
    """
    if os.path.isdir(path):
        raise InputError(f"{path} is a folder: name the file to write in it")
    with _temporary(Path(path), force) as file:
        yield file


def refuse_existing(path: str | os.PathLike, force: bool = False) -> None:
    """Raise InputError when `path` exists and may not be replaced; call it before long work.

    The folder that one works in, those that hold it, and one with files of the user's among ours may never be.
    """
    if Path.cwd().is_relative_to(os.path.realpath(path)):
        raise InputError(f"{os.fspath(path) or 'an empty path'} is the folder you are in, or holds it: name another")
    if os.path.lexists(path) and not force:
        raise InputError(f"{path} exists: choose another path or pass force=True (--force) to replace it")
    if os.path.isdir(path) and not os.path.islink(path):
        foreign = _foreign(Path(path))
        if foreign:
            raise InputError(f"{path} holds {foreign}, which was not written by bert_keras: name another folder")


def _foreign(path: Path) -> str | None:
    """The first thing in a folder, at any depth, that this package does not write there."""
    for folder, folders, names in os.walk(path):
        within = folder != str(path)
        written = _WRITTEN_WITHIN if within else _WRITTEN
        for name in sorted([*folders, *names]):
            if not any(fnmatch.fnmatch(name, pattern) for pattern in written) and not (within and name.isdecimal()):
                return os.path.relpath(os.path.join(folder, name), path)
    return None


@contextlib.contextmanager
def _temporary(path: Path, force: bool) -> Iterator[Path]:
    refuse_existing(path, force)
    # Otherwise `a/b/..` would have the name `..`.
    path = Path(os.path.abspath(path))
    made = [parent for parent in path.parents if not parent.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    # On the same file system as the target, so that the rename is atomic.
    holder = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        new = holder / path.name
        yield new
        refuse_existing(path, force)
        if os.path.lexists(path) and new.is_dir():
            _exchange(path, new, holder / "replaced")
        else:
            new.replace(path)
    finally:
        shutil.rmtree(holder, ignore_errors=True)
        if not os.path.lexists(path):
            _remove_empty(made)


def _remove_empty(folders: list[Path]) -> None:
    """Take back the parents that were made for a result that failed, the innermost first."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _exchange(path: Path, new: Path, old: Path) -> None:
    """Put a folder in the place of another, a file or a link, which no rename does in one step."""
    path.rename(old)
    try:
        new.rename(path)
    except BaseException:
        old.rename(path)
        raise
