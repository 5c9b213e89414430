"""Attention by content and relative position, against its formula written with loops."""

import numpy as np
import pytest
import reference_disentangled
import tensorflow as tf
import tiny

from bert_keras.layers import DisentangledAttention

MAX, BUCKETS = reference_disentangled.MAX, reference_disentangled.BUCKETS
H, A = 20, 5
MASK = np.array([[1] * 13, [1] * 6 + [0] * 7])
BIAS = np.where(MASK.astype(bool)[:, None, None, :], 0.0, -6e4).astype("float32")
# Weights are small so that no probability is near 0 or 1; 13 tokens have distances beyond the last bucket.
STATES = np.random.default_rng(3).normal(size=(2, 13, H)).astype("float32")
TABLE = np.random.default_rng(4).normal(size=(2 * BUCKETS, H)).astype("float32")


def make(kinds=("c2p", "p2c"), share=False, key_bias=True, buckets=BUCKETS, **arguments):
    layer = DisentangledAttention(
        H,
        A,
        0.1,
        0.1,
        MAX if buckets else BUCKETS,
        buckets,
        kinds,
        share,
        key_bias,
        0.02,
        name="attention",
        **arguments,
    )
    layer.build((None, None, H))
    return layer, tiny.randomize(layer)


def formula(weights, x, mask, kinds=("c2p", "p2c"), share=False, buckets=BUCKETS):
    row = reference_disentangled.bucket_row if buckets else reference_disentangled.plain_row
    return reference_disentangled.attention(weights, "attention", x, x, mask, TABLE.astype(float), A, kinds, share, row)


@pytest.mark.parametrize(
    ("kinds", "share", "key_bias", "buckets"),
    [
        (("c2p", "p2c"), True, True, BUCKETS),
        (("c2p", "p2c"), False, False, 0),
        (("c2p",), False, True, BUCKETS),
        (("p2c",), False, True, BUCKETS),
    ],
    ids=["v3", "v1", "c2p", "p2c"],
)
def test_output_and_probabilities_equal_the_formula(kinds, share, key_bias, buckets):
    layer, weights = make(kinds, share, key_bias, buckets)

    output, probabilities = layer(STATES, STATES, BIAS, TABLE)

    assert ("attention/key/bias" in weights) == key_bias
    for text in range(2):
        right, maps = formula(weights, STATES[text].astype(float), MASK[text], kinds, share, buckets)
        np.testing.assert_allclose(output[text], right, atol=2e-5)
        text_rows = MASK[text] == 1
        np.testing.assert_allclose(probabilities.numpy()[text][:, text_rows], maps[:, text_rows], atol=1e-5)


def test_first_queries_give_the_first_rows():
    layer, _ = make()

    whole, _ = layer(STATES, STATES, BIAS, TABLE)
    some, probabilities = layer(STATES[:, :3], STATES, BIAS, TABLE)

    np.testing.assert_allclose(some, whole[:, :3], atol=1e-6)
    assert probabilities.shape == (2, A, 3, 13)


def test_queries_at_any_positions_give_those_rows():
    layer, _ = make()
    positions = np.array([[12, 0, 0, 7], [5, 4, 3, 1]], "int32")
    queries = np.take_along_axis(STATES, positions[..., None], 1)

    whole, _ = layer(STATES, STATES, BIAS, TABLE)
    some, _ = layer(queries, STATES, BIAS, TABLE, query_positions=positions)

    np.testing.assert_allclose(some, np.take_along_axis(whole.numpy(), positions[..., None], 1), atol=1e-6)


def test_gradients_equal_differences_of_the_formula():
    layer, weights = make()
    weighting = np.random.default_rng(5).normal(size=STATES[0].shape)
    with tf.GradientTape() as tape:
        output, _ = layer(STATES[:1], STATES[:1], BIAS[:1], TABLE)
        loss = tf.reduce_sum(output * weighting[None])
    names = ("position_key", "position_query", "key", "query", "value")
    gradients = tape.gradient(loss, [layer.dense[name].kernel.value for name in names])

    for name, gradient in zip(names, gradients, strict=True):
        losses = []
        for step in (1e-5, -1e-5):
            moved = {**weights, f"attention/{name}/kernel": weights[f"attention/{name}/kernel"].copy()}
            moved[f"attention/{name}/kernel"][3, 11] += step
            right, _ = formula(moved, STATES[0].astype(float), MASK[0])
            losses.append((right * weighting).sum())
        np.testing.assert_allclose(gradient[3, 11], (losses[0] - losses[1]) / 2e-5, rtol=1e-3, atol=1e-4)


def test_length_beyond_every_distance_of_the_table():
    layer, weights = make(share=True)
    x = np.random.default_rng(6).normal(size=(1, 40, H)).astype("float32")

    output, _ = layer(x, x, np.zeros((1, 1, 1, 40), "float32"), TABLE)

    right, _ = formula(weights, x[0].astype(float), np.ones(40), share=True)
    np.testing.assert_allclose(output[0], right, atol=2e-5)


def test_dropout_acts_on_relative_positions_in_training():
    layer, _ = make()
    layer.dropout.rate = 0.0

    plain, _ = layer(STATES, STATES, BIAS, TABLE, training=False)
    dropped, _ = layer(STATES, STATES, BIAS, TABLE, training=True)

    assert np.abs(dropped - plain).max() > 1e-3


def test_half_precision_is_finite_and_near():
    layer, weights = make(dtype="mixed_float16")

    output, probabilities = layer(STATES.astype("float16"), STATES.astype("float16"), BIAS, TABLE.astype("float16"))

    assert probabilities.dtype == "float32"
    right, _ = formula(weights, STATES[1].astype(float), MASK[1])
    np.testing.assert_allclose(output[1], right, atol=0.05)
