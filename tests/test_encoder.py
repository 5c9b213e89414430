"""The functional encoder against the formulas, and what padding, names, precision and XLA may not change."""

import dataclasses

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf
import tiny

import bert_keras as bk
from bert_keras.encoder import config_of, rows


@pytest.fixture(scope="module")
def model():
    model = bk.encoder(tiny.CONFIG)
    tiny.randomize(model)
    return model


def make(**changes):
    model = bk.encoder(dataclasses.replace(tiny.CONFIG, **changes))
    return model, tiny.randomize(model)


@pytest.mark.parametrize("act, epsilon", [("gelu_new", 1e-3), ("gelu", 1e-12), ("relu", 1e-5)])
def test_forward_pass_equals_the_formulas(act, epsilon):
    model, weights = make(hidden_act=act, layer_norm_eps=epsilon)
    inputs = tiny.batch()

    found = tiny.outputs(model, inputs)

    states, _ = reference.encoder(weights, config_of(model), **inputs)
    real = inputs["padding_mask"].astype(bool)
    np.testing.assert_allclose(found["sequence_output"][real], states[-1][real], atol=5e-5)
    np.testing.assert_allclose(found["pooled_output"], reference.pooler(weights, states[-1]), atol=5e-5)


def test_hidden_states_and_attention_maps_equal_the_formulas():
    model = bk.encoder(tiny.CONFIG, hidden_states=True, attention_maps=True)
    weights, inputs = tiny.randomize(model), tiny.batch()

    found = tiny.outputs(model, inputs)

    states, maps = reference.encoder(weights, tiny.CONFIG, **inputs)
    assert len(found["hidden_states"]) == 3 and len(found["attention_maps"]) == 2
    for state, right in zip(found["hidden_states"], states, strict=True):
        np.testing.assert_allclose(state, right, atol=5e-5)
    for probabilities, right in zip(found["attention_maps"], maps, strict=True):
        np.testing.assert_allclose(probabilities, right, atol=1e-5)
        padding = np.broadcast_to(inputs["padding_mask"][:, None, None, :] == 0, right.shape)
        assert (probabilities[padding] == 0).all()


def test_pooled_output_equals_the_pooled_first_row_of_the_sequence_output(model):
    found = tiny.outputs(model, tiny.batch())

    pooled = model.get_layer("pooler")(found["sequence_output"])

    np.testing.assert_allclose(found["pooled_output"], pooled, atol=1e-6)


def test_rows_equal_those_of_the_sequence_output(model):
    positions = keras.Input((None,), dtype="int32", name="positions")
    inputs = {**tiny.batch(), "positions": np.array([[0, 6, 3], [1, 1, 2], [0, 0, 0]])}
    reader = keras.Model({**model.input, "positions": positions}, rows(model, positions))

    found, whole = tiny.outputs(reader, inputs), tiny.outputs(model, tiny.batch())["sequence_output"]

    right = np.stack([state[own] for state, own in zip(whole, inputs["positions"], strict=True)])
    np.testing.assert_allclose(found, right, atol=1e-6)


def test_padding_and_batch_mates_change_nothing(model):
    inputs = tiny.batch(lengths=(5, 9), length=9)
    batched = tiny.outputs(model, inputs)

    for length in (5, 7, 11):
        alone = {name: np.zeros((1, length), "int32") for name in inputs}
        for name in inputs:
            alone[name][0, :5] = inputs[name][0, :5]
        alone["token_ids"][0, 5:] = 36
        found = tiny.outputs(model, alone)
        np.testing.assert_allclose(found["pooled_output"][0], batched["pooled_output"][0], atol=1e-5)
        np.testing.assert_allclose(found["sequence_output"][0, :5], batched["sequence_output"][0, :5], atol=1e-5)


def test_ids_and_segments_under_the_mask_change_nothing(model):
    inputs, changed = tiny.batch(), tiny.batch()
    padding = inputs["padding_mask"] == 0
    changed["token_ids"][padding] = (changed["token_ids"][padding] + 5) % 37
    changed["segment_ids"][padding] = 2

    found, other = tiny.outputs(model, inputs), tiny.outputs(model, changed)

    np.testing.assert_allclose(found["pooled_output"], other["pooled_output"], atol=1e-6)
    np.testing.assert_allclose(found["sequence_output"][~padding], other["sequence_output"][~padding], atol=1e-6)


