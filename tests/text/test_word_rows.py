"""Rows in which words are marked: first pieces, windows, targets."""

import itertools

import numpy as np
import pytest
from text.awkward import STRINGS, fuzzed
from text.tiny_tokenizers import KINDS, tokenizer, wordpiece

from bert_keras.errors import InputError
from bert_keras.text.word_rows import Sentence, sentences_of, word_places, word_rows, word_targets


def marked(kind: str, given) -> list[tuple[str, int]]:
    """(piece, word) of each piece of a text or of words."""
    (row,) = word_rows(tokenizer(kind), [Sentence.of(given)], None)
    pieces = [tokenizer(kind).vocabulary[index] for index in row.token_ids]
    return list(zip(pieces, row.words.tolist(), strict=True))[1:-1]


def test_words_are_joined_by_single_spaces():
    sentence = Sentence.of(["New", "", "York", "."])
    assert sentence.text == "New  York ."
    assert sentence.bounds == [(0, 3), (4, 4), (5, 9), (10, 11)]


@pytest.mark.parametrize("texts", ["a text", b"a text"])
def test_one_string_is_no_list_of_texts(texts):
    with pytest.raises(InputError, match=r"texts is one text; give a list"):
        sentences_of(texts)


def test_words_that_are_not_strings_are_named():
    with pytest.raises(InputError, match=r"texts\[1\]\[2\] is None; every text must be a string"):
        sentences_of(["a", ["b", "c", None]])
    with pytest.raises(InputError, match=r"texts\[0\] is 5; it must be a text or a list of words"):
        sentences_of([5])


def test_first_pieces_of_wordpiece():
    assert marked("wordpiece", "Films, a(b)") == [
        *[("film", 0), ("##s", -1), (",", 1), ("a", 2), ("(", -1), ("b", -1), (")", 3)]
    ]


@pytest.mark.parametrize("kind", ["albert", "deberta-v2", "xlm-roberta"])
def test_first_pieces_of_unigram_are_those_of_transformers(kind):
    # transformers 5.24: word_ids with is_split_into_words=True, the first of each word.
    assert marked(kind, ["the", "film", "(go)", "c"]) == [
        *[
            ("▁th", 0),
            ("e", -1),
            ("▁film", 1),
            ("▁", 2),
            ("(", -1),
            ("g", -1),
            ("o", -1),
            (")", -1),
            ("▁", 3),
            ("c", -1),
        ]
    ]


def test_first_pieces_of_byte_level_bpe_are_not_the_spaces_before():
    found = marked("byte-level-bpe", "x  \t good")
    assert [piece for piece, word in found if word >= 0] == ["x", "Ġgood"]


# transformers 5.24 gives the same for is_split_into_words=True, which it refuses without add_prefix_space.
@pytest.mark.parametrize(("add_prefix_space", "first"), [(False, "good"), (True, "Ġgood")])
def test_the_first_word_begins_as_the_tokenizers_texts_do(add_prefix_space, first):
    made = tokenizer("byte-level-bpe")
    made = type(made)(made.vocabulary, made.merges, add_prefix_space=add_prefix_space)
    (row,) = word_rows(made, sentences_of([["good", "good", "(x)"]]), None)
    assert [made.vocabulary[index] for index in row.token_ids[1:-1]] == [first, "Ġgood", "Ġ(", "x", ")"]
    assert row.words.tolist() == [-1, 0, 1, 2, -1, -1, -1]


@pytest.mark.parametrize("kind", KINDS)
def test_words_without_pieces_are_passed_over(kind):
    sentence = Sentence.of(["a", "", " ", "\t", "b"])
    (row,) = word_rows(tokenizer(kind), [sentence], None)
    assert set(row.words[row.words >= 0]) == {0, 4}
    assert [place is None for place in word_places(sentence, [row])] == [False, True, True, True, False]


def test_words_of_one_piece_share_its_place():
    # The trained vocabulary has `...`, which is three words.
    sentence = Sentence.of("so...")
    (row,) = word_rows(tokenizer("byte-level-bpe"), [sentence], None)
    assert [sentence.text[start:end] for start, end in zip(row.starts, row.ends, strict=True)][-2] == "..."
    assert word_places(sentence, [row])[1:] == [(0, len(row) - 2)] * 3


