"""Byte-level BPE: pieces, ids and places calculated by hand, and that no byte is lost."""

import json

import numpy as np
import pytest
from text.awkward import STRINGS, fuzzed

from bert_keras.errors import InputError
from bert_keras.text import ByteLevelBpeTokenizer, Tokenizer

SPECIALS = ["<s>", "<pad>", "</s>", "<unk>"]
CLS, PAD, SEP, UNK = range(4)

# GPT-2's table: printable bytes stand for themselves, the others in their order for the characters from 256 on.
PRINTABLE = [*range(33, 127), *range(161, 173), *range(174, 256)]
OTHERS = [byte for byte in range(256) if byte not in PRINTABLE]
BYTE_OF = {chr(byte): byte for byte in PRINTABLE} | {chr(256 + i): byte for i, byte in enumerate(OTHERS)}
MERGES = ["H e", "l l", "He ll", "Hell o", "Ġ Hello", "w o", "r l", "wo rl", "worl d", "Ġ world", "Ã ©", "Ġ x"]


def make(merges=MERGES, specials=(*SPECIALS, "<mask>"), **options) -> ByteLevelBpeTokenizer:
    pairs = [tuple(merge.split()) for merge in merges]
    pieces = dict.fromkeys([*specials, *BYTE_OF, *("".join(pair) for pair in pairs)])
    return ByteLevelBpeTokenizer(pieces, pairs, **options)


@pytest.fixture(scope="module")
def trained():
    return Tokenizer.train(STRINGS * 2, 700, kind="byte-level-bpe")


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    return [piece for piece, _, _, _ in tokenizer.tokenize(text)]


def spans(tokenizer: Tokenizer, text: str) -> list[tuple[str, int, int]]:
    return [(piece, start, end) for piece, _, start, end in tokenizer.tokenize(text)]


def to_bytes(some: list[str]) -> bytes:
    return bytes(BYTE_OF[character] for piece in some for character in piece)


# The space in front (1.16)


@pytest.mark.parametrize(
    ("text", "prefix", "expected"),
    [
        ("Hello world", False, ["Hello", "Ġworld"]),
        (" Hello world", False, ["ĠHello", "Ġworld"]),
        ("Hello world", True, ["ĠHello", "Ġworld"]),
        (" Hello world", True, ["ĠHello", "Ġworld"]),
        ("  Hello", False, ["Ġ", "ĠHello"]),
        ("  Hello", True, ["Ġ", "ĠHello"]),
        ("\nHello", True, ["Ġ", "Ċ", "Hello"]),
        ("x Hello", False, ["x", "ĠHello"]),
    ],
)
def test_prefix_space_governs_the_first_word_alone(text, prefix, expected):
    assert pieces(make(add_prefix_space=prefix), text) == expected


def test_words_split_beforehand_need_the_prefix_space():
    whole = make().ids([" Hello world"])
    first, second = make(add_prefix_space=True).ids(["Hello", "world"])
    assert [first + second] == whole
    first, second = make().ids(["Hello", "world"])
    assert [first + second] != whole


@pytest.mark.parametrize("text", [*STRINGS, "\ue000\U000effff", "\u0120\u010a", "a" * 1000])
def test_no_byte_is_lost(trained, text):
    assert to_bytes(pieces(trained, text)) == text.encode()


def test_no_byte_of_random_strings_is_lost(trained):
    texts = fuzzed(seed=4, count=1000)
    vocabulary = trained.vocabulary
    assert [to_bytes([vocabulary[index] for index in ids]) for ids in trained.ids(texts)] == [t.encode() for t in texts]


def test_merges_are_applied_by_rank():
    # b c is the first merge, so "abc" is a + bc although a b is a merge too.
    assert pieces(make(["b c", "a b"]), "abcab") == ["a", "bc", "ab"]


def test_contractions_letters_digits_and_symbols_are_words():
    tokenizer = make(["n '", "' t", "1 a", "a !"])
    assert pieces(tokenizer, "n't1a!") == ["n", "'t", "1", "a", "!"]


# Places


def test_places_leave_out_the_space_in_front():
    assert spans(make(), "Hello  world") == [("Hello", 0, 5), ("Ġ", 6, 6), ("Ġworld", 7, 12)]


