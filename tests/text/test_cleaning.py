"""The cleaning for devices: after it MediaPipe's tokenizer gives the pieces that training saw (7.14)."""

import pytest
from text import mediapipe_tokenizer

from bert_keras.text import Tokenizer, clean

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789ßıﬁσςабвгдежзиклмнопрстухцчшщъыьэюя東京日本ひらかなカ한한😀ａ½①"
SYMBOLS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~—…«»“”、。"
VOCABULARY = [*SPECIALS, *CHARACTERS, *(f"##{character}" for character in CHARACTERS), *SYMBOLS, "mask", "cafe"]

TRICKY = [
    "Café naïve ÜBER",
    "cafe\u0301",
    "が ガ",
    "ﬁne ① ½ ａ",
    "[MASK] and [CLS]",
    "one\nline\ttwo\rthree\r\nfour",
    "a\u0085b",
    "a\u200bb \u200b c",
    "nbsp\u00a0ideographic\u3000line\u2028end",
    "$5+3=8 <a> x^2 `b` ~c|d",
    "😀glad 😀 glad",
    "👨\u200d👩\u200d👧",
    "東京tower ひらがな 한국",
    "",
    " \u200b ",
    "İstanbul ISTANBUL ı",
    "ΟΔΟΣ ΣΑΣ",
    "Привет МИР",
    "Straße ẞ",
    "good\ufffdbad so\u00adft\ufeff",
    "nul\x00byte",
    "x\u0300\u0316y \u0301 z",
    "“quotes” … «x»、。",
    "\u202eright to left",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café\tNaïve\r\n", "cafe naive"),
        ("a\u0085b\u200bc\x00\ufffd", "abc"),
        (" a\u00a0b\u3000\u2028c ", "a b c"),
        ("ΟΔΟΣ", "οδος"),
        ("İ", "i"),
        ("ﬁ Ａ", "ﬁ ａ"),
        ("東京tower!", "東京tower!"),
        ("a \u0301 b", "a b"),
        ("", ""),
    ],
)
def test_clean(text, expected):
    assert clean(text) == expected


def test_cased_cleaning_keeps_case_and_accents():
    assert clean("Café\u200b\tΟΔΟΣ", lowercase=False) == "Café ΟΔΟΣ"


def test_cleaning_twice_changes_nothing():
    assert [clean(clean(text)) for text in TRICKY] == [clean(text) for text in TRICKY]


@pytest.mark.parametrize("text", TRICKY, ids=ascii)
def test_device_sees_our_pieces_after_cleaning(text):
    ours = [piece for piece, _, _, _ in Tokenizer.from_vocabulary(VOCABULARY).tokenize(text)]
    assert mediapipe_tokenizer.pieces(clean(text), VOCABULARY) == ours


def test_without_cleaning_a_device_sees_other_pieces():
    tokenizer = Tokenizer.from_vocabulary(VOCABULARY)
    different = [
        text
        for text in TRICKY
        if mediapipe_tokenizer.pieces(text, VOCABULARY) != [piece for piece, _, _, _ in tokenizer.tokenize(text)]
    ]
    assert len(different) > 10


def test_words_over_100_bytes_stay_different():
    # The one difference that cleaning cannot mend: MediaPipe counts bytes, and 51 Cyrillic letters are 102.
    word = "я" * 51
    assert mediapipe_tokenizer.pieces(clean(word), VOCABULARY) == ["[UNK]"]
    assert len(Tokenizer.from_vocabulary(VOCABULARY).tokenize(word)) == 51