def test_token_0_is_padding_only_where_the_mask_says_so(model):
    # Embedding(mask_zero=True) would hide it (keras-hub#138); in a byte-level vocabulary 0 is no padding.
    inputs = tiny.batch(lengths=(3,), length=3)
    inputs["token_ids"][0, 1] = 0
    weights = tiny.values(model)

    found = tiny.outputs(model, inputs)

    states, _ = reference.encoder(weights, tiny.CONFIG, **inputs)
    np.testing.assert_allclose(found["sequence_output"], states[-1], atol=5e-5)
    assert all(getattr(output, "_keras_mask", None) is None for output in model(inputs).values())


def test_mask_of_any_type_gives_the_same_result(model):
    inputs = tiny.batch()
    right = tiny.outputs(model, inputs)["pooled_output"]

    for dtype in ("bool", "float32", "int64"):
        found = tiny.outputs(model, {**inputs, "padding_mask": inputs["padding_mask"].astype(dtype)})
        np.testing.assert_array_equal(found["pooled_output"], right)


def test_row_that_is_all_padding_is_finite(model):
    inputs = tiny.batch()
    inputs["padding_mask"][1] = 0

    assert all(np.isfinite(output).all() for output in tiny.outputs(model, inputs).values())


def test_inputs_are_bound_by_name_not_by_order(model):
    inputs = tiny.batch()
    right = tiny.outputs(model, inputs)["pooled_output"]

    backwards = {name: inputs[name] for name in sorted(inputs, reverse=True)}
    np.testing.assert_array_equal(tiny.outputs(model, backwards)["pooled_output"], right)
    swapped = {**inputs, "segment_ids": inputs["padding_mask"], "padding_mask": inputs["segment_ids"]}
    assert np.abs(tiny.outputs(model, swapped)["pooled_output"] - right).max() > 0.1


def test_length_up_to_the_position_table(model):
    assert model.predict(tiny.batch(lengths=(11,), length=11), verbose=0)["sequence_output"].shape == (1, 11, 20)
    with pytest.raises(bk.InputError, match="12 tokens long, but the position table has 11 rows"):
        model(tiny.batch(lengths=(12,), length=12))


def test_published_models_take_512_tokens_and_not_513():
    model = bk.encoder(dataclasses.replace(tiny.CONFIG, max_position_embeddings=512, num_hidden_layers=1))

    assert model(tiny.batch(lengths=(512,), length=512))["pooled_output"].shape == (1, 20)
    with pytest.raises(bk.InputError, match="513 tokens long, but the position table has 512 rows"):
        model(tiny.batch(lengths=(513,), length=513))


@pytest.mark.parametrize("lengths, length", [((3,), 3), ((1,), 1), ((2,) * 17, 2)])
def test_batches_of_one_and_texts_of_one_token_keep_their_axes(model, lengths, length):
    inputs = tiny.batch(lengths, length)

    found = model.predict(inputs, batch_size=16, verbose=0)

    assert found["sequence_output"].shape == (len(lengths), length, 20)
    assert found["pooled_output"].shape == (len(lengths), 20)
    last = {name: array[-1:] for name, array in inputs.items()}
    np.testing.assert_allclose(found["pooled_output"][-1:], tiny.outputs(model, last)["pooled_output"], atol=1e-5)


@pytest.mark.parametrize("policy, tolerance", [("mixed_float16", 0.05), ("mixed_bfloat16", 0.3)])
def test_mixed_precision_is_finite_and_near(policy, tolerance):
    plain, _ = make(layer_norm_eps=1e-12)
    keras.config.set_dtype_policy(policy)
    try:
        mixed, _ = make(layer_norm_eps=1e-12)
    finally:
        keras.config.set_dtype_policy("float32")
    inputs = tiny.batch()
    inputs["padding_mask"][2] = 0

    found, right = tiny.outputs(mixed, inputs), tiny.outputs(plain, inputs)

    assert mixed.compute_dtype == policy.removeprefix("mixed_")
    assert all(np.isfinite(output).all() for output in map(np.asarray, map(np.float32, found.values())))
    np.testing.assert_allclose(np.float32(found["pooled_output"][:2]), right["pooled_output"][:2], atol=tolerance)


