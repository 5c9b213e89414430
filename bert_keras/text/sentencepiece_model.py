"""Reads and writes SentencePiece `.model` files without the sentencepiece package.

Such a file is one protobuf message. The few fields that say how to tokenize are declared here; the others, about how
the vocabulary was made, are passed over.

Source: google/sentencepiece, src/sentencepiece_model.proto.
"""

import dataclasses
import enum
import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory

from bert_keras.errors import InputError
from bert_keras.text.charsmap import is_charsmap

_UNIGRAM = 1
_MODEL_TYPES = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}

_Field = descriptor_pb2.FieldDescriptorProto
# Message -> its fields: (name, number, type, default).
_FIELDS: dict[str, list[tuple[str, int, Any, str | None]]] = {
    "Piece": [
        ("piece", 1, _Field.TYPE_STRING, None),
        ("score", 2, _Field.TYPE_FLOAT, None),
        ("type", 3, _Field.TYPE_INT32, "1"),
    ],
    "TrainerSpec": [
        ("model_type", 3, _Field.TYPE_INT32, "1"),
        ("vocab_size", 4, _Field.TYPE_INT32, "8000"),
        ("byte_fallback", 35, _Field.TYPE_BOOL, "false"),
        ("unk_id", 40, _Field.TYPE_INT32, "0"),
        ("bos_id", 41, _Field.TYPE_INT32, "1"),
        ("eos_id", 42, _Field.TYPE_INT32, "2"),
        ("pad_id", 43, _Field.TYPE_INT32, "-1"),
        ("unk_piece", 45, _Field.TYPE_STRING, "<unk>"),
        ("bos_piece", 46, _Field.TYPE_STRING, "<s>"),
        ("eos_piece", 47, _Field.TYPE_STRING, "</s>"),
        ("pad_piece", 48, _Field.TYPE_STRING, "<pad>"),
    ],
    "NormalizerSpec": [
        ("name", 1, _Field.TYPE_STRING, None),
        ("precompiled_charsmap", 2, _Field.TYPE_BYTES, None),
        ("add_dummy_prefix", 3, _Field.TYPE_BOOL, "true"),
        ("remove_extra_whitespaces", 4, _Field.TYPE_BOOL, "true"),
        ("escape_whitespaces", 5, _Field.TYPE_BOOL, "true"),
    ],
}


