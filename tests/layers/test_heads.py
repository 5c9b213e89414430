"""Pooler, MLM head, NSP head, classification head and mean pooling against their formulas."""

import numpy as np
import pytest
import reference
import tiny

from bert_keras.layers import ClassificationHead, GatherRows, MlmHead, NspHead, Pooler, SentencePooling

STATES = np.random.default_rng(5).normal(size=(3, 4, 20)).astype("float32")


def test_pooler_equals_the_formula():
    layer = Pooler(20, 0.02, name="pooler")
    layer.build((None, None, 20))
    weights = tiny.randomize(layer)

    np.testing.assert_allclose(layer(STATES), reference.pooler(weights, STATES.astype(float)), atol=1e-6)


@pytest.mark.parametrize("vocab_size", [37, 20])  # 20: a transposed token table would have the right shape
def test_mlm_head_equals_the_formula(vocab_size):
    layer = MlmHead(vocab_size, 20, 20, "gelu", 1e-3, 0.02, name="mlm_head")
    layer.build((None, None, 20), (vocab_size, 20))
    weights = tiny.randomize(layer)
    table = np.random.default_rng(6).normal(size=(vocab_size, 20)).astype("float32")

    found = layer(STATES, table)

    weights["embeddings/token_embedding"] = table.astype(float)
    config = type("Config", (), {"hidden_act": "gelu", "layer_norm_eps": 1e-3})
    np.testing.assert_allclose(found, reference.mlm_logits(weights, STATES.astype(float), config), atol=1e-4)


@pytest.mark.parametrize("hidden", [20, 2])  # 2: a transposed kernel would have the right shape
def test_nsp_head_equals_the_formula(hidden):
    layer = NspHead(0.02, name="nsp_head")
    layer.build((None, hidden))
    weights = tiny.randomize(layer)
    pooled = STATES[:, 0, :hidden]

    np.testing.assert_allclose(layer(pooled), reference.nsp_logits(weights, pooled.astype(float)), atol=1e-5)


@pytest.mark.parametrize("classes", [3, 20])  # 20: a transposed kernel would have the right shape
def test_classification_head_equals_the_formula(classes):
    layer = ClassificationHead([f"{i}" for i in range(classes)], 0.1, 0.02, name="classification_head")
    layer.build((None, 20))
    weights = tiny.randomize(layer)
    pooled = STATES[:, 0]

    right = reference.classification_logits(weights, pooled.astype(float))
    np.testing.assert_allclose(layer(pooled, training=False), right, atol=1e-5)


@pytest.mark.parametrize("layer", [NspHead(0.02, dtype=None), ClassificationHead(["a", "b"], 0.0, 0.02, dtype=None)])
def test_logits_are_float32_unless_asked_otherwise(layer):
    assert type(layer)(**{**layer.get_config(), "dtype": "float32"}).compute_dtype == "float32"


def test_gather_rows_takes_each_texts_own_positions():
    found = GatherRows()(STATES, np.array([[3, 0], [1, 1], [2, 3]]))

    right = np.stack([STATES[0, [3, 0]], STATES[1, [1, 1]], STATES[2, [2, 3]]])
    np.testing.assert_array_equal(found, right)


def test_mean_pooling_leaves_padding_out():
    # sentence-transformers#230: with the padding in the mean this would be [.5, 1] before scaling.
    states = np.array([[[1, 0], [1, 0], [0, 2], [0, 2]]], "float32")

    np.testing.assert_allclose(SentencePooling()(states, np.array([[1, 1, 0, 0]])), [[1.0, 0.0]])


def test_mean_pooling_equals_the_formula():
    mask = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]])

    found = SentencePooling()(STATES, mask)

    np.testing.assert_allclose(found, reference.sentence_embedding(STATES.astype(float), mask), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)


def test_mean_of_nothing_is_zero():
    found = SentencePooling()(STATES, np.zeros((3, 4), "int32"))

    np.testing.assert_array_equal(found, np.zeros((3, 20)))
