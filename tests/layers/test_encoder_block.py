"""Attention, feed-forward network, residuals and both LayerNorms."""

import numpy as np
import pytest
import reference
import tiny

from bert_keras.config import ACTIVATIONS, EncoderConfig
from bert_keras.layers import EncoderBlock

MASK = np.array([[1] * 7, [1] * 4 + [0] * 3])
BIAS = np.where(MASK.astype(bool)[:, None, None, :], 0.0, -6e4).astype("float32")
STATES = np.random.default_rng(3).normal(size=(2, 7, 20)).astype("float32")


def make(act="gelu_new", epsilon=1e-3, **arguments):
    layer = EncoderBlock(20, 5, 28, act, 0.1, 0.1, epsilon, 0.02, name="block_0", **arguments)
    layer.build((None, None, 20))
    return layer, tiny.randomize(layer)


@pytest.mark.parametrize("act", [name for name in ACTIVATIONS if name in reference.ACTIVATIONS])
def test_output_equals_the_formula(act):
    layer, weights = make(act)
    config = EncoderConfig(hidden_size=20, num_attention_heads=5, hidden_act=act, layer_norm_eps=1e-3)

    output, probabilities = layer(STATES, BIAS, return_attention=True)

    for row in range(2):
        right, right_probabilities = reference.block(weights, "block_0", STATES[row].astype(float), MASK[row], config)
        np.testing.assert_allclose(output[row], right, atol=2e-5)
        np.testing.assert_allclose(probabilities[row], right_probabilities, atol=1e-6)


def test_feed_forward_and_second_residual_equal_the_formula():
    layer, weights = make()
    for part in ("kernel", "bias"):
        variable = getattr(layer.attention.output_dense, part)
        variable.assign(np.zeros(variable.shape))

    output = layer(STATES, BIAS)

    # Attention gives 0 now: what is left of the first sublayer is the LayerNorm of its residual.
    x = reference.named_layer_norm(weights, "block_0/attention_layer_norm", STATES.astype(float), 1e-3)
    right = x + reference.feed_forward(weights, "block_0", x, "gelu_new")
    right = reference.named_layer_norm(weights, "block_0/output_layer_norm", right, 1e-3)
    np.testing.assert_allclose(output, right, atol=2e-5)


def test_fewer_rows_are_the_same_rows():
    layer, _ = make()

    whole, some = layer(STATES, BIAS), layer(STATES, BIAS, queries=STATES[:, 1:4])

    np.testing.assert_allclose(some, whole[:, 1:4], atol=1e-6)


def test_constant_row_in_half_precision_becomes_beta():
    # ε = 1e-12 is 0 in float16: with statistics in float16 this is 0/0 (tensorflow PR#24979).
    layer, _ = make(epsilon=1e-12, dtype="mixed_float16")
    for dense in (layer.attention.output_dense, layer.output_dense):
        dense.kernel.assign(np.zeros(dense.kernel.shape))
        dense.bias.assign(np.zeros(dense.bias.shape))
    layer.attention_layer_norm.gamma.assign(np.ones(20))
    layer.attention_layer_norm.beta.assign(np.full(20, 3.0))

    output = layer(np.full((1, 2, 20), 7.0, "float16"), np.zeros((1, 1, 1, 2), "float32"))

    beta = layer.output_layer_norm.beta.numpy().astype("float16")
    np.testing.assert_array_equal(output, np.broadcast_to(beta, (1, 2, 20)))
