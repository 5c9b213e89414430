"""A tokenizer inside a .tflite file: what of it goes into bert_keras.json and which files, and how it is made again."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bert_keras.export.metadata import TOKENIZER_FILES, VOCABULARY
from bert_keras.text import Tokenizer, WordPieceTokenizer
from bert_keras.text.vocabulary import vocabulary_bytes


def packed(tokenizer: Tokenizer) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The settings of a tokenizer and its files: of WordPiece the vocabulary, of other kinds two that `save` writes.

    Args:
        tokenizer: of any kind.
    """
    settings: dict[str, Any] = {"kind": tokenizer.kind, "pieces": len(tokenizer.vocabulary)}
    if isinstance(tokenizer, WordPieceTokenizer):
        names = ("lowercase", "strip_accents", "max_characters_per_word", "special_tokens", "model_max_length")
        settings |= {name: getattr(tokenizer, name) for name in names}
        return settings, {VOCABULARY: vocabulary_bytes(tokenizer.vocabulary)}
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save(folder)
        return settings, {name: _compact((Path(folder) / name).read_bytes()) for name in TOKENIZER_FILES}


def unpacked(about: Mapping[str, Any], files: Mapping[str, bytes]) -> Tokenizer:
    """The tokenizer that `packed` took apart.

    Args:
        about: what bert_keras.json holds.
        files: the files beside it.

    Raises:
        InputError: the files do not make a tokenizer.
    """
    settings = {name: value for name, value in about["tokenizer"].items() if name not in ("kind", "pieces")}
    segments = about["type_vocab_size"] > 1
    if VOCABULARY in files:
        # Only \n ends a line: other line ends may be part of a piece.
        pieces = files[VOCABULARY].decode("utf-8").split("\n")[:-1]
        return Tokenizer.from_vocabulary(pieces, segments=segments, **settings)
    with tempfile.TemporaryDirectory() as folder:
        for name in files.keys() & set(TOKENIZER_FILES):
            (Path(folder) / name).write_bytes(files[name])
        return Tokenizer.from_folder(folder, segments=segments)


def _compact(content: bytes) -> bytes:
    """JSON without the white space, which is half of a vocabulary."""
    return json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":")).encode()
