"""Layer normalization and its gradient."""

import numpy as np
import pytest
import reference
import tensorflow as tf
import tiny

from bert_keras.layers import LayerNorm


def make(epsilon=1e-3, **arguments):
    layer = LayerNorm(epsilon, name="layer_norm", **arguments)
    layer.build((None, 20))
    return layer, tiny.randomize(layer)


X = (0.5 + np.random.default_rng(3).normal(size=(2, 3, 20))).astype("float32")


def test_output_equals_the_formula():
    layer, weights = make()

    np.testing.assert_allclose(
        layer(X), reference.named_layer_norm(weights, "layer_norm", X.astype(float), 1e-3), atol=1e-5
    )


def test_gradient_equals_finite_differences():
    layer, weights = make()
    gamma, beta = weights["layer_norm/gamma"], weights["layer_norm/beta"]
    pull = np.random.default_rng(4).normal(size=X.shape)

    with tf.GradientTape() as tape:
        x = tf.constant(X)
        tape.watch(x)
        total = tf.reduce_sum(layer(x) * tf.constant(pull, tf.float32))
    found = tape.gradient(total, [x, layer.gamma.value, layer.beta.value])

    arrays = [X.astype(float), gamma, beta]
    for which, index in [(0, (0, 0, 0)), (0, (1, 2, 19)), (0, (1, 0, 7)), (1, (3,)), (2, (5,))]:
        sides = []
        for step in (1e-5, -1e-5):
            changed = [array.copy() for array in arrays]
            changed[which][index] += step
            sides.append((reference.layer_norm(*changed, 1e-3) * pull).sum())
        assert found[which].numpy()[index] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=1e-3)


@pytest.mark.parametrize("policy", ["float32", "mixed_float16", "mixed_bfloat16"])
def test_constant_row_becomes_beta(policy):
    # ε = 1e-12 is 0 in float16, where this would be 0/0 (tensorflow PR#24979).
    layer, weights = make(1e-12, dtype=policy)

    found = layer(np.full((2, 20), 7.3))

    right = tf.cast(weights["layer_norm/beta"], layer.compute_dtype)
    np.testing.assert_array_equal(found, np.stack([right, right]))


# The deviation ±0.01 is divided by √(0.0001 + ε): keras-hub#642, #728.
@pytest.mark.parametrize("epsilon, right", [(1e-12, 1.0), (1e-6, 0.9950), (1e-5, 0.9535), (1e-3, 0.3015)])
def test_epsilon_is_used(epsilon, right):
    np.testing.assert_allclose(LayerNorm(epsilon)(np.array([[0.01, -0.01]])), [[right, -right]], atol=5e-5)
