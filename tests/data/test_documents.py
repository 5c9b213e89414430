"""Plain text as documents of sentences."""

import pytest

from bert_keras import data
from bert_keras.errors import InputError


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One sentence.", ["One sentence."]),
        (
            "It rained. We stayed in!  Why? Nobody knew…  Still",
            ["It rained.", "We stayed in!", "Why?", "Nobody knew…", "Still"],
        ),
        ('He said "Go." She went.', ['He said "Go."', "She went."]),
        ("(It was late.) He left.", ["(It was late.)", "He left."]),
        ("Mr. Smith met Dr. J. R. Brown. They spoke.", ["Mr. Smith met Dr. J. R. Brown.", "They spoke."]),
        ("See e.g. Smith, vol. 3, fig. 2. It is clear.", ["See e.g. Smith, vol. 3, fig. 2.", "It is clear."]),
        ("Pi is 3.14 or so. 12 men left.", ["Pi is 3.14 or so.", "12 men left."]),
        ("Did he? No. He and I. That is all.", ["Did he?", "No.", "He and I.", "That is all."]),
        ("it ended. but small letters go on.", ["it ended. but small letters go on."]),
        ("お元気ですか。はい！「行く。」と言った。", ["お元気ですか。", "はい！", "「行く。」", "と言った。"]),
        (" \t", []),
    ],
)
def test_sentences(text, sentences):
    assert data.split_sentences(text) == sentences


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "corpus.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return data.read_documents(path)

    return read


def test_blank_lines_separate_documents(read):
    assert read("one\ntwo\n\nthree\n") == [["one", "two"], ["three"]]


def test_white_space_lines_are_boundaries_and_empty_documents_go(read):
    # 2.03
    assert read("\n\none\n \t\n\n\x0c\ntwo\n\n\n") == [["one"], ["two"]]


def test_paragraph_lines_are_split(read):
    assert read("One here. Two there.\nThree.\r\n\r\nFour.") == [["One here.", "Two there.", "Three."], ["Four."]]


def test_line_of_a_zero_width_space_is_no_boundary(read):
    # 2.03: the tokenizer finds nothing in it, so it is dropped later.
    assert len(read("one\n\u200b\ntwo\n")) == 1


@pytest.mark.parametrize("content", ["", "\n \n\n"])
def test_no_text_at_all(read, content):
    # 2.04
    with pytest.raises(InputError, match=r"corpus\.txt is empty"):
        read(content)


def test_bytes_that_are_not_utf8(read):
    with pytest.raises(InputError, match="line 2, byte 4"):
        read(b"one\ncaf\xe9\n")
