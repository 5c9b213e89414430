"""Multi-head self-attention and its mask."""

import numpy as np
import reference
import tiny

from bert_keras.layers import SelfAttention

MASKED = -6e4


def make(**arguments):
    layer = SelfAttention(20, 5, 0.1, 0.02, name="attention", **arguments)
    layer.build((None, None, 20))
    return layer, tiny.randomize(layer)


def states(shape=(2, 7, 20), scale=1.0):
    return (scale * np.random.default_rng(3).normal(size=shape)).astype("float32")


def bias(mask):
    return np.where(np.array(mask, bool)[:, None, None, :], 0.0, MASKED).astype("float32")


def test_output_and_probabilities_equal_the_formula():
    layer, weights = make()
    x, mask = states(), np.array([[1] * 7, [1] * 4 + [0] * 3])

    output, probabilities = layer(x, x, bias(mask))

    for row in range(2):
        right, right_probabilities = reference.attention(weights, "attention", x[row].astype(float), mask[row], 5)
        np.testing.assert_allclose(output[row], right, atol=1e-5)
        np.testing.assert_allclose(probabilities[row], right_probabilities, atol=1e-6)


def test_fewer_queries_give_the_same_rows():
    layer, _ = make()
    x, mask = states(), np.ones((2, 7))

    whole, _ = layer(x, x, bias(mask))
    some, probabilities = layer(x[:, 2:5], x, bias(mask))

    np.testing.assert_allclose(some, whole[:, 2:5], atol=1e-6)
    assert probabilities.shape == (2, 5, 3, 7)


def test_padding_has_probability_zero_in_half_precision():
    # float16(-1e9) is -inf, and -65504 plus a score under -16 too: the scores are float32 before the bias is added.
    layer, _ = make(dtype="mixed_float16")
    x, mask = states(scale=10).astype("float16"), np.array([[1] * 7, [1, 1] + [0] * 5])

    output, probabilities = layer(x, x, bias(mask))

    assert np.isfinite(output).all()
    assert (np.asarray(probabilities)[1, :, :, 2:] == 0).all()
    np.testing.assert_allclose(np.asarray(probabilities).sum(-1), 1, atol=1e-6)


def test_row_that_is_all_padding_is_finite():
    layer, _ = make()
    x = states()

    output, probabilities = layer(x, x, bias(np.zeros((2, 7))))

    assert np.isfinite(output).all()
    np.testing.assert_allclose(np.asarray(probabilities).sum(-1), 1, atol=1e-6)


def test_dropout_acts_on_the_probabilities_in_training_only():
    layer, _ = make()
    x, mask = states(), np.ones((2, 7))

    plain, again = (layer(x, x, bias(mask), training=False)[0] for _ in range(2))
    dropped, probabilities = layer(x, x, bias(mask), training=True)

    np.testing.assert_array_equal(plain, again)
    assert np.abs(dropped - plain).max() > 1e-3
    np.testing.assert_allclose(np.asarray(probabilities).sum(-1), 1, atol=1e-6)
