"""Pieces, ids and offsets: the fault rows of WordPiece with their values, and bad input."""

import warnings

import numpy as np
import pytest

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNK, CLS, SEP, MASK = range(5)


def make(pieces: str, **options) -> Tokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small vocabularies with a capital count as cased
        return Tokenizer.from_vocabulary(SPECIALS + pieces.split(), **options)


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    return [piece for piece, _, _, _ in tokenizer.tokenize(text)]


def spans(tokenizer: Tokenizer, text: str) -> list[tuple[str, str]]:
    return [(piece, text[start:end]) for piece, _, start, end in tokenizer.tokenize(text)]


# Accents and case (1.01, 1.02)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café naïve", ["cafe", "naive"]),
        ("が", ["か"]),
        ("ﬁne", ["ﬁne"]),
        ("ＡＢＣ", ["ａｂｃ"]),
        ("Ångström", ["angstrom"]),
        ("cafe\u0301", ["cafe"]),
        ("İstanbul", ["istanbul"]),
        ("ΟΔΟΣ ΣΑΣ.", ["οδος", "σας", "."]),
        ("Straße", ["straße"]),
    ],
)
def test_uncased_text_is_lowercased_decomposed_and_stripped_of_marks(text, expected):
    tokenizer = make("cafe naive か ﬁne fine ａｂｃ abc angstrom istanbul οδος οδοσ σας σασ . straße strasse")
    assert pieces(tokenizer, text) == expected


def test_cased_text_keeps_case_and_accents():
    tokenizer = make("naïve Café naive cafe", lowercase=False)
    assert pieces(tokenizer, "naïve Café") == ["naïve", "Café"]


@pytest.mark.parametrize(
    ("lowercase", "strip_accents", "expected"),
    [
        (True, None, "cafe"),
        (True, False, "café"),
        (True, True, "cafe"),
        (False, None, "Café"),
        (False, True, "Cafe"),
        (False, False, "Café"),
    ],
)
@pytest.mark.parametrize("text", ["Café", "Café\u200b"])  # by the library, and by the Python rules
def test_strip_accents_follows_lowercase_unless_it_is_given(text, lowercase, strip_accents, expected):
    tokenizer = make("cafe café Café Cafe", lowercase=lowercase, strip_accents=strip_accents)
    assert pieces(tokenizer, text) == [expected]


def test_cased_vocabulary_with_lowercase_warns():
    with pytest.warns(UserWarning, match="cased but lowercase=True"):
        Tokenizer.from_vocabulary([*SPECIALS, "the", "The", "Paris"])


def test_uncased_vocabulary_does_not_warn():
    Tokenizer.from_vocabulary([*SPECIALS, "[unused1]", "the", "paris", "日"])


# Special tokens in a text (1.03)


@pytest.mark.parametrize("text", ["[MASK]", "fill in [MASK].", "[MASK] x", "x[MASK]x", "[CLS] [SEP] [PAD] [UNK]"])
def test_special_tokens_in_a_text_are_ordinary_text(text):
    tokenizer = make("[ ] mask fill in . x cls sep pad unk ##x")
    assert set(tokenizer.ids([text])[0]).isdisjoint({PAD, CLS, SEP, MASK})
    assert pieces(tokenizer, "fill in [MASK].") == ["fill", "in", "[", "mask", "]", "."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[MASK]", ["[MASK]"]),
        ("fill in [MASK].", ["fill", "in", "[MASK]", "."]),
        ("[MASK] in", ["[MASK]", "in"]),
        ("in [MASK]", ["in", "[MASK]"]),
        ("in[MASK]in", ["in", "[MASK]", "in"]),
        ("[MASK][MASK]", ["[MASK]", "[MASK]"]),
        ("[mask]", ["[", "mask", "]"]),
        ("[MASK", ["[", "mask"]),
        ("[CLS]", ["[", "cls", "]"]),
    ],
)
def test_mask_in_text_is_one_piece_everywhere(text, expected):
    tokenizer = make("[ ] mask fill in . cls", mask_in_text=True)
    assert pieces(tokenizer, text) == expected


def test_mask_in_text_has_its_span():
    tokenizer = make("a b", mask_in_text=True)
    assert tokenizer.tokenize("a [MASK]b") == [("a", 5, 0, 1), ("[MASK]", MASK, 2, 8), ("b", 6, 8, 9)]


# White space, control characters, punctuation (1.04, 1.05)


@pytest.mark.parametrize("separator", ["\n", "\t", "\r", "\r\n", "\u00a0", "\u3000", "\u2028", "\u2029", "  "])
def test_white_space_separates_words(separator):
    assert pieces(make("one line"), f"one{separator}line") == ["one", "line"]


