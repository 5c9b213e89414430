"""Texts that the `tokenizers` library may split by itself: its rules and Google's must agree on each character."""

import unicodedata

import pytest
import tokenizers
from text import reference_tokenizer

from bert_keras.text.rules import is_cjk, is_dropped, is_punctuation, is_whitespace
from bert_keras.text.words import WordSplitter, is_plain

# The planes above hold nothing that a rule speaks of, but for the tags among these.
EVERY_CHARACTER = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x30000), *range(0xE0000, 0xE0200))]
PLAIN = [character for character in EVERY_CHARACTER if is_plain(character)]


def test_common_scripts_are_plain():
    assert is_plain("Hello, “naïve” wörld — 5 €… Привет Ελλάδα שלום العربية 日本語 ひらがな 한국어 😀\r\n")


@pytest.mark.parametrize(
    "character", ["Σ", "\u0301", "\u200b", "\u00ad", "\x00", "\ufffd", "\ue000", "\u0378", "\ufe0f"]
)
def test_awkward_characters_are_not_plain(character):
    assert not is_plain(f"a{character}b")


def test_plain_characters_do_not_influence_their_neighbours():
    assert not [char for char in PLAIN if unicodedata.category(char)[0] == "M" or unicodedata.combining(char)]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("strip_accents", [True, False])
def test_library_splits_plain_characters_as_we_do(lowercase, strip_accents):
    text = " ".join(f"a{character}b" for character in PLAIN)
    normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lowercase, strip_accents=strip_accents)
    words = tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(normalizer.normalize_str(text))
    ours = WordSplitter(lowercase, strip_accents).split(text).joined.split()
    assert [word for word, _ in words] == ours


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_character_is_split_as_the_reference_does(lowercase):
    # Capital sigma between letters and all the rest, in plain text or not.
    characters = EVERY_CHARACTER[:0x3000] + EVERY_CHARACTER[0xA000:0x12000] + EVERY_CHARACTER[0x1D000:0x1F000]
    text = " ".join(f"a{character}b" for character in characters)
    ours = WordSplitter(lowercase, strip_accents=lowercase).split(text).joined.split()
    assert ours == reference_tokenizer.basic_words(text, lowercase)


def test_rules_agree_with_the_reference_on_every_character():
    for character in EVERY_CHARACTER:
        assert is_cjk(character) == reference_tokenizer.is_cjk(character)
        dropped = reference_tokenizer.is_control(character) or character in "\0\ufffd"
        assert is_dropped(character) == dropped
        assert dropped or is_punctuation(character) == reference_tokenizer.is_punctuation(character)
        assert dropped or is_whitespace(character) == (
            reference_tokenizer.is_whitespace(character) or character.isspace()
        )
