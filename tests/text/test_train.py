"""Vocabularies made from text."""

import subprocess
import sys

import pytest

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TEXTS = ["Low lower lowest, newer newest wider widest!", "the low tower; the new town", "café naïve 東京 2024"] * 3


def test_special_tokens_come_first():
    tokenizer = Tokenizer.train(TEXTS, 70)
    assert tokenizer.vocabulary[:5] == SPECIALS
    assert (tokenizer.pad_id, tokenizer.unk_id, tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id) == (
        0,
        1,
        2,
        3,
        4,
    )


def test_vocabulary_has_the_size_and_no_duplicates():
    vocabulary = Tokenizer.train(TEXTS, 70).vocabulary
    assert len(vocabulary) == len(set(vocabulary)) == 70


def test_pairs_are_merged_by_how_often_they_occur():
    # Pairs by count: a b 5, c d 3. Pieces: 5 special, 4 characters, 2 inside words, 2 merged.
    assert Tokenizer.train(["ab ab ab ab ab cd cd cd"], 13).vocabulary == [
        *SPECIALS,
        *("a", "b", "c", "d"),
        *("##b", "##d"),
        *("ab", "cd"),
    ]


def test_longer_pieces_are_made_of_merged_ones():
    vocabulary = Tokenizer.train(["abc abc abc xbc"], 13).vocabulary
    # b c occurs 4 times, then a bc 3 times.
    assert vocabulary[-2:] == ["##bc", "abc"]


def test_texts_are_cleaned_lowercased_and_stripped():
    pieces = set(Tokenizer.train(["Café\u200b NAÏVE \ufb01ne\ue000"] * 2, 31).vocabulary)
    assert "cafe" in pieces
    assert "naive" in pieces
    assert not any(piece != piece.lower() for piece in pieces - set(SPECIALS))


def test_cased_training_keeps_case_and_accents():
    tokenizer = Tokenizer.train(["Café Café Paris"] * 3, 26, lowercase=False)
    assert {"Café", "Paris"} <= set(tokenizer.vocabulary)
    assert not tokenizer.lowercase


def test_training_text_is_tokenized_without_unknown_pieces():
    tokenizer = Tokenizer.train(TEXTS, 60)
    assert all(tokenizer.unk_id not in ids for ids in tokenizer.ids(TEXTS))


def test_rarest_characters_give_way_to_a_small_vocabulary():
    # Room for 4 pieces, 2 a character: q and z are rarer than a and b.
    vocabulary = Tokenizer.train(["ab ab ba ba qz"], 9).vocabulary
    assert vocabulary == [*SPECIALS, "a", "b", "##a", "##b"]


def test_generators_are_read_once():
    assert Tokenizer.train((text for text in TEXTS), 70).vocabulary == Tokenizer.train(TEXTS, 70).vocabulary


def test_order_of_texts_does_not_matter():
    assert Tokenizer.train(TEXTS[::-1], 70).vocabulary == Tokenizer.train(TEXTS, 70).vocabulary


def test_same_texts_give_the_same_vocabulary_in_another_process():
    script = (
        "from bert_keras.text import Tokenizer\n"
        "texts = [' '.join(f'w{i * j % 97}x{i * 31 % j}' for i in range(60)) for j in range(1, 30)]\n"
        "print(Tokenizer.train(texts, 300).vocabulary)"
    )
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout for _ in range(3)]
    assert len(set(runs)) == 1
    assert runs[0].startswith(b"['[PAD]'")


def test_count_beyond_one_string_of_repeats():
    vocabulary = Tokenizer.train(["ab " * 25_000 + "cd " * 24_999], 13).vocabulary
    assert vocabulary[-2:] == ["ab", "cd"]
    vocabulary = Tokenizer.train(["ab " * 24_999 + "cd " * 25_000], 13).vocabulary
    assert vocabulary[-2:] == ["cd", "ab"]


@pytest.mark.parametrize(
    ("texts", "size", "message"),
    [
        (["ab"], 50, "the texts give only 9 pieces, fewer than vocabulary_size 50"),
        ([], 50, "the texts hold no words"),
        (["", " \u200b"], 50, "the texts hold no words"),
        (["ab"], 6, "vocabulary_size 6 leaves no room for pieces: give at least 7"),
        (["ab", None], 50, r"texts\[1\] is None"),
        ("ab", 50, "texts is one string"),
    ],
)
def test_texts_that_cannot_be_trained_on_are_refused(texts, size, message):
    with pytest.raises(InputError, match=message):
        Tokenizer.train(texts, size)