def test_places_with_a_prefix_space_are_those_of_the_text_as_given():
    assert spans(make(add_prefix_space=True), "Hello world") == [("ĠHello", 0, 5), ("Ġworld", 6, 11)]


def test_pieces_of_one_character_have_its_place():
    assert spans(make(), "é😀x") == [("Ã©", 0, 1), *((piece, 1, 2) for piece in "ðŁĺĢ"), ("x", 2, 3)]


def test_places_cover_the_text_in_order(trained):
    for text in fuzzed(seed=5, count=300):
        found = [(start, end) for _, start, end in spans(trained, text)]
        covered = {position for start, end in found for position in range(start, end)}
        assert found == sorted(found)
        assert {position for position, character in enumerate(text) if not character.isspace()} <= covered


def test_tokenize_gives_the_same_ids_as_a_batch(trained):
    texts = fuzzed(seed=6, count=300)
    assert [[index for _, index, _, _ in trained.tokenize(text)] for text in texts] == trained.ids(texts)


# Special tokens in a text


def test_special_tokens_in_a_text_are_ordinary_text():
    tokenizer = make()
    ids = tokenizer.ids(["<s> </s><pad> <unk> <mask>"])[0]
    assert set(ids).isdisjoint({CLS, PAD, SEP, UNK, tokenizer.mask_id})
    assert pieces(tokenizer, "<s>") == ["<", "s", ">"]


def test_no_merge_makes_a_special_token():
    tokenizer = make(["p a", "pa d"], ["<s>", "pad", "</s>", "<unk>", "<mask>"], special_tokens={"pad": "pad"})
    assert pieces(tokenizer, "pad") == ["pa", "d"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<mask>", [("<mask>", 0, 6)]),
        ("x <mask>.", [("x", 0, 1), ("<mask>", 2, 8), (".", 8, 9)]),
        ("x \u3000\n<mask> world", [("x", 0, 1), ("<mask>", 4, 10), ("Ġworld", 11, 16)]),
        ("x<mask>x", [("x", 0, 1), ("<mask>", 1, 7), ("x", 7, 8)]),
        (" <mask><mask>", [("<mask>", 1, 7), ("<mask>", 7, 13)]),
        ("x\x1c<mask>", [("x", 0, 1), ("Ĝ", 1, 2), ("<mask>", 2, 8)]),
        ("<mask", [("<", 0, 1), ("m", 1, 2), ("a", 2, 3), ("s", 3, 4), ("k", 4, 5)]),
    ],
)
def test_mask_in_text_is_one_piece_that_takes_the_space_before_it(text, expected):
    tokenizer = make(mask_in_text=True)
    assert spans(tokenizer, text) == expected
    assert tokenizer.ids(["x", text])[1] == [tokenizer.vocabulary.index(piece) for piece, _, _ in expected]


def test_mask_may_leave_the_space():
    assert pieces(make(mask_in_text=True, mask_takes_space=False), "x <mask>") == ["x", "Ġ", "<mask>"]


def test_prefix_space_after_a_mask():
    assert spans(make(mask_in_text=True, add_prefix_space=True), "x<mask>x") == [
        ("Ġx", 0, 1),
        ("<mask>", 1, 7),
        ("Ġx", 7, 8),
    ]


def test_mask_in_text_is_set_for_one_tokenizer_alone():
    tokenizer = make()
    assert tokenizer.with_mask_in_text().ids(["<mask>"]) == [[tokenizer.mask_id]]
    assert len(tokenizer.ids(["<mask>"])[0]) == 6


# Strange texts


@pytest.mark.parametrize(("text", "expected"), [("", []), ("\x00", ["Ā"]), ("\x00\x00", ["Ā", "Ā"])])
def test_empty_text_and_nul(text, expected):
    assert pieces(make(), text) == expected


def test_lone_surrogates_are_read_as_replacement_characters():
    assert spans(make(), "x\ud83dx") == [("x", 0, 1), ("ï", 1, 2), ("¿", 1, 2), ("½", 1, 2), ("x", 2, 3)]
    assert make().ids(["x\ud83d", "\ude00"]) == make().ids(["x\ufffd", "\ufffd"])


