"""Pooling of a text's vectors, by hand."""

import numpy as np
import pytest

from bert_keras.errors import InputError
from bert_keras.layers import SentencePooling

# Two tokens and two of padding; the padding is what a wrong mask would let win.
STATES = np.array([[[3, -4, -1], [-1, -2, -3], [9, 9, 9], [-9, -9, -9]]], "float32")
MASK = np.array([[1, 1, 0, 0]])


@pytest.mark.parametrize(
    ("pooling", "right"), [("mean", [1, -3, -2]), ("first", [3, -4, -1]), ("max", [3, -2, -1])], ids=str
)
def test_padding_is_left_out(pooling, right):
    np.testing.assert_allclose(SentencePooling(pooling, normalize=False)(STATES, MASK), [right])


@pytest.mark.parametrize("pooling", ["mean", "first", "max"])
def test_row_without_text_is_zero(pooling):
    found = SentencePooling(pooling)(STATES, np.zeros_like(MASK))

    np.testing.assert_array_equal(found, np.zeros((1, 3)))


def test_dimensions_are_kept_before_the_length_becomes_1():
    found = SentencePooling("first", dimensions=2)(STATES, MASK)

    np.testing.assert_allclose(found, [[0.6, -0.8]], atol=1e-6)


def test_vectors_of_mixed_precision_are_float32():
    found = SentencePooling()(STATES.astype("float16"), MASK)

    assert found.dtype == "float32"


def test_unknown_pooling_is_refused():
    with pytest.raises(InputError, match="pooling is 'last': choose one of mean, first, max"):
        SentencePooling("last")
