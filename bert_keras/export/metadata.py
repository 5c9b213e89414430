"""What a .tflite file says about itself: TFLite Metadata for MediaPipe, and files in a zip behind the flatbuffer.

Schema: tensorflow/tflite-support `metadata_schema.fbs`, file identifier M001; only the tables that MediaPipe's text
tasks read are written. Numbers of fields follow the order of the schema's declarations.
"""

import dataclasses
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import flatbuffers
from ai_edge_litert import schema_py_generated as schema

from bert_keras.errors import InputError
from bert_keras.export import model_file

VOCABULARY, LABELS, ABOUT = "vocab.txt", "labels.txt", "bert_keras.json"
# The files of a tokenizer of another kind than WordPiece. What else it saves says the same in other forms.
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")

_BUFFER_NAME = "TFLITE_METADATA"
_MIN_PARSER_VERSION = "1.1.0"
# Members of the schema's enumerations and unions.
_TENSOR_AXIS_LABELS, _VOCABULARY_FILE = 2, 5
_FEATURE_PROPERTIES, _BERT_TOKENIZER_OPTIONS = 1, 4


@dataclasses.dataclass(frozen=True)
class _Table:
    """A table of `width` fields; a field is text, a table, a list of tables, or a number of one byte."""

    width: int
    fields: dict[int, Any]

    def write(self, builder: Any) -> int:
        # Children come first: flatbuffers are built from the leaves.
        values = {slot: _written(builder, value) for slot, value in self.fields.items() if value is not None}
        builder.StartObject(self.width)
        for slot, value in values.items():
            if isinstance(self.fields[slot], int):
                builder.PrependUint8Slot(slot, value, 0)
            else:
                builder.PrependUOffsetTRelativeSlot(slot, value, 0)
        return builder.EndObject()


def _written(builder: Any, value: Any) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return builder.CreateString(value)
    if isinstance(value, _Table):
        return value.write(builder)
    offsets = [table.write(builder) for table in value]
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def _associated_file(name: str, kind: int, description: str) -> _Table:
    return _Table(5, {0: name, 1: description, 2: kind})


def _tensor(name: str, description: str, files: list[_Table] | None = None) -> _Table:
    content = _Table(3, {0: _FEATURE_PROPERTIES, 1: _Table(0, {})})
    return _Table(7, {0: name, 1: description, 3: content, 6: files})


_DESCRIPTIONS = {
    "ids": "Ids of the tokens, [CLS] first.",
    "mask": "1 for a token, 0 for padding.",
    "segment_ids": "0 for the first text, 1 for the second.",
    "masked_positions": "Where the mask tokens stand, from 0.",
    "probability": "Probability of each class, of a text or of each token.",
    "values": "The numbers of the text.",
    "embedding": "The text's vector, of unit length.",
    "sequence_output": "A vector for each token.",
    "pooled_output": "The first token's vector after the pooler.",
    "start_logits": "How well the answer begins with each token.",
    "end_logits": "How well the answer ends with each token.",
    "logits": "Scores before a softmax or sigmoid.",
}


def metadata(name: str, inputs: Sequence[str], outputs: Sequence[str], tokenizer: bool, labels: bool) -> bytes:
    """The metadata's own flatbuffer.

    Args:
        name: of the model.
        inputs: names of the inputs, in the order of the file's tensors.
        outputs: names of the outputs, likewise.
        tokenizer: name vocab.txt as the vocabulary of a BERT tokenizer that lower-cases, as MediaPipe's does.
        labels: name labels.txt as the classes of `probability`.
    """
    units = None
    if tokenizer:
        vocabulary = _associated_file(VOCABULARY, _VOCABULARY_FILE, "Pieces of words; the line is the id.")
        units = [_Table(2, {0: _BERT_TOKENIZER_OPTIONS, 1: _Table(1, {0: [vocabulary]})})]
    classes = [_associated_file(LABELS, _TENSOR_AXIS_LABELS, "Names of the classes.")] if labels else None
    graph = _Table(
        10,
        {
            2: [_tensor(each, _DESCRIPTIONS[each]) for each in inputs],
            3: [_tensor(each, _DESCRIPTIONS[each], classes if each == "probability" else None) for each in outputs],
            5: units,
        },
    )
    builder = flatbuffers.Builder(1024)
    root = _Table(8, {0: name, 1: "Exported by bert_keras.", 3: [graph], 7: _MIN_PARSER_VERSION}).write(builder)
    builder.Finish(root, b"M001")
    return bytes(builder.Output())


def attach(model: Any, content: bytes) -> None:
    """Put the metadata's flatbuffer into the model.

    Args:
        model: a `ModelT`, changed in place.
        content: what `metadata` returned.
    """
    buffer, entry = schema.BufferT(), schema.MetadataT()
    buffer.data = content
    entry.name, entry.buffer = _BUFFER_NAME, len(model.buffers)
    model.buffers.append(buffer)
    model.metadata = [*(model.metadata or []), entry]


def write(path: Path, model: Any, files: Mapping[str, bytes], about: Mapping[str, Any]) -> int:
    """Write the model, and behind it the files as a zip without compression, as phones read them in place.

    Args:
        path: the .tflite file to write.
        model: a `ModelT`.
        files: name -> content.
        about: what goes into bert_keras.json; the names of the files, the flatbuffer's size and checksum are added.

    Returns:
        The bytes of the flatbuffer.
    """
    content = model_file.pack(model)
    about = {**about, "files": sorted(files), "bytes": len(content), "crc32": zlib.crc32(content)}
    files = {**files, ABOUT: (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()}
    with path.open("wb") as out:
        out.write(content)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            # A fixed date: the same model gives the same file.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return len(content)


# What zipfile raises for bytes that were changed, which may ask for a password or a method that it does not know.
_NO_ARCHIVE = (zipfile.BadZipFile, EOFError, OverflowError, RuntimeError, ValueError, struct.error, zlib.error)


def read(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What `write` put behind the flatbuffer: bert_keras.json, and the other files.

    Args:
        path: a .tflite file.

    Raises:
        InputError: no .tflite file, not one of ours, or a damaged one.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    content = path.read_bytes()
    if content[4:8] != b"TFL3":
        raise InputError(f"{path} is not a .tflite file: its bytes 4 to 8 are not 'TFL3'")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # Not whatever else is in there: it may unpack to any size.
            names = {ABOUT, VOCABULARY, LABELS, *TOKENIZER_FILES}.intersection(archive.namelist())
            files = {name: archive.read(name) for name in sorted(names)}
    except _NO_ARCHIVE:
        files = {}
    _refuse_missing([ABOUT], files, path)
    try:
        about = json.loads(files.pop(ABOUT))
        checksum, intact = about["crc32"], zlib.crc32(memoryview(content)[: about["bytes"]])
        expected = about.get("files", [VOCABULARY])  # format 1 does not name them
    except (KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"{path} was changed: its {ABOUT} lacks what it should hold ({error})") from None
    if intact != checksum:
        raise InputError(f"{path} is damaged: its weights do not have the checksum they were written with")
    _refuse_missing(expected, files, path)
    return about, files


def _refuse_missing(names: Sequence[str], files: Mapping[str, bytes], path: Path) -> None:
    for name in names:
        if name not in files:
            raise InputError(
                f"{path} holds no {name}: it was not written by bert_keras or was cut off; export it with "
                "bert_keras.export.tflite"
            )