def test_word_of_a_hundred_thousand_letters():
    assert make().ids(["y" * 100_000]) == [[make().vocabulary.index("y")] * 100_000]


def test_bytes_that_the_vocabulary_lacks_are_unknown():
    tokenizer = ByteLevelBpeTokenizer([*SPECIALS, "a", "b", "<mask>"], [])
    assert tokenizer.tokenize("acb") == [("a", 4, 0, 1), ("<unk>", UNK, 1, 2), ("b", 5, 2, 3)]


# Rows (1.18, 4.07)


def test_pair_has_two_separators_and_no_segments():
    arrays = make()(["x", "Hello x"], ["Hello", ""])
    x, hello, space_x = (make().vocabulary.index(piece) for piece in ("x", "Hello", "Ġx"))
    np.testing.assert_array_equal(
        arrays["token_ids"], [[CLS, x, SEP, SEP, hello, SEP], [CLS, hello, space_x, SEP, SEP, SEP]]
    )
    assert arrays.keys() == {"token_ids", "padding_mask"}


def test_id_0_is_no_padding():
    arrays = make()(["x", ""], max_length=4, pad=True)
    x = make().vocabulary.index("x")
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, x, SEP, PAD], [CLS, SEP, PAD, PAD]])
    np.testing.assert_array_equal(arrays["padding_mask"], [[1, 1, 1, 0], [1, 1, 0, 0]])


def test_segments_and_separators_may_be_berts():
    tokenizer = make(segments=True, separators=1)
    arrays = tokenizer(["x"], ["x"])
    x = tokenizer.vocabulary.index("x")
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, x, SEP, x, SEP]])
    np.testing.assert_array_equal(arrays["segment_ids"], [[0, 0, 0, 1, 1]])


def test_pieces_that_continue_a_word():
    tokenizer = make()
    assert [tokenizer.continues_word(piece) for piece in ("Hello", "ĠHello", "Ġ")] == [True, False, False]


# Vocabularies


def test_vocabulary_file_has_its_merges_beside_it(tmp_path):
    tokenizer = make()
    ids = {piece: index for index, piece in enumerate(tokenizer.vocabulary)}
    (tmp_path / "vocab.json").write_text(json.dumps(ids))
    (tmp_path / "merges.txt").write_text("#version: 0.2\n" + "\n".join(MERGES), encoding="utf-8")
    again = Tokenizer.from_vocabulary(tmp_path / "vocab.json", add_prefix_space=True)
    assert (again.vocabulary, again.merges) == (tokenizer.vocabulary, tokenizer.merges)
    assert pieces(again, "Hello") == ["ĠHello"]


def test_list_of_pieces_takes_its_merges_as_an_option():
    tokenizer = make()
    again = ByteLevelBpeTokenizer.from_vocabulary(tokenizer.vocabulary, merges=tokenizer.merges)
    assert pieces(again, "Hello world") == ["Hello", "Ġworld"]


@pytest.mark.parametrize(
    ("vocabulary", "merges", "message"),
    [
        ([*SPECIALS, "a"], [], "lacks the special token '<mask>'"),
        ([*SPECIALS, "<mask>", "a", "ab"], [("a", "b")], r"merges\[0\] is \('a', 'b'\), but the vocabulary lacks 'b'"),
        ([*SPECIALS, "<mask>", "a", "b"], [("a", "b")], r"merges\[0\] is .* lacks 'ab'"),
        ([*SPECIALS, "<mask>", 5], [], r"vocabulary\[5\] is 5; every piece must be a string"),
    ],
)
def test_incomplete_vocabularies_are_refused(vocabulary, merges, message):
    with pytest.raises(InputError, match=message):
        ByteLevelBpeTokenizer(vocabulary, merges)


@pytest.mark.parametrize(("texts", "message"), [(["x", 5], r"texts\[1\] is 5"), (b"x", "texts is one string")])
def test_texts_that_are_not_strings_are_refused(texts, message):
    with pytest.raises(InputError, match=message):
        make()(texts)


def test_says_what_it_is():
    assert repr(make([])) == "ByteLevelBpeTokenizer(261 pieces)"
