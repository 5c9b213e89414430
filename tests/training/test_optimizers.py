"""Optimizers against the formulas of their papers, in float64 NumPy."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from bert_keras.training import AdamW, BertAdam, Lamb

RATE = 0.01
RNG = np.random.default_rng(0)
WEIGHTS = RNG.normal(size=(6, 4)).astype(np.float32)
GRADIENTS = [RNG.normal(size=(6, 4)).astype(np.float32) for _ in range(5)]


def variable(value, name="kernel"):
    return keras.Variable(value, name=name)


def stepped(optimizer, gradients, value=WEIGHTS, name="kernel"):
    v = variable(value, name)
    for gradient in gradients:
        optimizer.apply([tf.constant(gradient)], [v])
    return v.numpy()


def adamw(weights, gradients, rate=RATE, decay=0.0, corrected=True, epsilon=1e-6, b1=0.9, b2=0.999):
    """Algorithm 2 of Loshchilov and Hutter."""
    w, m, v = weights.astype(np.float64), 0.0, 0.0
    for t, g in enumerate((g.astype(np.float64) for g in gradients), 1):
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        m_hat, v_hat = (m / (1 - b1**t), v / (1 - b2**t)) if corrected else (m, v)
        w = w - rate * (decay * w + m_hat / (np.sqrt(v_hat) + epsilon))
    return w


def test_adamw_follows_the_paper():
    found = stepped(AdamW(RATE, weight_decay=0.1), GRADIENTS)
    np.testing.assert_allclose(found, adamw(WEIGHTS, GRADIENTS, decay=0.1), atol=2e-6)


def test_epsilon_is_added_after_the_correction():
    # With gradients as small as ε the two places give different steps.
    gradients = [g * 1e-6 for g in GRADIENTS]
    found = stepped(AdamW(RATE, weight_decay=0.0), gradients)
    np.testing.assert_allclose(found, adamw(WEIGHTS, gradients), atol=2e-6)


def test_bert_adam_has_no_bias_correction():
    found = stepped(BertAdam(RATE, weight_decay=0.1), GRADIENTS)
    np.testing.assert_allclose(found, adamw(WEIGHTS, GRADIENTS, decay=0.1, corrected=False), atol=2e-6)


@pytest.mark.parametrize(("optimizer", "step"), [(BertAdam, 3.162), (AdamW, 1.0)])
def test_first_step(optimizer, step):
    # google-research/bert#153: 0.1·g / √(0.001·g²) = 3.162 without the correction.
    moved = WEIGHTS - stepped(optimizer(RATE, weight_decay=0.0), [np.ones_like(WEIGHTS)])
    np.testing.assert_allclose(moved, step * RATE, rtol=1e-3)


@pytest.mark.parametrize("decay", [0.1, 0.0, None])
def test_lamb_decays_inside_the_trust_ratio(decay):
    w, g = WEIGHTS.astype(np.float64), GRADIENTS[0].astype(np.float64)
    update = g / (np.abs(g) + 1e-6) + (decay or 0) * w
    expected = w - RATE * np.linalg.norm(w) / np.linalg.norm(update) * update
    np.testing.assert_allclose(stepped(Lamb(RATE, weight_decay=decay), GRADIENTS[:1]), expected, atol=1e-6)


def test_lamb_moves_a_variable_of_zeros():
    moved = stepped(Lamb(RATE, weight_decay=0.1), GRADIENTS[:1], np.zeros_like(WEIGHTS))
    np.testing.assert_allclose(moved, -RATE * np.sign(GRADIENTS[0]), rtol=1e-4)


@pytest.mark.parametrize("optimizer", [AdamW, BertAdam, Lamb])
@pytest.mark.parametrize(("name", "shape"), [("gamma", (4,)), ("bias", (2, 4)), ("beta", (4,)), ("scale", (4,))])
def test_no_decay_where_it_does_not_belong(optimizer, name, shape):
    gradient = np.full(shape, 0.5, np.float32)
    with_decay = stepped(optimizer(RATE, weight_decay=0.5), [gradient], np.ones(shape, np.float32), name)
    without = stepped(optimizer(RATE, weight_decay=0.0), [gradient], np.ones(shape, np.float32), name)
    np.testing.assert_array_equal(with_decay, without)


def test_more_variables_can_be_kept_from_decay():
    optimizer = AdamW(RATE, weight_decay=0.5)
    optimizer.exclude_from_weight_decay(var_names=["kernel"])
    np.testing.assert_allclose(stepped(optimizer, GRADIENTS), adamw(WEIGHTS, GRADIENTS), atol=2e-6)


def test_the_norm_is_taken_over_all_gradients():
    # transformers#581: norms 3 and 4 make 5, so a limit of 1 scales to 0.6 and 0.8.
    optimizer = _Plain(1.0, 0.0, 0.9, 0.999, 1e-6, global_clipnorm=1.0)
    a, b = variable(np.zeros((1, 1), np.float32)), variable(np.zeros((1, 1), np.float32))
    optimizer.apply([tf.constant([[3.0]]), tf.constant([[4.0]])], [a, b])
    np.testing.assert_allclose([a.numpy().item(), b.numpy().item()], [-0.6, -0.8], rtol=1e-6)


def test_gradients_under_the_limit_stay_as_they_are():
    clipped = stepped(AdamW(RATE, global_clipnorm=100.0), GRADIENTS)
    np.testing.assert_array_equal(clipped, stepped(AdamW(RATE), GRADIENTS))


@pytest.mark.parametrize("optimizer", [AdamW, BertAdam, Lamb])
@pytest.mark.parametrize("clip", [None, 0.5])
def test_a_sparse_gradient_with_duplicates_counts_as_the_dense_one(optimizer, clip):
    rows = tf.constant([1, 3, 1, 1], tf.int64)
    values = tf.constant(RNG.normal(size=(4, 4)), tf.float32)
    dense = np.zeros_like(WEIGHTS)
    np.add.at(dense, rows.numpy(), values.numpy())
    sparse = variable(WEIGHTS)
    sparsely = optimizer(RATE, weight_decay=0.1, global_clipnorm=clip)
    for _ in range(3):
        sparsely.apply([tf.IndexedSlices(values, rows, tf.constant([6, 4], tf.int64))], [sparse])
    expected = stepped(optimizer(RATE, weight_decay=0.1, global_clipnorm=clip), [dense] * 3)
    np.testing.assert_allclose(sparse.numpy(), expected, atol=1e-7)


@pytest.mark.parametrize("jit", [False, True])
def test_an_embedding_of_its_own_trains_as_its_matrix_product(jit):
    ids = np.array([[1, 1, 2], [0, 1, 1]], np.int32)
    table = RNG.normal(size=(5, 3)).astype(np.float32)

    def trained(first):
        model = keras.Sequential([first, keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1, "tanh", False)])
        model.build((None, 3) if isinstance(first, keras.layers.Embedding) else (None, 3, 5))
        model.layers[-1].kernel.assign([[0.5], [-1.0], [2.0]])
        first.weights[0].assign(table)
        model.compile(AdamW(RATE, global_clipnorm=0.01), "mse", jit_compile=jit)
        inputs = ids if isinstance(first, keras.layers.Embedding) else np.eye(5, dtype=np.float32)[ids]
        model.fit(inputs, np.array([1.0, -1.0]), epochs=3, verbose=0, shuffle=False)
        return first.weights[0].numpy()

    found = trained(keras.layers.Embedding(5, 3))
    np.testing.assert_allclose(found, trained(keras.layers.Dense(3, use_bias=False)), atol=1e-6)
    assert np.abs(found - table).max() > 1e-3


# The five steps are near 0.05 together; the weights are up to 2 and are rounded at each step.
@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 3e-3), ("bfloat16", 0.03)])
def test_half_precision_variables_follow_the_paper(dtype, tolerance):
    v = keras.Variable(WEIGHTS, dtype=dtype, name="kernel")
    optimizer = AdamW(RATE, weight_decay=0.1, global_clipnorm=1.0)
    for gradient in GRADIENTS:
        optimizer.apply([tf.cast(gradient, dtype)], [v])
    clipped = [g / max(1.0, np.linalg.norm(g)) for g in GRADIENTS]
    np.testing.assert_allclose(v.numpy().astype(np.float32), adamw(WEIGHTS, clipped, decay=0.1), atol=tolerance)


def test_accumulated_gradients_are_averaged_then_clipped():
    optimizer = AdamW(RATE, weight_decay=0.1, global_clipnorm=0.5, gradient_accumulation_steps=2)
    expected = stepped(
        AdamW(RATE, weight_decay=0.1, global_clipnorm=0.5), [(GRADIENTS[i] + GRADIENTS[i + 1]) / 2 for i in (0, 2)]
    )
    np.testing.assert_allclose(stepped(optimizer, GRADIENTS[:4]), expected, atol=1e-6)


@pytest.mark.parametrize("optimizer", [AdamW, BertAdam, Lamb])
def test_optimizers_are_saved_with_their_settings(optimizer):
    made = optimizer(2e-5, weight_decay=0.2, beta_2=0.98, epsilon=1e-8, global_clipnorm=0.7)
    again = keras.optimizers.deserialize(keras.optimizers.serialize(made))
    assert type(again) is optimizer
    assert again.get_config() == made.get_config()


class _Plain(AdamW):
    """w ← w − g, to see what clipping made of a gradient."""

    def update_step(self, gradient, variable, learning_rate):
        variable.assign_sub(gradient)