@pytest.mark.parametrize(
    "dropped", ["\u0085", "\u200b", "\u00ad", "\x00", "\ufffd", "\x0b", "\ufeff", "\u200d", "\x7f"]
)
def test_other_control_characters_vanish(dropped):
    tokenizer = make("ab")
    assert tokenizer.tokenize(f"a{dropped}b") == [("ab", 5, 0, 3)]


def test_every_ascii_symbol_is_punctuation():
    symbols = [chr(code) for code in (*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 127))]
    tokenizer = make(" ".join(["x", "##x", *symbols]))
    assert pieces(tokenizer, "x" + "x".join(symbols)) == ["x", *[part for s in symbols for part in (s, "x")][:-1]]


def test_price_is_split():
    assert pieces(make("$ 5 + 3 = 8"), "$5+3=8") == ["$", "5", "+", "3", "=", "8"]


# Emoji (1.07)


def test_emoji_glued_to_a_word_makes_it_unknown():
    tokenizer = make("glad")
    assert spans(tokenizer, "😀glad") == [("[UNK]", "😀glad")]
    assert spans(tokenizer, "😀 glad") == [("[UNK]", "😀"), ("glad", "glad")]


def test_emoji_family_is_one_word():
    family = "👨\u200d👩\u200d👧"
    assert spans(make("x"), family) == [("[UNK]", family)]
    assert pieces(make("👨👩👧"), family) == ["👨👩👧"]


def test_variation_selector_is_dropped_only_uncased():
    assert pieces(make("❤ ❤\ufe0f"), "❤\ufe0f") == ["❤"]
    assert pieces(make("❤ ❤\ufe0f", lowercase=False), "❤\ufe0f") == ["❤\ufe0f"]


# Long and unknown words (1.09, 1.10, 1.11)


@pytest.mark.parametrize(
    ("limit", "length", "known"), [(100, 100, True), (100, 101, False), (200, 200, True), (200, 201, False)]
)
@pytest.mark.parametrize("end", ["", "\u200b"])
def test_word_longer_than_the_limit_is_one_unknown(limit, length, known, end):
    tokenizer = make("x ##x", max_characters_per_word=limit)
    expected = ["x"] + ["##x"] * (length - 1) if known else ["[UNK]"]
    assert pieces(tokenizer, "x" * length + end) == expected


def test_limit_of_a_bare_vocabulary_is_googles():
    assert make("x").max_characters_per_word == 200


def test_unknown_long_word_spans_the_word():
    tokenizer = make("x ##x ok")
    assert tokenizer.tokenize("x" * 201 + " ok") == [("[UNK]", UNK, 0, 201), ("ok", 7, 202, 204)]


def test_unknown_rest_makes_the_whole_word_unknown():
    assert make("un ##aff").tokenize("unaffxyz") == [("[UNK]", UNK, 0, 8)]


def test_longest_piece_wins():
    assert pieces(make("un ##a ##aff ##able ##ff"), "unaffable") == ["un", "##aff", "##able"]


# CJK (1.12)


def test_ideographs_are_words_and_kana_and_hangul_are_not():
    tokenizer = make("東 京 tower ひら ##がな 한국 日本")
    assert pieces(tokenizer, "東京tower") == ["東", "京", "tower"]
    tokenizer = make("ひらかな \u1112\u1161\u11ab 日 本")
    assert pieces(tokenizer, "ひらがな 한 日本") == ["ひらかな", "\u1112\u1161\u11ab", "日", "本"]


@pytest.mark.parametrize("ideograph", ["\U0002b820", "\U0002b8ff", "\U0002ceaf", "\u3400", "\U00020000", "\ufa0e"])
def test_googles_table_of_ideographs_is_used(ideograph):
    assert pieces(make(f"a b {ideograph}"), f"a{ideograph}b") == ["a", ideograph, "b"]


def test_private_use_and_unassigned_characters_stay_in_their_word():
    assert spans(make("a b ab"), "a\ue000b a\U000effffb ab") == [
        ("[UNK]", "a\ue000b"),
        ("[UNK]", "a\U000effffb"),
        ("ab", "ab"),
    ]


def test_lone_surrogate_makes_its_word_unknown():
    assert spans(make("a b"), "a \ud83d b") == [("a", "a"), ("[UNK]", "\ud83d"), ("b", "b")]


# Empty texts (1.14)


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\n\t", "\u0301", "\ufffd"])
def test_text_without_words_is_cls_sep(text):
    arrays = make("x")([text, "x"], max_length=6, pad=True)
    np.testing.assert_array_equal(arrays["token_ids"][0], [CLS, SEP, PAD, PAD, PAD, PAD])
    np.testing.assert_array_equal(arrays["padding_mask"][0], [1, 1, 0, 0, 0, 0])
    assert make("x").tokenize(text) == []


def test_pair_with_an_empty_text():
    arrays = make("x")([""], ["x"])
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, SEP, 5, SEP]])
    np.testing.assert_array_equal(arrays["segment_ids"], [[0, 0, 1, 1]])