def test_compiled_by_xla_the_result_is_the_same():
    model, _ = make(num_hidden_layers=1)
    inputs = {name: tf.constant(array) for name, array in tiny.batch().items()}

    compiled = tf.function(lambda x: model(x, training=False), jit_compile=True)(inputs)

    right = model(inputs, training=False)
    for name in right:
        np.testing.assert_allclose(compiled[name], right[name], atol=1e-4)


def test_predictions_repeat_and_training_drops(model):
    inputs = tiny.batch()

    once, again = (model(inputs, training=False)["pooled_output"] for _ in range(2))

    np.testing.assert_array_equal(once, again)
    assert np.abs(model(inputs, training=True)["pooled_output"] - once).max() > 1e-3


def test_dropouts_are_those_of_the_config():
    config = dataclasses.replace(tiny.CONFIG, hidden_dropout_prob=0.23, attention_probs_dropout_prob=0.31)

    model = bk.encoder(config)

    assert model.get_layer("embeddings").dropout.rate == 0.23
    for block in (model.get_layer("block_0"), model.get_layer("block_1")):
        assert block.attention.dropout.rate == 0.31
        assert (block.attention_dropout.rate, block.output_dropout.rate) == (0.23, 0.23)


def test_epsilon_of_every_layer_norm_is_that_of_the_config(model):
    layers = [layer for layer in model._flatten_layers() if isinstance(layer, bk.layers.LayerNorm)]

    assert len(layers) == 5
    assert {layer.epsilon for layer in layers} == {1e-3}


def test_matrices_begin_as_a_truncated_normal_and_the_rest_at_rest():
    model = bk.encoder(dataclasses.replace(tiny.CONFIG, vocab_size=500, initializer_range=0.02))

    for variable in model.weights:
        value = variable.numpy()
        if len(value.shape) == 2:
            assert np.abs(value).max() < 0.05 and 0.01 < value.std() < 0.03, variable.path
        else:
            assert (value == (variable.name == "gamma")).all(), variable.path


def test_names_of_variables_are_those_that_files_use(model):
    shapes = {variable.path: tuple(variable.shape) for variable in model.weights}

    assert shapes.pop("embeddings/token_embedding") == (37, 20)
    assert shapes.pop("embeddings/segment_embedding") == (3, 20)
    assert shapes.pop("embeddings/position_embedding") == (11, 20)
    kernels = {path: shape for path, shape in shapes.items() if path.startswith("block_1") and path.endswith("kernel")}
    assert kernels == {
        "block_1/attention/query/kernel": (20, 20),
        "block_1/attention/key/kernel": (20, 20),
        "block_1/attention/value/kernel": (20, 20),
        "block_1/attention/output/kernel": (20, 20),
        "block_1/intermediate/kernel": (20, 28),
        "block_1/output/kernel": (28, 20),
    }
    norms = {path.rsplit("/", 1)[0] for path in shapes if path.endswith("gamma")}
    assert norms == {
        "embeddings/layer_norm",
        *(f"block_{i}/{name}_layer_norm" for i in (0, 1) for name in ("attention", "output")),
    }
    assert shapes["pooler/dense/kernel"] == (20, 20)


def test_another_backend_is_refused(monkeypatch):
    monkeypatch.setattr(keras.backend, "backend", lambda: "jax")

    with pytest.raises(bk.InputError, match="Keras runs on jax: set the environment variable KERAS_BACKEND=tensorflow"):
        bk.encoder(tiny.CONFIG)


def test_config_of_a_foreign_model_is_refused():
    x = keras.Input((3,))

    with pytest.raises(bk.InputError, match="was not made by bert_keras"):
        config_of(keras.Model(x, keras.layers.Dense(2)(x)))


def test_name_in_place_of_a_config_is_named():
    with pytest.raises(bk.InputError, match="config is 'bert-tiny'; pass an EncoderConfig"):
        bk.encoder("bert-tiny")
