"""The sum of the three tables and its LayerNorm."""

import numpy as np
import pytest
import reference
import tiny

from bert_keras.layers import Embeddings


def make(**changes):
    sizes = {
        "vocab_size": 37,
        "width": 20,
        "max_position_embeddings": 11,
        "type_vocab_size": 3,
        "layer_norm_eps": 1e-3,
        "dropout": 0.1,
        "initializer_range": 0.02,
    }
    layer = Embeddings(**{**sizes, **changes}, name="embeddings")
    layer.build((None, None), (None, None))
    return layer


def test_sum_and_layer_norm_equal_the_formula():
    layer = make()
    weights = tiny.randomize(layer)
    inputs = tiny.batch()
    inputs["segment_ids"][0, 2] = 2

    found, _ = tiny.outputs(lambda x, training: layer(x["token_ids"], x["segment_ids"], training=training), inputs)

    for row in range(3):
        right = reference.embeddings(weights, inputs["token_ids"][row], inputs["segment_ids"][row], 1e-3)
        np.testing.assert_allclose(found[row], right, atol=1e-5)


def test_token_table_is_handed_on():
    layer = make()
    weights = tiny.randomize(layer)

    _, table = layer(np.array([[1]]), np.array([[0]]))

    np.testing.assert_allclose(table, weights["embeddings/token_embedding"], rtol=1e-6)


# The deviation ±0.01 is divided by √(0.0001 + ε): keras-hub#642, #728.
@pytest.mark.parametrize("epsilon, right", [(1e-12, 1.0), (1e-6, 0.9950), (1e-5, 0.9535), (1e-3, 0.3015)])
def test_epsilon_of_the_config_is_used(epsilon, right):
    layer = make(vocab_size=1, width=2, layer_norm_eps=epsilon)
    layer.token_embedding.assign([[0.01, -0.01]])
    layer.segment_embedding.assign(np.zeros((3, 2)))
    layer.position_embedding.assign(np.zeros((11, 2)))

    found, _ = layer(np.array([[0]]), np.array([[0]]))

    np.testing.assert_allclose(found[0, 0], [right, -right], atol=5e-5)


def test_dropout_acts_in_training_only():
    layer = make(dropout=0.5)
    tiny.randomize(layer)
    ids = np.zeros((1, 11), "int32")

    once, again = layer(ids, ids, training=False)[0], layer(ids, ids, training=False)[0]
    np.testing.assert_array_equal(once, again)
    dropped = np.asarray(layer(ids, ids, training=True)[0]) == 0
    assert 0.3 < dropped.mean() < 0.7
