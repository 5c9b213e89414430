"""SentencePiece files: what is read from them, and that sentencepiece reads what is written."""

import dataclasses
import struct
from pathlib import Path

import pytest

from bert_keras.errors import InputError
from bert_keras.text.charsmap import is_charsmap
from bert_keras.text.sentencepiece_model import Piece, PieceType, SentencePieceModel, model_bytes, read_model

GOLDEN = Path(__file__).parent.parent / "golden" / "unigram"
XLM_ROBERTA = GOLDEN / "xlm-roberta" / "sentencepiece.bpe.model"
DEBERTA = GOLDEN / "deberta-v2" / "spm.model"

SMALL = SentencePieceModel(
    pieces=[Piece("<unk>", 0.0, PieceType.UNKNOWN), Piece("<s>", 0.0, PieceType.CONTROL), Piece("▁a", -1.5)]
)


def written(path: Path, content: bytes) -> Path:
    file = path / "spiece.model"
    file.write_bytes(content)
    return file


def test_fields_by_hand(tmp_path):
    # Field 1 of the file is a piece: text (field 1), float score (2), type (3). Field 2 says kind 1 (its field 3) and
    # unk_id 1 (40), field 3 has the name (1) and add_dummy_prefix (3).
    unknown = b"\x0a\x05<unk>" + b"\x15" + struct.pack("<f", 0.0) + b"\x18\x02"
    letter = b"\x0a\x04\xe2\x96\x81a" + b"\x15" + struct.pack("<f", -2.25)
    content = b"".join(b"\x0a" + bytes([len(piece)]) + piece for piece in (letter, unknown))
    content += b"\x12\x05\x18\x01\xc0\x02\x01" + b"\x1a\x06\x0a\x02me\x18\x00"
    model = read_model(written(tmp_path, content))
    assert model.pieces == [Piece("▁a", -2.25, PieceType.NORMAL), Piece("<unk>", 0.0, PieceType.UNKNOWN)]
    assert (model.unk_id, model.bos_id, model.eos_id, model.pad_id) == (1, 1, 2, -1)
    assert (model.normalizer, model.charsmap, model.add_dummy_prefix) == ("me", b"", False)
    assert model.remove_extra_whitespaces
    assert not model.byte_fallback


def test_real_file_of_sentencepiece():
    model = read_model(DEBERTA)
    assert [(piece.text, piece.type.name) for piece in model.pieces[:4]] == [
        ("[PAD]", "CONTROL"),
        ("[CLS]", "CONTROL"),
        ("[SEP]", "CONTROL"),
        ("[UNK]", "UNKNOWN"),
    ]
    assert (model.pad_id, model.bos_id, model.eos_id, model.unk_id) == (0, 1, 2, 3)
    assert len(model.pieces) == 143
    assert all(piece.type is PieceType.NORMAL and piece.score < 0 for piece in model.pieces[4:])
    assert is_charsmap(model.charsmap)


@pytest.mark.parametrize("file", [XLM_ROBERTA, DEBERTA], ids=lambda file: file.name)
def test_a_written_file_is_read_back(file, tmp_path):
    model = read_model(file)
    assert read_model(written(tmp_path, model_bytes(model))) == model


def test_sentencepiece_reads_a_written_file(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(DEBERTA))
    again = sentencepiece.SentencePieceProcessor(
        model_file=str(written(tmp_path, model_bytes(read_model(DEBERTA)))),
    )
    text = "The ﬁne film <pad> 東京 zzz"
    assert again.encode(text) == theirs.encode(text)
    assert (again.pad_id(), again.unk_id(), again.id_to_piece(3)) == (0, 3, "[UNK]")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a SentencePiece file"),
        (b"\x12\x02\x18\x01", "holds no pieces"),
        (b"version https://git-lfs.github.com/spec/v1\n", "is not a SentencePiece file"),
        (model_bytes(SMALL)[:-9], "is not a SentencePiece file"),
        (DEBERTA.read_bytes()[:1000], "is not a SentencePiece file"),
        (b"\x0a\x03\x0a\x01\xff\x12\x02\x18\x01", "is not a SentencePiece file"),
        (b"\x0a\x05\x0a\x01a\x18\x09", "is not a SentencePiece file"),
        (b"\x0a\x03\x0a\x01a\x12\x02\x18\x02", "of kind bpe; only unigram is known"),
        (b"\x0a\x03\x0a\x01a\x12\x02\x18\x09", "of kind number 9"),
        (model_bytes(dataclasses.replace(SMALL, unk_id=0, charsmap=b"abc")), "rules about characters .* are damaged"),
        (b"\x0a\x03\x0a\x01a\x12\x03\xc0\x02\x07", "unknown piece has the id 7, but there are 1 pieces"),
    ],
)
def test_damaged_files(content, message, tmp_path):
    with pytest.raises(InputError, match=message) as raised:
        read_model(written(tmp_path, content))
    assert "spiece.model" in str(raised.value)


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such SentencePiece file"):
        read_model(tmp_path / "spm.model")


# Rules about characters that lead outside of themselves would end the process in the library that follows them.
def test_damaged_rules_about_characters():
    good = read_model(DEBERTA).charsmap
    size = 4 + int.from_bytes(good[:4], "little")
    assert is_charsmap(good)
    assert not is_charsmap(good[:-1])  # the last text has no end
    assert not is_charsmap(good[: size - 4])
    assert not is_charsmap(good[:size])
    assert not is_charsmap(bytes(4) + good[size:])
    assert not is_charsmap(good[:4] + b"\x00\xfc\xff\x00" + good[8:])  # a step to unit 0xFFFC00 >> 10, of 256
    leaf = next(place for place in range(4, size, 4) if good[place + 3] & 0x80)
    assert not is_charsmap(good[:leaf] + b"\xff\xff\x00\x80" + good[leaf + 4 :])  # a text behind the last
    assert not is_charsmap(good[: size + 1] + b"\xff" + good[size + 2 :])  # not UTF-8
