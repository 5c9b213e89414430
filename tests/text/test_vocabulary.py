"""Vocabulary files, line by line."""

import pytest

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.vocabulary import piece_ids, read_vocabulary, vocabulary_bytes

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "vocab.txt"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\n\nb\n\n", ["a", "", "b", ""]),
        (b"\na\n", ["", "a"]),
        (b"\n", [""]),
        (b"a\nb\na\n", ["a", "b", "a"]),
        ("a\u2028b\nc\u0085\n\u2029\nd\x0b\x0c\x1c\n".encode(), ["a\u2028b", "c\u0085", "\u2029", "d\x0b\x0c\x1c"]),
        (b" a\nb \n\tc\n\xc2\xa0\n", [" a", "b ", "\tc", "\u00a0"]),
        (b"a\rb\nc\r\r\n", ["a\rb", "c\r"]),
        (b"\xef\xbb\xbf[PAD]\na\n", ["[PAD]", "a"]),
        ("日\n##本\n😀\n".encode(), ["日", "##本", "😀"]),
    ],
)
def test_only_line_feeds_end_lines(file, content, expected):
    file.write_bytes(content)
    assert read_vocabulary(file) == expected


def test_last_duplicate_counts():
    assert piece_ids(["a", "b", "a", ""]) == {"b": 1, "a": 2}


def test_odd_lines_do_not_shift_ids(file):
    file.write_bytes("\n".join([*SPECIALS, "", "a", "\u2028", "a", " b", "b\r", "c"]).encode())
    tokenizer = Tokenizer.from_vocabulary(file)
    assert len(tokenizer.vocabulary) == 12
    assert tokenizer.ids(["a b c"]) == [[8, 10, 11]]


def test_bytes_that_are_not_utf8_are_refused_with_their_line(file):
    file.write_bytes(b"a\nb\ncaf\xe9\n")
    with pytest.raises(InputError, match=r"vocab.txt, line 3: not UTF-8 .* at byte 3"):
        read_vocabulary(file)


def test_empty_file_is_refused(file):
    file.write_bytes(b"")
    with pytest.raises(InputError, match=r"vocab.txt is empty"):
        read_vocabulary(file)


def test_missing_file_is_refused(file):
    with pytest.raises(InputError, match="no such vocabulary file"):
        Tokenizer.from_vocabulary(file)


def test_written_vocabulary_reads_back(file):
    vocabulary = ["[PAD]", "", "a", "a", " b ", "\u2028", "\u0085", "c\rd", "日", ""]
    file.write_bytes(vocabulary_bytes(vocabulary))
    assert read_vocabulary(file) == vocabulary


@pytest.mark.parametrize("piece", ["a\nb", "a\r", "\n"])
def test_piece_with_a_line_end_cannot_be_written(piece):
    with pytest.raises(InputError, match=r"piece 1 .* holds a line end"):
        vocabulary_bytes(["a", piece])
