"""Unigram vocabularies made from text."""

import pytest
from text.unigram_golden import FAMILIES, SIZE, SPECIALS, TEXTS, pieces

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.unigram import UnigramTokenizer
from bert_keras.text.unigram_layouts import LAYOUTS


@pytest.fixture(scope="module")
def trained():
    return Tokenizer.train(TEXTS, SIZE, kind="unigram")


def test_training_gives_alberts_vocabulary(trained):
    assert isinstance(trained, UnigramTokenizer)
    assert len(trained.vocabulary) == SIZE
    assert trained.vocabulary[:5] == SPECIALS
    assert trained.scores[:5] == [0.0] * 5
    assert all(before >= after for before, after in zip(trained.scores[5:], trained.scores[6:], strict=False))
    assert (trained.layout, trained.lowercase, trained.strip_accents) == ("albert", True, True)
    assert "▁film" in trained.vocabulary
    assert pieces(trained, "The FILM") == ["▁th", "e", "▁film"]
    assert not any(piece.lower() != piece for piece in trained.vocabulary[5:])
    text = "the café was nïce, ﬁlmed ①"
    assert "".join(pieces(trained, text)) == "▁the▁cafe▁was▁nice,▁filmed▁<unk>"


def test_training_with_case():
    tokenizer = Tokenizer.train(TEXTS, SIZE, kind="unigram", lowercase=False)
    assert "".join(pieces(tokenizer, "The Café ｗas")) == "▁The▁Café▁was"
    assert (tokenizer.lowercase, tokenizer.strip_accents) == (False, False)


# Two runs in one process see two random orders of the library's hash maps.
def test_training_gives_the_same_vocabulary_every_time(trained):
    for _ in range(5):
        again = Tokenizer.train(TEXTS, SIZE, kind="unigram")
        assert (again.vocabulary, again.scores) == (trained.vocabulary, trained.scores)


@pytest.mark.parametrize("name", FAMILIES)
def test_training_for_a_family(name):
    tokenizer = Tokenizer.train(TEXTS, SIZE, kind="unigram", layout=name)
    layout = LAYOUTS[name]
    assert tokenizer.vocabulary[: len(layout.first_roles)] == [layout.special_tokens[r] for r in layout.first_roles]
    assert (tokenizer.vocabulary[-1] == layout.special_tokens["mask"]) == (name != "albert")
    assert len(tokenizer.vocabulary) == SIZE
    assert tokenizer.segments == (name == "albert")


def test_rare_characters_are_left_out():
    tokenizer = Tokenizer.train([*TEXTS * 3, "ж film"], SIZE, kind="unigram")
    assert "ж" not in tokenizer.vocabulary
    assert pieces(tokenizer, "ж") == ["▁", "<unk>"]


def test_special_tokens_in_texts_are_passed_over():
    tokenizer = Tokenizer.train([*TEXTS, *["<pad> <pad>film"] * 50], SIZE, kind="unigram")
    assert tokenizer.vocabulary.count("<pad>") == 1
    assert tokenizer.scores[0] == 0.0


@pytest.mark.parametrize(
    ("texts", "size", "options", "message"),
    [
        (TEXTS, 6, {}, "vocabulary_size 6 leaves no room"),
        (["", " "], 50, {}, "hold no words"),
        (TEXTS, 5000, {}, r"the texts give only \d+ pieces, fewer than vocabulary_size 5000"),
        (["a", None], 50, {}, r"texts\[1\] is None"),
        (TEXTS, 50, {"layout": "t5"}, "there is no layout 't5'"),
    ],
)
def test_training_refuses(texts, size, options, message):
    with pytest.raises(InputError, match=message):
        Tokenizer.train(texts, size, kind="unigram", **options)