def test_batch_of_empty_texts():
    arrays = make("x")(["", " "])
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, SEP], [CLS, SEP]])


def test_empty_batch_has_no_rows_and_no_columns():
    assert {name: array.shape for name, array in make("x")([]).items()} == {
        "token_ids": (0, 0),
        "segment_ids": (0, 0),
        "padding_mask": (0, 0),
    }


# Offsets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café, naïve", [("cafe", "Café"), (",", ","), ("naive", "naïve")]),
        ("cafe\u0301 x", [("cafe", "cafe\u0301"), ("x", "x")]),
        ("a\u0301\u0316b", [("ab", "a\u0301\u0316b")]),
        ("İİx", [("iix", "İİx")]),
        ("  x\u200b\u200b  x ", [("x", "x"), ("x", "x")]),
        ("東x京", [("東", "東"), ("x", "x"), ("京", "京")]),
        ("x\u0300!\u0300", [("x", "x\u0300"), ("!", "!\u0300")]),
        ("\x00x\x01\x02x", [("x", "x"), ("##x", "x")]),
        ("😀 x", [("[UNK]", "😀"), ("x", "x")]),
        ("A  x\r\n\tx", [("a", "A"), ("x", "x"), ("x", "x")]),
    ],
)
def test_spans_are_code_points_of_the_text_as_given(text, expected):
    assert spans(make("cafe naive , ab iix x ##x 東 京 ! a"), text) == expected


def test_lowercase_that_lengthens_a_word_keeps_spans():
    tokenizer = make("i\u0307 ##s", strip_accents=False)
    assert tokenizer.tokenize("İs İs\u200b") == [
        ("i\u0307", 5, 0, 1),
        ("##s", 6, 1, 2),
        ("i\u0307", 5, 3, 4),
        ("##s", 6, 4, 5),
    ]


# Batches


def test_special_ids_come_from_the_vocabulary():
    tokenizer = Tokenizer.from_vocabulary(["x", "[SEP]", "[MASK]", "[CLS]", "[PAD]", "[UNK]"])
    assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id) == (
        *(4, 5, 3),
        *(1, 2),
    )
    np.testing.assert_array_equal(tokenizer(["x y", ""])["token_ids"], [[3, 0, 5, 1], [3, 1, 4, 4]])


def test_batch_mixes_plain_and_other_texts_in_order():
    tokenizer = make("a b c d")
    assert tokenizer.ids(["a", "b\u200b", "c", "\u200bd"]) == [[5], [6], [7], [8]]


def test_arrays_are_int32():
    assert {array.dtype for array in make("x")(["x"], ["x"]).values()} == {np.dtype(np.int32)}


def test_hundred_thousand_words():
    tokenizer = make("word")
    assert len(tokenizer.ids(["word " * 100_000])[0]) == 100_000
    assert tokenizer(["word " * 100_000], max_length=512)["token_ids"].shape == (1, 512)


def test_word_of_a_million_letters():
    assert make("x ##x").tokenize("x" * 1_000_000) == [("[UNK]", UNK, 0, 1_000_000)]


# Bad input


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["x", None], r"texts\[1\] is None; every text must be a string"),
        ([b"x"], r"texts\[0\] is b'x'"),
        (["x", "x", float("nan")], r"texts\[2\] is nan"),
        ("x", "texts is one string; give a list of strings"),
    ],
)
def test_texts_that_are_not_strings_are_refused(texts, message):
    with pytest.raises(InputError, match=message):
        make("x")(texts)


def test_pairs_that_are_not_strings_are_refused():
    with pytest.raises(InputError, match=r"pairs\[0\] is 3"):
        make("x")(["x"], [3])


def test_pairs_of_another_number_are_refused():
    with pytest.raises(InputError, match="2 texts but 1 pairs"):
        make("x")(["x", "x"], ["x"])


def test_tokenize_refuses_none():
    with pytest.raises(InputError, match="text is None"):
        make("x").tokenize(None)


@pytest.mark.parametrize("missing", SPECIALS)
def test_missing_special_token_is_named(missing):
    with pytest.raises(InputError, match=rf"lacks the special token '\{missing[:-1]}\]'"):
        Tokenizer.from_vocabulary([piece for piece in SPECIALS if piece != missing])


@pytest.mark.parametrize(
    ("piece", "message"), [(7, r"vocabulary\[5\] is 7"), ("\ud83d", r"vocabulary\[5\] .* holds half a character")]
)
def test_vocabulary_of_other_things_is_refused(piece, message):
    with pytest.raises(InputError, match=message):
        Tokenizer.from_vocabulary([*SPECIALS, piece])


def test_says_what_it_is():
    assert repr(make("x y")) == "WordPieceTokenizer(7 pieces, uncased)"
