"""The block around disentangled attention, DeBERTa's convolution, and its own heads."""

import keras
import numpy as np
import pytest
import reference
import tiny

from bert_keras.errors import InputError
from bert_keras.layers import ContextRtdHead, Convolution, DisentangledBlock, MaskRows, QueryPositions

MASK = np.array([[1] * 7, [1] * 4 + [0] * 3])
BIAS = np.where(MASK.astype(bool)[:, None, None, :], 0.0, -6e4).astype("float32")
STATES = np.random.default_rng(3).normal(size=(2, 7, 20)).astype("float32")
TABLE = np.random.default_rng(4).normal(size=(8, 20)).astype("float32")


def make_block():
    layer = DisentangledBlock(
        20, 5, 28, "gelu_new", 0.1, 0.1, 1e-3, 0.02, 9, 4, ("c2p", "p2c"), True, True, name="block_0"
    )
    layer.build((None, None, 20))
    return layer, tiny.randomize(layer)


def test_block_is_its_attention_then_residuals_and_feed_forward():
    layer, weights = make_block()

    output = layer(STATES, BIAS, TABLE)

    attended = layer.attention(STATES, STATES, BIAS, TABLE)[0].numpy().astype(float)
    x = reference.named_layer_norm(weights, "block_0/attention_layer_norm", STATES + attended, 1e-3)
    right = x + reference.feed_forward(weights, "block_0", x, "gelu_new")
    right = reference.named_layer_norm(weights, "block_0/output_layer_norm", right, 1e-3)
    np.testing.assert_allclose(output, right, atol=2e-5)


def test_functional_model_of_a_block_survives_saving(tmp_path):
    block = make_block()[0]
    inputs = [
        keras.Input((None, 20)),
        keras.Input((1, 1, None)),
        keras.Input((20,)),
        keras.Input((None,), dtype="int32"),
    ]
    state, bias, relative, positions = inputs
    rows = block(state, bias, relative, queries=state[:, :2], query_positions=positions)
    model = keras.Model(inputs, [block(state, bias, relative), rows])
    values = [STATES, BIAS, TABLE, np.array([[0, 1], [0, 1]], "int32")]

    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")

    for one, other in zip(model(values), loaded(values), strict=True):
        np.testing.assert_array_equal(one, other)


def test_convolution_equals_the_formula():
    layer = Convolution(20, 3, "tanh", 0.1, 1e-3, 0.02, name="convolution")
    layer.build((None, None, 20))
    weights, residual = tiny.randomize(layer), STATES[::-1]

    output = layer(MaskRows()(STATES, MASK), residual, MASK)

    kernel = weights["convolution/kernel"]
    for text, length in enumerate((7, 4)):
        padded = np.zeros((length + 2, 20))
        padded[1:-1] = STATES[text, :length]
        summed = [sum(padded[i + k] @ kernel[k] for k in range(3)) for i in range(length)]
        right = residual[text, :length] + np.tanh(summed + weights["convolution/bias"])
        right = reference.named_layer_norm(weights, "convolution/layer_norm", right, 1e-3)
        np.testing.assert_allclose(output[text, :length], right, atol=2e-5)
        np.testing.assert_array_equal(output[text, length:], 0)


def test_convolution_without_a_middle_is_refused():
    with pytest.raises(InputError, match="conv_kernel_size is 4; it must be odd"):
        Convolution(20, 4, "tanh", 0.1, 1e-3, 0.02)


def test_rtd_head_equals_the_formula():
    layer = ContextRtdHead(20, "gelu", 0.02, 1e-3, name="rtd_head")
    layer.build((None, None, 20))
    weights = tiny.randomize(layer)

    logits = layer(STATES)

    x = STATES.astype(float)
    x = reference.named_layer_norm(weights, "rtd_head/layer_norm", x + x[:, :1], 1e-3)
    x = reference.ACTIVATIONS["gelu"](reference.dense(weights, "rtd_head/transform", x))
    np.testing.assert_allclose(logits, reference.dense(weights, "rtd_head/dense", x)[..., 0], atol=2e-5)


def test_query_positions_are_added_by_row():
    layer = QueryPositions(9, 20, 0.02, name="mask_decoder")
    layer.build((None, None, 20))
    table = tiny.randomize(layer)["mask_decoder/position_embedding"]
    positions = np.array([[6, 0], [3, 3]])

    output = layer(STATES[:, :2], positions)

    np.testing.assert_allclose(output, STATES[:, :2] + table[positions], atol=1e-6)
