"""Thousands of short strings of awkward characters: ids as the reference has them, and spans that hold their pieces."""

import itertools
import random
import unicodedata

import pytest
from text import reference_tokenizer

from bert_keras.text import Tokenizer, clean

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# Letters that change under lower-casing or decomposition, marks, joiners, white space, symbols, ideographs, strangers.
LETTERS = "abcxyzABÉéñİıßẞſΣσςάΐЙйがカ한한ﬁＡａ①½अनि्กำ日東\ufa0e\uf900\U0002b8ff\U00020000😀👍👨"
OTHERS = (
    "  \t\n\r\u00a0\u3000\u2028\u0085\u200b\u200d\u00ad\ufeff\ufe0f\x00\ufffd\x0b\x1c"
    "\u0300\u0301\u0316\u0345\u0f71\u0f72\u0f73\U0001d165\u1b44\u302e"
    "!?.,-—$+<=>^`|~[]#'«»…、。\ue000\U000effff\ufffe\ud800"
)
WORDS = ["[MASK]", "[CLS]", "hello", "Hello", "ΟΔΟΣ", "naïve", "##a", "don't"]


def make_texts(seed: int, count: int) -> list[str]:
    generator = random.Random(seed)
    alphabet = [*LETTERS, *LETTERS, *OTHERS, *WORDS]
    return ["".join(generator.choices(alphabet, k=generator.randint(0, 12))) for _ in range(count)]


def make_vocabulary(seed: int, lowercase: bool) -> list[str]:
    """Every second character and some strings of them, as they look after cleaning."""
    generator = random.Random(seed)
    characters = sorted({character for character in clean(LETTERS + OTHERS, lowercase) if character.isprintable()})
    some = [character for character in characters if generator.random() < 0.7 and character != " "]
    strings = ["".join(generator.choices(some, k=generator.randint(2, 3))) for _ in range(300)]
    words = some + strings + ["hello", "οδος", "mask"]
    return SPECIALS + list(dict.fromkeys(words + ["##" + word for word in words]))


@pytest.fixture(params=[True, False], ids=["uncased", "cased"])
def tokenizer(request):
    vocabulary = make_vocabulary(seed=1, lowercase=request.param)
    return Tokenizer.from_vocabulary(vocabulary, lowercase=request.param, max_characters_per_word=9)


def test_ids_equal_the_reference(tokenizer):
    texts = make_texts(seed=2, count=4000)
    expected = [
        reference_tokenizer.ids(text, tokenizer.vocabulary, tokenizer.lowercase, max_characters=9) for text in texts
    ]
    assert tokenizer.ids(texts) == expected
    # The strings must be such that something can be said of them.
    known = [index for ids in expected for index in ids]
    assert 0.2 < sum(index != tokenizer.unk_id for index in known) / len(known) < 0.9


def test_tokenize_gives_the_same_ids_as_a_batch(tokenizer):
    texts = make_texts(seed=3, count=1000)
    assert [[index for _, index, _, _ in tokenizer.tokenize(text)] for text in texts] == tokenizer.ids(texts)


def test_spans_hold_their_pieces(tokenizer):
    for text in make_texts(seed=4, count=2000):
        pieces = tokenizer.tokenize(text)
        assert all(0 <= start < end <= len(text) for _, _, start, end in pieces)
        assert all(one[2] <= other[2] and one[3] <= other[3] for one, other in itertools.pairwise(pieces))
        for position, (piece, index, start, end) in enumerate(pieces):
            words = reference_tokenizer.basic_words(text[start:end], tokenizer.lowercase)
            assert len(words) == 1, (text, piece)
            if index == tokenizer.unk_id:
                continue
            letters = piece.removeprefix("##")
            # A capital sigma looks different away from the end of its word.
            word = words[0] if letters[-1:] != "ς" else words[0].removesuffix("σ").removesuffix("ς") + "ς"
            shares_a_character = any(
                other[2] < end and start < other[3] for other in pieces[:position] + pieces[position + 1 :]
            )
            assert letters in word if shares_a_character else letters == word, (text, piece)


def test_cleaning_does_not_change_the_pieces():
    tokenizer = Tokenizer.from_vocabulary(make_vocabulary(seed=1, lowercase=True), max_characters_per_word=9)
    texts = make_texts(seed=5, count=2000)
    assert tokenizer.ids([clean(text) for text in texts]) == tokenizer.ids(texts)


def test_decomposed_marks_are_in_canonical_order():
    # Two marks that are no accents (Mc) but have combining classes: 224 goes before 226, as NFD says.
    word = "a\U0001d16d\u302e"
    ordered = unicodedata.normalize("NFD", word)
    assert ordered != word
    tokenizer = Tokenizer.from_vocabulary([*SPECIALS, ordered, word])
    assert tokenizer.tokenize(word)[0][0] == ordered
