"""A text as one row of pieces."""

import logging
import random

import pytest
import tiny_text

from bert_keras.explain.reading import read
from bert_keras.text import Tokenizer


def test_words_and_their_first_pieces():
    found = read(tiny_text.tokenizer(), 24, ["unaffable films.", "(good)"])

    assert [word.text for word in found.words] == ["unaffable", "films", ".", "(", "good", ")"]
    assert found.pieces == [
        "[CLS]",
        "un",
        "##aff",
        "##able",
        "film",
        "##s",
        ".",
        "[SEP]",
        "[UNK]",
        "good",
        "[UNK]",
        "[SEP]",
    ]
    assert found.word_of == [-1, 0, 0, 0, 1, 1, 2, -1, 3, 4, 5, -1]
    assert found.position_of == [1, 4, 6, 8, 9, 10]


def test_what_is_cut_is_told(caplog):
    with caplog.at_level(logging.WARNING):
        found = read(tiny_text.tokenizer(), 8, ["the films", "was good film film film"])

    assert found.pieces == ["[CLS]", "the", "film", "##s", "[SEP]", "was", "good", "[SEP]"]
    assert found.position_of == [1, 2, 5, 6, None, None, None]
    assert "the text has 11 tokens, the model reads 8 of them" in caplog.text


def test_a_text_that_fits_is_not_warned_of(caplog):
    read(tiny_text.tokenizer(), 5, ["the film was"])

    assert caplog.text == ""


def test_pairs_with_two_separators():
    tokenizer = Tokenizer.train(["the film was good", "a bad film"], 270, kind="byte-level-bpe")
    found = read(tokenizer, 40, ["a film", "was bad"])

    assert [found.pieces[place] for place, part in enumerate(found.parts) if part < 0] == [
        "<s>",
        "</s>",
        "</s>",
        "</s>",
    ]
    assert [word.text for word in found.words] == ["a", "film", "was", "bad"]
    assert all(found.texts[word.part][word.start : word.end] == word.text for word in found.words)


def test_a_piece_of_several_words_belongs_to_the_first():
    tokenizer = Tokenizer.train(["so ... so ... so ..."] * 9, 266, kind="byte-level-bpe")
    found = read(tokenizer, 20, ["so ..."])

    assert found.pieces[-2] == "Ġ..."
    assert [word.text for word in found.words] == ["so", ".", ".", "."]
    assert found.word_of[-2:] == [1, -1]
    assert found.position_of[1:] == [len(found.pieces) - 2] * 3


@pytest.mark.parametrize("seed", range(20))
def test_places_of_any_text_are_those_of_its_words(seed):
    draw = random.Random(seed)
    text = "".join(draw.choices("ab \t\n.,é東e\u0301\u200b\x00İ\U0001f468\u200d\ud800", k=draw.randint(0, 40)))
    found = read(tiny_text.tokenizer(), 100, [text])

    assert len(found.pieces) == len(found.parts) == len(found.offsets) == len(found.word_of)
    assert len(found.words) == len(found.position_of)
    assert all(text[word.start : word.end] == word.text != "" for word in found.words)
    assert [part >= 0 for part in found.parts] == [start >= 0 for start, _ in found.offsets]
    for word, position in enumerate(found.position_of):
        if position is not None:
            (start, end), own = found.offsets[position], found.words[word]
            assert start <= own.end and own.start <= end
            assert found.word_of[position] <= word
