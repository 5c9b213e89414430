"""Checks of what enters the encoder, and the attention bias of the padding mask."""

import numpy as np
import pytest
import tensorflow as tf
import tiny

import bert_keras as bk
from bert_keras.layers import EncoderInputs


def make():
    return EncoderInputs(tiny.CONFIG.to_dict(), name="inputs")


def ids(length):
    return np.zeros((1, length), "int32")


@pytest.mark.parametrize("dtype", ["bool", "int32", "int64", "float32"])
def test_mask_of_any_type_gives_the_same_bias(dtype):
    mask = np.array([[1, 1, 0]]).astype(dtype)

    bias, _, _ = make()(ids(3), mask, ids(3))

    assert bias.shape == (1, 1, 1, 3)
    np.testing.assert_array_equal(np.asarray(bias).ravel(), np.array([0, 0, -6e4], "float32"))


def test_longest_text_is_let_through():
    _, token_ids, _ = make()(ids(11), ids(11), ids(11))

    assert token_ids.shape == (1, 11)


def test_text_over_the_position_table_is_refused_with_both_numbers():
    with pytest.raises(bk.InputError, match=r"12 tokens long.* 11 rows"):
        make()(ids(12), ids(12), ids(12))


def test_length_that_is_known_only_in_the_graph_is_checked_too():
    layer = make()
    run = tf.function(layer, input_signature=[tf.TensorSpec((None, None), tf.int32)] * 3)

    assert run(ids(11), ids(11), ids(11))[1].shape == (1, 11)
    with pytest.raises(tf.errors.InvalidArgumentError, match="position table of 11 rows"):
        run(ids(12), ids(12), ids(12))


@pytest.mark.parametrize("wrong", [37, -1])
def test_token_id_outside_the_table_is_refused(wrong):
    # A GPU would look up zeros for it (transformers#125).
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"token_ids.*vocab_size = 37"):
        make()(np.full((1, 2), wrong), ids(2), ids(2))


@pytest.mark.parametrize("wrong", [3, -1])
def test_segment_id_outside_the_table_is_refused(wrong):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"segment_ids.*type_vocab_size = 3"):
        make()(ids(2), ids(2), np.full((1, 2), wrong))
