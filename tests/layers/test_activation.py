"""Activations by name, with values from the definitions."""

import numpy as np
import pytest

from bert_keras.config import ACTIVATIONS
from bert_keras.layers.activation import activation


# x·Φ(x) and its tanh form at 1 and −2.7 (keras-bert#129).
@pytest.mark.parametrize(
    "name, right",
    [
        ("gelu", [0.841345, -0.009361]),
        ("gelu_new", [0.841192, -0.008888]),
        ("gelu_pytorch_tanh", [0.841192, -0.008888]),
        ("relu", [1.0, 0.0]),
        ("silu", [0.731059, -0.170028]),
        ("swish", [0.731059, -0.170028]),
        ("tanh", [0.761594, -0.991007]),
    ],
)
def test_values(name, right):
    np.testing.assert_allclose(activation(name)(np.array([1.0, -2.7], "float32")), right, atol=1e-6)


def test_the_two_gelus_differ_most_near_2_7():
    x = np.linspace(-5, 5, 2001, dtype="float32")

    gap = np.abs(activation("gelu")(x) - activation("gelu_new")(x))

    assert gap.max() == pytest.approx(4.73e-4, abs=2e-6)
    assert abs(x[gap.argmax()]) == pytest.approx(2.70, abs=0.02)


def test_every_name_that_a_config_may_hold_has_a_function():
    assert all(callable(activation(name)) for name in ACTIVATIONS)
