"""The order of rows: like lengths together, every row once, decided by (seed, epoch) alone."""

import numpy as np
import pytest

from bert_keras.data.batches import batches_in_order, batches_of_like_lengths

LENGTHS = np.random.default_rng(0).integers(3, 60, 1003)


def padded_share(batches, lengths):
    return sum(lengths[batch].max() * len(batch) for batch in batches) / lengths.sum()


def test_every_row_once_and_the_smaller_batch_last():
    batches = batches_of_like_lengths(LENGTHS, 8, seed=1, epoch=0)
    assert [len(batch) for batch in batches] == [8] * 125 + [3]
    assert np.array_equal(np.sort(np.concatenate(batches)), np.arange(1003))


@pytest.mark.parametrize(("rows", "sizes"), [(3, [3]), (8, [8]), (16, [8, 8])])
def test_few_rows(rows, sizes):
    assert [len(batch) for batch in batches_of_like_lengths(LENGTHS[:rows], 8, seed=0, epoch=0)] == sizes


def test_same_seed_and_epoch_give_the_same_order():
    first, second = (batches_of_like_lengths(LENGTHS, 8, seed=7, epoch=3) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize(("seed", "epoch"), [(7, 4), (8, 3)])
def test_another_seed_or_epoch_gives_another_order(seed, epoch):
    first = np.concatenate(batches_of_like_lengths(LENGTHS, 8, seed=7, epoch=3))
    second = np.concatenate(batches_of_like_lengths(LENGTHS, 8, seed=seed, epoch=epoch))
    assert (first == second).mean() < 0.05


def test_little_padding():
    random = np.array_split(np.random.default_rng(0).permutation(1003), 126)
    assert padded_share(random, LENGTHS) > 1.5
    assert padded_share(batches_of_like_lengths(LENGTHS, 8, seed=0, epoch=0), LENGTHS) < 1.08


def test_lengths_come_in_no_order():
    longest = [LENGTHS[batch].max() for batch in batches_of_like_lengths(LENGTHS, 8, seed=0, epoch=0)]
    assert abs(np.corrcoef(longest, np.arange(len(longest)))[0, 1]) < 0.3


def test_file_sorted_by_label_gives_mixed_batches():
    # 4.17: shares of a label in batches of 32 spread as by drawing: sqrt(.25 / 32) = .088.
    labels = np.repeat([1, 0], 2000)
    lengths = np.random.default_rng(1).integers(3, 60, 4000)
    shares = [labels[batch].mean() for batch in batches_of_like_lengths(lengths, 32, seed=0, epoch=0)]
    assert np.std(shares) == pytest.approx(0.088, abs=0.02)
    assert abs(np.corrcoef(shares, np.arange(len(shares)))[0, 1]) < 0.3


def test_order_of_the_file():
    assert [batch.tolist() for batch in batches_in_order(5, 2)] == [[0, 1], [2, 3], [4]]
    assert [batch.tolist() for batch in batches_in_order(4, 2)] == [[0, 1], [2, 3]]
