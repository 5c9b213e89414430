"""The pieces for mask tokens: which are listed, how they read in the text, which window answers."""

import numpy as np
import pytest
from tiny import GOLDEN
from tiny_text import VOCABULARY
from tiny_text import tokenizer as wordpiece

from bert_keras.answers import KINDS
from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.byte_level_bpe import ByteLevelBpeTokenizer

BPE = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "<mask>",
    "c",
    "a",
    "f",
    "Ã",
    "©",
    "Ġ",
    "Ã©",
    "Ġc",
    "Ġca",
    "Ġcaf",
    "ĠcafÃ©",
    ".",
]
MERGES = [("Ã", "©"), ("Ġ", "c"), ("Ġc", "a"), ("Ġca", "f"), ("Ġcaf", "Ã©")]


def byte_level() -> Tokenizer:
    return ByteLevelBpeTokenizer(BPE, MERGES, mask_takes_space=True)


def answers(tokenizer, text, likely, pair=None, max_length=24, **settings):
    """Answers where the logits of all masks are these, 0 elsewhere."""
    kind = KINDS["masks"](tokenizer, {"max_length": max_length, "labels": None}, **settings)
    rows = kind.rows([text], None if pair is None else [pair])
    logits = np.zeros(len(tokenizer.vocabulary), np.float32)
    for piece, value in likely.items():
        logits[tokenizer.vocabulary.index(piece)] = value
    outputs = [{"logits": np.stack([logits] * 9)} for _ in rows]
    return kind.answer(text, pair, rows, outputs)["masks"]


def shown(tokenizer, text, likely, **settings):
    """The texts and sequences of the only mask's pieces."""
    (mask,) = answers(tokenizer, text, likely, best=len(likely), **settings)
    return [(each["text"], each["sequence"]) for each in mask]


def test_the_score_is_the_probability_among_all_pieces():
    (mask,) = answers(wordpiece(), "a [MASK].", {"film": 3.0, "##s": 2.0}, best=1)
    total = np.exp(3) + np.exp(2) + len(VOCABULARY) - 2
    assert mask == [
        {"text": "film", "piece": "film", "id": 6, "sequence": "a film.", "score": pytest.approx(np.exp(3) / total)}
    ]


LIKELY = {"##s": 5.0, "[UNK]": 4.0, "film": 3.0, ".": 2.0}


def test_a_mask_behind_a_space_gets_whole_words():
    assert shown(wordpiece(), "the [MASK]", LIKELY)[:2] == [("film", "the film"), (".", "the .")]


def test_a_mask_at_the_beginning_gets_whole_words():
    assert shown(wordpiece(), "[MASK] film", LIKELY)[0] == ("film", "film film")


def test_a_mask_behind_letters_may_go_on_with_them():
    assert shown(wordpiece(), "film[MASK]!", LIKELY)[0] == ("s", "films!")


# As in transformers' pipeline.
def test_all_pieces_are_listed_on_demand():
    assert shown(wordpiece(), "film [MASK]", LIKELY, whole_words=False) == [
        ("s", "films"),
        ("[UNK]", "film [UNK]"),
        ("film", "film film"),
        (".", "film ."),
    ]


# Written in bytes, Ġ for a space.
@pytest.mark.parametrize(
    ("text", "sequences"),
    [
        ("a <mask>", [("café", "a café"), (".", "a.")]),
        ("a<mask>", [("a", "aa"), ("café", "a café"), (".", "a.")]),
        ("<mask>", [("a", "a"), ("café", "café"), (".", ".")]),
    ],
)
def test_pieces_of_bytes_are_text(text, sequences):
    likely = {"Ã": 5.0, "a": 4.0, "ĠcafÃ©": 3.0, ".": 2.0}
    assert shown(byte_level(), text, likely)[: len(sequences)] == sequences


def test_unigram_writes_no_mark():
    tokenizer = Tokenizer.from_folder(GOLDEN / "unigram" / "albert")
    piece = next(each for each in tokenizer.vocabulary if each.startswith("▁") and len(each) > 2)
    assert shown(tokenizer, "a [MASK]", {piece: 3.0}) == [(piece[1:], f"a {piece[1:]}")]


def test_a_space_alone_is_no_answer():
    tokenizer = Tokenizer.from_folder(GOLDEN / "unigram" / "albert")
    assert all(text for text, _ in shown(tokenizer, "a [MASK]", {"▁": 9.0}))


def test_each_mask_of_a_pair_stands_in_its_own_text():
    found = answers(wordpiece(), "a [MASK] [MASK]", {"film": 3.0}, pair="[MASK] was", best=1)
    assert [each["sequence"] for (each,) in found] == ["a film [MASK]", "a [MASK] film", "film was"]


def test_masks_beyond_a_row_are_read_in_windows():
    # Windows of 5 pieces, 4 on: the first mask is in two, at the edge of both, and read in the first.
    text = "a b c d [MASK] f g h i [MASK]"
    kind = KINDS["masks"](wordpiece(), {"max_length": 7, "labels": None}, best=1)
    rows = kind.rows([text], None)
    outputs = []
    for number, row in enumerate(rows):
        logits = np.zeros((3, len(VOCABULARY)), np.float32)
        logits[:, VOCABULARY.index("abc"[number])] = 9
        outputs.append({"logits": logits})
        assert len(row) <= 7
    found = kind.answer(text, None, rows, outputs)["masks"]
    assert [each["text"] for (each,) in found] == ["a", "c"]
    assert len(rows) == 3


def test_a_mask_that_is_cut_off_is_named():
    with pytest.raises(InputError, match=r"the pair of 'a b c d' has 1 masks, of which 0 are within the 8 tokens"):
        answers(wordpiece(), "a b c d", {}, pair="e f g [MASK]", max_length=8)


def test_a_text_without_a_mask_has_no_answers():
    assert answers(wordpiece(), "a film", {}) == []


def test_none_is_listed_in_no_case():
    with pytest.raises(InputError, match="best is 0"):
        answers(wordpiece(), "a [MASK]", {}, best=0)