def test_an_empty_text_has_a_row():
    (row,) = word_rows(tokenizer("wordpiece"), [Sentence.of("")], 8)
    assert row.token_ids.tolist() == [2, 3]
    assert row.words.tolist() == [-1, -1]


def test_each_word_is_best_in_the_window_with_most_around_it():
    # Room for 4 of 9 pieces, a new window every 3.
    rows = word_rows(tokenizer("wordpiece"), [Sentence.of("a b c d e f g h i")], 6)
    assert [row.words.tolist() for row in rows] == [
        [-1, 0, 1, 2, 3, -1],
        [-1, 3, 4, 5, 6, -1],
        [-1, 6, 7, 8, -1],
    ]
    assert [row.words[row.best].tolist() for row in rows] == [[0, 1, 2, 3], [4, 5, 6], [7, 8]]
    assert [row.starts.tolist() for row in rows][1] == [-1, 6, 8, 10, 12, -1]


def test_windows_begin_with_words():
    # Words of 3 pieces: a window every 7 pieces would cut two of three words.
    words = ["abc"] * 30
    rows = word_rows(tokenizer("wordpiece"), [Sentence.of(words)], 12)
    assert all(row.words[1] >= 0 for row in rows)
    assert max(map(len, rows)) == 12


def test_a_word_longer_than_a_window_is_cut():
    rows = word_rows(tokenizer("wordpiece"), [Sentence.of("x " + "abcdefgh" * 4 + " y")], 12)
    assert [word for row in rows for word in row.words[row.best].tolist() if word >= 0] == [0, 1, 2]
    # Nothing is skipped.
    held = {place for row in rows for place in row.starts.tolist()}
    assert held == {-1, 0, *range(2, 34), 35}


def test_max_length_must_leave_room():
    with pytest.raises(InputError, match="give a greater max_length"):
        word_rows(tokenizer("wordpiece"), [Sentence.of("a")], 2)


def test_targets_are_at_first_pieces_alone():
    # `Wash ##ing ##ton` B-LOC: never three times (transformers PR#14055).
    rows = word_rows(wordpiece("wash", "##ing", "##ton"), sentences_of([["in"], ["Washington", "it"]]), 16)
    targets = word_targets(rows, [[7], [3, 5]])
    assert [target.tolist() for target in targets] == [
        [-100, 7, -100, -100],
        [-100, 3, -100, -100, 5, -100, -100],
    ]
    assert targets[0].dtype == np.int32


def test_a_word_in_two_windows_is_learnt_once():
    labels = list(range(150))
    rows = word_rows(tokenizer("wordpiece"), [Sentence.of(["abc"] * 150)], 128)
    assert len(rows) == 5
    learnt = np.concatenate(word_targets(rows, [labels]))
    assert sorted(learnt[learnt != -100].tolist()) == labels


def test_each_word_needs_a_label():
    rows = word_rows(tokenizer("wordpiece"), sentences_of([["a"], ["a", "b"]]), 16)
    with pytest.raises(InputError, match="sentence 1 has 1 labels but at least 2 words; each word needs one"):
        word_targets(rows, [[0], [0]])


@pytest.mark.parametrize("max_length", [None, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_every_word_with_a_piece_is_best_once(kind, max_length):
    for text in [*STRINGS, *fuzzed(seed=11, count=150), "a\ud800b \udfff"]:
        sentence = Sentence.of(text)
        rows = word_rows(tokenizer(kind), [sentence], max_length)
        pieces = tokenizer(kind).tokenize(text)
        best = [place for row in rows for place in row.starts[row.best].tolist()]
        assert sorted(best) == sorted(start for _, _, start, _ in pieces)
        words = [word for row in rows for word in row.words[row.best].tolist() if word >= 0]
        assert all(one < other for one, other in itertools.pairwise(words))
        # Whatever a piece stands for, its word has an answer.
        places = word_places(sentence, rows)
        for _, _, start, end in pieces:
            for word, (begin, stop) in enumerate(sentence.bounds):
                assert not (begin < end and start < stop) or places[word] is not None, (text, word)
