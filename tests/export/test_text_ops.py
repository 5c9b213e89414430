"""Tokenization in the graph against the tokenizer, and packing against hand-made rows."""

import random

import pytest
import tensorflow as tf
import tiny_text

from bert_keras.export.text_ops import GraphTokenizer, pack
from bert_keras.text import WordPieceTokenizer

POOL = [
    *(chr(code) for code in [*range(1, 127), *range(0xA0, 0x250), *range(0x300, 0x460), *range(0x4E00, 0x4E40)]),
    *(chr(code) for code in [*range(0xAC00, 0xAC40), *range(0x1F600, 0x1F640), 0x2B8FF, 0xE0001, 0xF0000]),
    *"Σσς'. \u200d\u0301\u0130ΑΟ" * 20,
]


def ids(graph, texts, max_pieces=1000):
    return graph(tf.constant(texts, tf.string), max_pieces).to_list()


@pytest.fixture(scope="module")
def graph():
    return GraphTokenizer(tiny_text.tokenizer())


@pytest.mark.parametrize(
    "options", [{"lowercase": True}, {"lowercase": False}, {"lowercase": True, "strip_accents": False}], ids=str
)
def test_random_strings_have_the_tokenizer_s_pieces(options):
    characters = sorted({text.lower() if options["lowercase"] else text for text in POOL})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = WordPieceTokenizer([*special, *characters, *(f"##{c}" for c in characters)], **options)
    draw = random.Random(0)
    texts = ["".join(draw.choices(POOL, k=draw.randint(0, 40))) for _ in range(400)]
    assert ids(GraphTokenizer(tokenizer), texts) == tokenizer.ids(texts)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \t\n\u200b", []),
        ("The FILMs", ["the", "film", "##s"]),
        ("caf\u00e9 \u00c9", ["c", "##a", "##f", "##e", "e"]),
        ("东 東京the", ["[UNK]", "東", "京", "the"]),
        ("$5!", ["$", "[UNK]", "!"]),
        ("[MASK]", ["[", "mask", "]"]),
        ("unaffable unaffxyz9", ["un", "##aff", "##able", "[UNK]"]),
        ("\u03a3\u03a3 \u03a3", ["\u03c3", "##\u03c2", "\u03c3"]),
        ("a" * 100, ["a", *["##a"] * 99]),
        ("a" * 101, ["[UNK]"]),
        ("é" * 101 + " the", ["[UNK]", "the"]),
    ],
)
def test_pieces_by_bert_s_rules(graph, text, pieces):
    assert [tiny_text.VOCABULARY[i] for i in ids(graph, [text])[0]] == pieces


def test_no_texts(graph):
    assert ids(graph, []) == []


def test_bytes_that_are_no_utf8_are_dropped(graph):
    assert ids(graph, [b"the\xff film"]) == ids(graph, ["the film"])


def test_a_book_gives_the_first_pieces(graph):
    pieces = ids(graph, ["film " * 100_000], max_pieces=8)
    assert pieces == [[tiny_text.VOCABULARY.index("film")] * 8]


def rows(*segments, max_length=9):
    packed = pack([tf.ragged.constant(segment, tf.int32) for segment in segments], 2, 3, 0, max_length)
    return {name: value.numpy().tolist() for name, value in packed.items()}


def test_single_texts_are_packed_and_padded():
    assert rows([[7, 8], [], [9]]) == {
        "token_ids": [[2, 7, 8, 3], [2, 3, 0, 0], [2, 9, 3, 0]],
        "segment_ids": [[0, 0, 0, 0]] * 3,
        "padding_mask": [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0]],
    }


def test_pairs_have_two_segments():
    assert rows([[7], []], [[8, 9], [5]]) == {
        "token_ids": [[2, 7, 3, 8, 9, 3], [2, 3, 5, 3, 0, 0]],
        "segment_ids": [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 0]],
        "padding_mask": [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]],
    }


def test_a_text_is_cut_at_its_end():
    assert rows([[5, 6, 7, 8]], max_length=4)["token_ids"] == [[2, 5, 6, 3]]


@pytest.mark.parametrize(("first", "second"), [(9, 2), (2, 9), (9, 9), (4, 5), (3, 3), (0, 9)])
def test_pairs_are_cut_as_google_s_code_does(first, second):
    a, b = list(range(10, 10 + first)), list(range(30, 30 + second))
    packed = rows([a], [b], max_length=10)["token_ids"]
    while len(a) + len(b) > 7:  # google-research/bert run_classifier.py, _truncate_seq_pair
        (a if len(a) > len(b) else b).pop()
    assert packed == [[2, *a, 3, *b, 3]]