class PieceType(enum.IntEnum):
    """What a piece is: text that occurs, or a symbol that text never becomes (unknown, control)."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


_TYPES = {kind.value: kind for kind in PieceType}


class Piece(NamedTuple):
    """A piece, the logarithm of its probability, and what it is."""

    text: str
    score: float
    type: PieceType = PieceType.NORMAL


@dataclasses.dataclass(frozen=True)
class SentencePieceModel:
    """What a `.model` file of kind unigram says about tokenizing.

    Args:
        pieces: the pieces; the index is SentencePiece's id.
        unk_id: the id of the unknown piece.
        bos_id: the id of the piece that begins a sequence, -1 for none.
        eos_id: the id of the piece that ends a sequence, -1 for none.
        pad_id: the id of the padding piece, -1 for none.
        byte_fallback: spell unknown characters in bytes, with the pieces `<0x00>` to `<0xFF>`.
        normalizer: the name of the normalizer, such as `nmt_nfkc`.
        charsmap: its rules, compiled; empty to change no character.
        add_dummy_prefix: begin texts with a space.
        remove_extra_whitespaces: join white space, and drop it at both ends.
        escape_whitespaces: write spaces as `▁`.
    """

    pieces: Sequence[Piece]
    unk_id: int = 0
    bos_id: int = -1
    eos_id: int = -1
    pad_id: int = -1
    byte_fallback: bool = False
    normalizer: str = "identity"
    charsmap: bytes = b""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True


def read_model(path: str | os.PathLike) -> SentencePieceModel:
    """Read a `.model` file.

    Args:
        path: the file.

    Raises:
        InputError: the file is missing, damaged, or of another kind than unigram.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such SentencePiece file")
    proto = _message_class()()
    try:
        proto.ParseFromString(path.read_bytes())
        pieces = [Piece(row.piece, row.score, _TYPES[row.type]) for row in proto.pieces]
    except (message.DecodeError, KeyError):
        raise InputError(f"{path} is not a SentencePiece file, or is damaged") from None
    # What is not UTF-8 is given as bytes. What says how the vocabulary was made stands behind the pieces.
    if not proto.HasField("trainer_spec") or not all(isinstance(piece.text, str) for piece in pieces):
        raise InputError(f"{path} is not a SentencePiece file, or is damaged")
    if not pieces:
        raise InputError(f"{path} holds no pieces; a SentencePiece file has at least one")
    trainer, normalizer = proto.trainer_spec, proto.normalizer_spec
    if trainer.model_type != _UNIGRAM:
        kind = _MODEL_TYPES.get(trainer.model_type, f"number {trainer.model_type}")
        raise InputError(f"{path} is a SentencePiece file of kind {kind}; only unigram is known")
    if not 0 <= trainer.unk_id < len(pieces):
        raise InputError(f"{path}: the unknown piece has the id {trainer.unk_id}, but there are {len(pieces)} pieces")
    if normalizer.precompiled_charsmap and not is_charsmap(normalizer.precompiled_charsmap):
        raise InputError(f"{path}: its rules about characters (precompiled_charsmap) are damaged")
    return SentencePieceModel(
        pieces=pieces,
        unk_id=trainer.unk_id,
        bos_id=trainer.bos_id,
        eos_id=trainer.eos_id,
        pad_id=trainer.pad_id,
        byte_fallback=trainer.byte_fallback,
        normalizer=normalizer.name,
        charsmap=normalizer.precompiled_charsmap,
        add_dummy_prefix=normalizer.add_dummy_prefix,
        remove_extra_whitespaces=normalizer.remove_extra_whitespaces,
        escape_whitespaces=normalizer.escape_whitespaces,
    )


def model_bytes(model: SentencePieceModel) -> bytes:
    """Return the content of a `.model` file, which sentencepiece and `read_model` read."""
    proto = _message_class()()
    for piece in model.pieces:
        proto.pieces.add(piece=piece.text, score=piece.score, type=piece.type)
    trainer, normalizer = proto.trainer_spec, proto.normalizer_spec
    trainer.model_type = _UNIGRAM
    trainer.vocab_size = len(model.pieces)
    trainer.byte_fallback = model.byte_fallback
    for role in ("unk", "bos", "eos", "pad"):
        index = getattr(model, f"{role}_id")
        setattr(trainer, f"{role}_id", index)
        if index >= 0:
            setattr(trainer, f"{role}_piece", model.pieces[index].text)
    normalizer.name = model.normalizer
    normalizer.precompiled_charsmap = model.charsmap
    normalizer.add_dummy_prefix = model.add_dummy_prefix
    normalizer.remove_extra_whitespaces = model.remove_extra_whitespaces
    normalizer.escape_whitespaces = model.escape_whitespaces
    return proto.SerializeToString(deterministic=True)


@functools.cache
def _message_class() -> Any:
    """Return the class of the file's message, from a pool of its own: the common one may hold sentencepiece's."""
    file = descriptor_pb2.FileDescriptorProto(
        name="bert_keras_sentencepiece.proto", package="bert_keras", syntax="proto2"
    )
    for message_name, fields in _FIELDS.items():
        declared = file.message_type.add(name=message_name)
        for field_name, number, kind, default in fields:
            declared.field.add(
                name=field_name, number=number, type=kind, label=_Field.LABEL_OPTIONAL, default_value=default
            )
    model = file.message_type.add(name="Model")
    for field_name, number, type_name, label in (
        ("pieces", 1, "Piece", _Field.LABEL_REPEATED),
        ("trainer_spec", 2, "TrainerSpec", _Field.LABEL_OPTIONAL),
        ("normalizer_spec", 3, "NormalizerSpec", _Field.LABEL_OPTIONAL),
    ):
        model.field.add(
            name=field_name,
            number=number,
            type=_Field.TYPE_MESSAGE,
            type_name=f".bert_keras.{type_name}",
            label=label,
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("bert_keras.Model"))
