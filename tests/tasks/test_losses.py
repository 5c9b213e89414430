"""Both losses of pretraining, their sum and its gradient against the formulas."""

import numpy as np
import pytest
import reference
import tensorflow as tf
import tiny

import bert_keras as bk
from bert_keras.tasks import pretraining

MLM_LABELS = np.array([[4, 9, 0], [30, 2, 0], [36, 0, 0]], "int32")
COUNTED = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0]], "float32")
NSP_LABELS = np.array([0, 1, 1], "int32")
INPUTS = {**tiny.batch(), "masked_positions": np.array([[5, 1, 0], [3, 2, 0], [0, 0, 0]], "int32")}


@pytest.fixture(scope="module")
def model():
    model = pretraining(bk.encoder(tiny.CONFIG))
    tiny.randomize(model)
    model.compile(**bk.training.recipe(model))
    return model


def total(model):
    return model.compute_loss(
        x=INPUTS,
        y={"mlm": MLM_LABELS, "nsp": NSP_LABELS},
        y_pred=model(INPUTS, training=False),
        sample_weight={"mlm": COUNTED, "nsp": np.ones(3, "float32")},
    )


def right(weights):
    return reference.pretraining_loss(weights, tiny.CONFIG, INPUTS, MLM_LABELS, COUNTED, NSP_LABELS)


def test_total_loss_is_the_sum_of_both_and_each_is_reported(model):
    sum_of_both, mlm, nsp = right(tiny.values(model))

    found = model.evaluate(
        INPUTS,
        {"mlm": MLM_LABELS, "nsp": NSP_LABELS},
        sample_weight={"mlm": COUNTED, "nsp": np.ones(3, "float32")},
        verbose=0,
        return_dict=True,
    )

    assert found["loss"] == pytest.approx(sum_of_both, abs=1e-4)
    assert found["mlm_loss"] == pytest.approx(mlm, abs=1e-4)
    assert found["nsp_loss"] == pytest.approx(nsp, abs=1e-4)


def test_next_sentence_loss_of_equal_logits_is_the_logarithm_of_2(model):
    # Class 0 counts as much as class 1: no label is ignored.
    loss = bk.training.recipe(model)["loss"]["nsp"]

    assert float(loss(np.array([0, 1, 0]), np.zeros((3, 2), "float32"))) == pytest.approx(0.6931, abs=5e-5)


def test_masked_token_loss_of_equal_logits_is_the_logarithm_of_the_vocabulary(model):
    loss = bk.training.recipe(model)["loss"]["mlm"]

    found = loss(MLM_LABELS, np.zeros((3, 3, 37), "float32"), COUNTED)

    assert float(found) == pytest.approx(np.log(37), abs=1e-5)


def test_gradient_equals_finite_differences(model):
    with tf.GradientTape() as tape:
        loss = total(model)
    variables = model.trainable_variables
    gradients = {
        variable.path: tf.convert_to_tensor(gradient).numpy()
        for variable, gradient in zip(variables, tape.gradient(loss, [v.value for v in variables]), strict=True)
    }
    random = np.random.default_rng(0)

    for path, gradient in gradients.items():
        # The entry that matters most and one at random.
        largest = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        for index in (largest, tuple(random.integers(0, size) for size in gradient.shape)):
            sides = []
            for step in (1e-5, -1e-5):
                weights = tiny.values(model)
                weights[path][index] += step
                sides.append(right(weights)[0])
            slope = (sides[0] - sides[1]) / 2e-5
            assert gradient[index] == pytest.approx(slope, rel=2e-3, abs=2e-4), f"{path}{index}"


def test_slots_that_do_not_count_change_nothing(model):
    before = float(total(model))
    changed = {**INPUTS, "masked_positions": np.where(COUNTED > 0, INPUTS["masked_positions"], 4).astype("int32")}

    after = model.compute_loss(
        x=changed,
        y={"mlm": np.where(COUNTED > 0, MLM_LABELS, 7), "nsp": NSP_LABELS},
        y_pred=model(changed, training=False),
        sample_weight={"mlm": COUNTED, "nsp": np.ones(3, "float32")},
    )

    assert float(after) == pytest.approx(before, abs=1e-6)
