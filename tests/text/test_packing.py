"""Rows of ids: their layout, truncation and padding."""

import itertools

import numpy as np
import pytest
from text.reference_tokenizer import truncate_pair

from bert_keras.errors import InputError
from bert_keras.text.packing import pack

CLS, SEP, PAD = 101, 102, 9


def packed(first, second=None, **options):
    return pack(first, second, cls_id=CLS, sep_id=SEP, pad_id=PAD, **options)


def test_single_texts():
    arrays = packed([[1, 2], [3]])
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, 1, 2, SEP], [CLS, 3, SEP, PAD]])
    np.testing.assert_array_equal(arrays["segment_ids"], np.zeros((2, 4)))
    np.testing.assert_array_equal(arrays["padding_mask"], [[1, 1, 1, 1], [1, 1, 1, 0]])


def test_pairs():
    arrays = packed([[1, 2], []], [[3], [4]])
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, 1, 2, SEP, 3, SEP], [CLS, SEP, 4, SEP, PAD, PAD]])
    np.testing.assert_array_equal(arrays["segment_ids"], [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 0, 0]])
    np.testing.assert_array_equal(arrays["padding_mask"], [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]])


def test_two_separators():
    arrays = packed([[1, 2], []], [[3], [4]], separators=2)
    np.testing.assert_array_equal(
        arrays["token_ids"], [[CLS, 1, 2, SEP, SEP, 3, SEP], [CLS, SEP, SEP, 4, SEP, PAD, PAD]]
    )
    np.testing.assert_array_equal(arrays["segment_ids"], [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0, 0]])
    np.testing.assert_array_equal(arrays["padding_mask"], [[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0, 0]])


def test_single_text_has_one_separator_whatever_pairs_have():
    arrays = packed([[1]], separators=2)
    np.testing.assert_array_equal(arrays["token_ids"], [[CLS, 1, SEP]])
    np.testing.assert_array_equal(arrays["segment_ids"], [[0, 0, 0]])


def test_segments_may_be_left_out():
    assert packed([[1]], [[2]], segments=False).keys() == {"token_ids", "padding_mask"}


def test_two_separators_count_when_pairs_are_cut():
    ids = packed([[1, 2, 3]], [[4, 5]], separators=2, max_length=7)["token_ids"]
    np.testing.assert_array_equal(ids, [[CLS, 1, 2, SEP, SEP, 4, SEP]])
    with pytest.raises(InputError, match=r"max_length 5 is too small: a pair .* at least 6"):
        packed([[1]], [[2]], separators=2, max_length=5)


def test_long_text_loses_its_end():
    np.testing.assert_array_equal(packed([[1, 2, 3, 4]], max_length=4)["token_ids"], [[CLS, 1, 2, SEP]])


def test_pad_fills_to_max_length():
    np.testing.assert_array_equal(packed([[1]], max_length=5, pad=True)["token_ids"], [[CLS, 1, SEP, PAD, PAD]])


def test_without_pad_rows_are_as_long_as_the_longest():
    assert packed([[1], [1, 2]], max_length=10)["token_ids"].shape == (2, 4)


def test_pairs_are_truncated_longest_first():
    lengths = list(itertools.product(range(8), range(8)))
    first = [list(range(10, 10 + length)) for length, _ in lengths]
    second = [list(range(30, 30 + length)) for _, length in lengths]
    for max_length in range(5, 16):
        ids = packed(first, second, max_length=max_length)["token_ids"]
        for row, a, b in zip(ids, first, second, strict=True):
            kept_a, kept_b = list(a), list(b)
            truncate_pair(kept_a, kept_b, max_length - 3)
            expected = [CLS, *kept_a, SEP, *kept_b, SEP]
            assert row.tolist() == expected + [PAD] * (len(row) - len(expected))


@pytest.mark.parametrize(
    ("second", "max_length", "least"), [(None, 2, "a text .* at least 3"), ([[2]], 4, "a pair .* at least 5")]
)
def test_max_length_without_room_is_refused(second, max_length, least):
    with pytest.raises(InputError, match=f"max_length {max_length} is too small: {least}"):
        packed([[1]], second, max_length=max_length)


def test_smallest_max_length_keeps_a_piece_of_each_text():
    np.testing.assert_array_equal(packed([[1, 2]], [[3, 4]], max_length=5)["token_ids"], [[CLS, 1, SEP, 3, SEP]])


def test_too_long_is_refused_without_truncate():
    with pytest.raises(InputError, match="text 1 has 5 tokens, more than max_length 4"):
        packed([[1], [1, 2, 3]], max_length=4, truncate=False)
    assert packed([[1, 2]], max_length=4, truncate=False)["token_ids"].shape == (1, 4)


def test_pad_needs_max_length():
    with pytest.raises(InputError, match="pad=True pads to max_length, which is not given"):
        packed([[1]], pad=True)
