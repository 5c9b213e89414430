"""Sentence pairs against the rules of google-research/bert's create_pretraining_data.py."""

import numpy as np
import pytest

from bert_keras.data.sentence_pairs import IS_NEXT, RANDOM, Corpus, _truncated, sentence_pairs


def corpus(*documents):
    """Documents given as the lengths of their sentences; the token at place t is t."""
    sentences = np.concatenate(documents)
    starts = np.concatenate([[0], np.cumsum(sentences)])
    counts = np.cumsum([0, *map(len, documents)])
    return Corpus(np.arange(starts[-1], dtype=np.int32), starts, counts)


def google_truncation(a, b, longest, random):
    """truncate_seq_pair of create_pretraining_data.py, on lengths: (front of a, back of a, front of b, back of b)."""
    cut = [0, 0, 0, 0]
    while a + b > longest:
        first = 0 if a > b else 2
        cut[first + (random.random() < 0.5)] += 1
        a, b = (a - 1, b) if first == 0 else (a, b - 1)
    return cut


@pytest.mark.parametrize(("a", "b"), [(9, 3), (3, 9), (9, 8), (8, 9), (9, 9), (20, 1), (1, 20), (3, 2)])
def test_truncation_cuts_as_much_as_the_reference(a, b):
    random = np.random.default_rng(0)
    want = google_truncation(a, b, 10, random)
    got = _truncated(np.array([[100, 100 + a, 200, 200 + b]]), 10, random)[0] - [100, 100 + a, 200, 200 + b]
    assert (got[0] - got[1], got[2] - got[3]) == (want[0] + want[1], want[2] + want[3])
    assert got[1] <= 0 <= got[0]
    assert got[3] <= 0 <= got[2]


def test_truncation_cuts_front_and_back_alike():
    places = _truncated(np.tile([0, 60, 100, 110], (4000, 1)), 30, np.random.default_rng(0))
    assert places[:, 0].mean() == pytest.approx(20, abs=0.2)  # 40 of 60 go, half of them at the front
    assert (places[:, 1] - places[:, 0] == 20).all()


def test_next_sentences_follow_and_random_ones_come_from_elsewhere():
    documents = corpus([3] * 20, [4] * 20, [5] * 20)
    places, labels = sentence_pairs(documents, 23, 0.0, np.random.default_rng(0))
    borders = documents.sentence_starts[documents.document_starts]
    document = np.searchsorted(borders, places, side="right") - 1
    following = labels == IS_NEXT
    assert (places[following, 1] == places[following, 2]).all()
    assert (document[following, 0] == document[following, 2]).all()
    assert (document[~following, 0] != document[~following, 2]).all()


def test_half_of_the_pairs_are_random():
    places, labels = sentence_pairs(corpus(*[[5] * 400] * 20), 43, 0.0, np.random.default_rng(1))
    assert len(places) > 300
    assert labels.mean() == pytest.approx(0.5, abs=0.06)


def test_every_sentence_is_used_once_where_nothing_is_random():
    # Sentences of random segments are put back, so all A segments and true B segments cover the text exactly.
    documents = corpus(*[[4] * 50] * 4)
    places, labels = sentence_pairs(documents, 103, 0.0, np.random.default_rng(2))
    covered = [range(a, b) for a, b in places[:, :2]] + [range(a, b) for a, b in places[labels == IS_NEXT, 2:]]
    assert sorted(token for part in covered for token in part) == list(range(800))


def test_one_sentence_documents_give_random_pairs_only():
    # 2.01
    _, labels = sentence_pairs(corpus(*[[5]] * 30), 32, 0.0, np.random.default_rng(0))
    assert (labels == RANDOM).all()


@pytest.mark.parametrize("documents", [([1], [1]), ([1],), ([1, 1],), ([30], [40])])
def test_tiny_corpora_end(documents):
    # 2.04 and 2.03: both segments have a token, at most L - 3 in all.
    for seed in range(20):
        places, _ = sentence_pairs(corpus(*documents), 8, 0.5, np.random.default_rng(seed))
        a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
        assert len(places) >= 1
        assert min(a.min(), b.min()) >= 1
        assert (a + b).max() <= 5


def test_short_sequences_have_a_random_length_up_to_the_longest():
    # 2.09: L = 128: targets in [2, 125]. Sentences of one token make true pairs exactly as long as their target.
    places, labels = sentence_pairs(corpus(*[[1] * 200] * 500), 128, 1.0, np.random.default_rng(0))
    total = (places[:, 1] - places[:, 0] + places[:, 3] - places[:, 2])[labels == IS_NEXT]
    assert (total.min(), total.max()) == (2, 125)
    # Uniform targets t give 1/t pairs each, so the median is sqrt(2 x 125) = 15.8.
    assert np.median(total) == pytest.approx(15.8, abs=3)


def test_truncation_of_short_sequences_uses_the_longest():
    # 2.09: the target is no hard cap: sentences of 50 tokens overshoot a short target, but never 125.
    places, _ = sentence_pairs(corpus(*[[50] * 20] * 50), 128, 1.0, np.random.default_rng(0))
    total = places[:, 1] - places[:, 0] + places[:, 3] - places[:, 2]
    assert set(total.tolist()) <= {100, 125}
    assert total.max() == 125
