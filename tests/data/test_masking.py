"""Masking against the numbers of Devlin et al. 2018, 3.1 and of the released code."""

import numpy as np
import pytest

from bert_keras.data.masking import Vocabulary, choose, quotas, replace
from bert_keras.errors import InputError


class FakeTokenizer:
    """[PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4, then pieces."""

    pad_id, unk_id, cls_id, sep_id, mask_id = range(5)

    def __init__(self, *pieces):
        self.vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *pieces]

    def continues_word(self, piece):
        return piece.startswith("##")


def row(*ids, length=None):
    return np.array([[2, *ids, 3] + [0] * ((length or 0) - len(ids) - 2)], np.int32)


@pytest.mark.parametrize(
    ("length", "quota"),
    # .15 x length: 0.75 and 1.5 and 4.5 and 7.5 (halves to even), 19.2; 76.8 at 512 is over 76.
    [(5, 1), (10, 2), (30, 4), (50, 8), (70, 10), (128, 19), (140, 20)],
)
def test_quota_rounds_as_python_does(length, quota):
    assert quotas(np.array([length]), 0.15, 20)[0] == quota == min(20, max(1, round(0.15 * length)))


def test_quota_at_512():
    assert quotas(np.array([512]), 0.15, 76)[0] == 76


def test_every_ordinary_place_is_chosen_alike_and_no_special_one():
    # 2.05
    ids = np.tile(row(5, 6, 7, 4, 5, 6, length=10), (6000, 1))
    vocabulary = Vocabulary.of(FakeTokenizer("a", "b", "c"))
    chosen = choose(ids, np.full(6000, 2), vocabulary, False, np.random.default_rng(0))
    assert (chosen.sum(axis=1) == 2).all()
    # Five candidates: a [MASK] in the text is none either.
    assert chosen.mean(axis=0) == pytest.approx([0, 0.4, 0.4, 0.4, 0, 0.4, 0.4, 0, 0, 0], abs=0.025)


def test_fewer_candidates_than_the_quota():
    vocabulary = Vocabulary.of(FakeTokenizer("a"))
    chosen = choose(row(5, 5), np.array([4]), vocabulary, False, np.random.default_rng(0))
    assert chosen.tolist() == [[False, True, True, False]]


def test_whole_words_are_chosen_whole():
    # 2.05: "phil ##am ##mon ran", 1000 seeds, quota 3.
    vocabulary = Vocabulary.of(FakeTokenizer("phil", "##am", "##mon", "ran"))
    ids = row(5, 6, 7, 8)
    seen = {tuple(choose(ids, np.array([3]), vocabulary, True, np.random.default_rng(s))[0, 1:5]) for s in range(1000)}
    # "ran" first leaves room for two pieces only; the long word first leaves none.
    assert seen == {(True, True, True, False), (False, False, False, True)}


def test_word_over_the_quota_is_left_out():
    # 2.05
    vocabulary = Vocabulary.of(FakeTokenizer("phil", "##am", "##mon", "ran"))
    for seed in range(100):
        chosen = choose(row(5, 6, 7, 8), np.array([2]), vocabulary, True, np.random.default_rng(seed))
        assert chosen[0].tolist() == [False, False, False, False, True, False]


def test_piece_whose_word_was_cut_off_is_a_word():
    vocabulary = Vocabulary.of(FakeTokenizer("phil", "##am"))
    ids = np.array([[2, 5, 3, 6, 3]], np.int32)
    seen = {tuple(choose(ids, np.array([1]), vocabulary, True, np.random.default_rng(s))[0]) for s in range(50)}
    assert seen == {(False, True, False, False, False), (False, False, False, True, False)}


def test_80_10_10():
    # 2.07: 100,000 places of token 5 of 1000 ordinary ones; a random one equals it in 1 of 1000.
    vocabulary = Vocabulary.of(FakeTokenizer(*map(str, range(1000))))
    ids = np.full((1000, 100), 5, np.int32)
    seen = replace(ids, np.ones(ids.shape, bool), vocabulary, np.random.default_rng(0))
    assert (seen == 4).mean() == pytest.approx(0.8, abs=0.005)
    assert (seen == 5).mean() == pytest.approx(0.1 + 0.1 / 1000, abs=0.005)
    assert ((seen != 4) & (seen != 5)).mean() == pytest.approx(0.1 - 0.1 / 1000, abs=0.005)


def test_random_tokens_are_ordinary_ones():
    # 2.06: five special tokens and three words.
    vocabulary = Vocabulary.of(FakeTokenizer("a", "b", "c"))
    ids = np.full((100, 100), 6, np.int32)
    seen = replace(ids, np.ones(ids.shape, bool), vocabulary, np.random.default_rng(0))
    assert set(np.unique(seen)) == {4, 5, 6, 7}


def test_unchosen_tokens_stay():
    vocabulary = Vocabulary.of(FakeTokenizer("a", "b"))
    ids = np.random.default_rng(0).integers(5, 7, (50, 20)).astype(np.int32)
    chosen = np.random.default_rng(1).random(ids.shape) < 0.3
    seen = replace(ids, chosen, vocabulary, np.random.default_rng(2))
    assert np.array_equal(seen[~chosen], ids[~chosen])


def test_vocabulary_of_special_tokens_only():
    with pytest.raises(InputError, match="special tokens only"):
        Vocabulary.of(FakeTokenizer())
