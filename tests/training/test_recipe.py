"""What each task is compiled with, and that BERT trains with it."""

import math

import keras
import numpy as np
import pytest
import tensorflow as tf
from training import small

import bert_keras as bk
from bert_keras import tasks
from bert_keras.errors import InputError
from bert_keras.losses import InfoNce
from bert_keras.training import AdamW, WarmupLinear, recipe


def masked(n=8, length=6, k=2):
    """Inputs, labels and weights of pretraining; the second masked slot of every other row is padding."""
    inputs, labels = small.examples(n, length)
    positions = np.tile(np.array([[1, 3]], np.int32), (n, 1))
    weights = np.ones((n, k), np.float32)
    weights[::2, 1] = 0
    mlm = np.take_along_axis(inputs["token_ids"], positions, 1)
    return {**inputs, "masked_positions": positions}, mlm, labels, weights


def test_classification():
    model = small.classifier(steps=20)
    assert isinstance(model.optimizer, AdamW)
    assert model.optimizer.global_clipnorm == 1.0
    assert model.optimizer.weight_decay == 0.01
    schedule = recipe(model, 5e-5, steps=20)["optimizer"]._learning_rate
    assert isinstance(schedule, WarmupLinear)
    assert (schedule.steps, schedule.warmup_steps) == (20, 2)


def test_without_steps_the_rate_is_constant():
    assert float(recipe(small.classifier(), 3e-5)["optimizer"].learning_rate) == pytest.approx(3e-5)


def test_pretraining_adds_both_losses_and_reports_each():
    # Seed 2, section "total loss": L = L_MLM + L_NSP. Padding slots count nowhere.
    inputs, mlm, nsp, weights = masked()
    model = tasks.pretraining(bk.encoder(small.CONFIG))
    model.compile(**recipe(model))
    data = tf.data.Dataset.from_tensors((inputs, {"mlm": mlm, "nsp": nsp}, {"mlm": weights, "nsp": np.ones(len(nsp))}))
    found = model.evaluate(data, verbose=0, return_dict=True)
    outputs = model(inputs)

    def each(logits, labels):
        z = logits.numpy().astype(np.float64)
        return np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, labels[..., None], -1)[..., 0]

    expected_mlm = (each(outputs["mlm"], mlm) * weights).sum() / weights.sum()
    expected_nsp = each(outputs["nsp"], nsp).mean()
    assert found["mlm_loss"] == pytest.approx(expected_mlm, rel=1e-5)
    assert found["nsp_loss"] == pytest.approx(expected_nsp, rel=1e-5)
    assert found["loss"] == pytest.approx(expected_mlm + expected_nsp, rel=1e-5)
    right = (outputs["mlm"].numpy().argmax(-1) == mlm) * weights
    assert found["mlm_accuracy"] == pytest.approx(right.sum() / weights.sum())
    assert found["nsp_accuracy"] == pytest.approx((outputs["nsp"].numpy().argmax(-1) == nsp).mean())


@pytest.mark.parametrize(
    ("task", "labels", "classes"), [(tasks.fill_mask, "mlm", 50), (tasks.next_sentence_prediction, "nsp", 2)]
)
def test_tasks_of_one_output_start_near_a_uniform_guess(task, labels, classes):
    inputs, mlm, nsp, weights = masked()
    model = task(bk.encoder(small.CONFIG))
    model.compile(**recipe(model))
    inputs = {name: inputs[name] for name in model.input}
    data = (inputs, mlm, weights) if labels == "mlm" else (inputs, nsp)
    found = model.evaluate(tf.data.Dataset.from_tensors(data), verbose=0, return_dict=True)
    assert found["loss"] == pytest.approx(math.log(classes), abs=0.2)


def test_loss_is_the_one_that_is_given():
    made = tasks.sentence_similarity(bk.encoder(small.CONFIG))
    loss = InfoNce(negatives=2)
    assert isinstance(recipe(made)["loss"], InfoNce)
    assert recipe(made, loss=loss)["loss"] is loss
    assert "metrics" not in recipe(small.classifier(), loss=loss)


def test_warmup_is_a_share():
    with pytest.raises(InputError, match="warmup is 500"):
        recipe(small.classifier(), steps=1000, warmup=500)


def test_eight_examples_are_learnt_by_heart():
    # ai.stackexchange 18234: a loss that stays at 0.68 is a fault.
    inputs, labels = small.examples(8)
    model = small.classifier(steps=60, learning_rate=1e-2)
    model.fit(inputs, labels, batch_size=8, epochs=60, verbose=0)
    assert model.evaluate(inputs, labels, verbose=0, return_dict=True)["loss"] < 0.05
    np.testing.assert_array_equal(model.predict(inputs, verbose=0), model.predict(inputs, verbose=0))


def test_what_is_frozen_before_compiling_stays_bit_for_bit():
    # keras#9157.
    inputs, labels = small.examples(8)
    model = tasks.text_classification(bk.encoder(small.CONFIG), ["no", "yes"])
    for layer in model.layers[:-1]:
        layer.trainable = False
    head = [variable.path for variable in model.trainable_variables]
    before = {variable.path: variable.numpy() for variable in model.weights}
    model.compile(**recipe(model))
    model.fit(inputs, labels, verbose=0)
    moved = [v.path for v in model.weights if not np.array_equal(before[v.path], v.numpy())]
    assert moved == head
    assert all(path.startswith("classification_head") for path in head)


def test_the_same_seed_gives_the_same_weights():
    # keras#2280: data order, dropout and initial weights.
    def weights():
        model = small.bag(seed=7)
        model.fit(small.make_dataset(0, 0), shuffle=False, epochs=2, verbose=0)
        return model.get_weights()

    for first, second in zip(weights(), weights(), strict=True):
        np.testing.assert_array_equal(first, second)


def test_xla_computes_the_same():
    # keras#17072; dropout off, since XLA draws other random numbers.
    def losses(jit):
        keras.utils.set_random_seed(0)
        config = bk.EncoderConfig(
            **{**small.CONFIG.to_dict(), "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        )
        model = tasks.text_classification(bk.encoder(config), ["no", "yes"])
        model.compile(**(recipe(model, 1e-3) | {"jit_compile": jit}))
        return model.fit(small.make_dataset(0, 0), shuffle=False, epochs=2, verbose=0).history["loss"]

    assert losses(True) == pytest.approx(losses(False), abs=1e-4)


def test_mixed_float16_meets_no_nan():
    # keras#16552: logits are float32; a step whose gradients overflow is skipped and the scale lowered.
    policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy("mixed_float16")
    try:
        model = small.classifier()
    finally:
        keras.config.set_dtype_policy(policy)
    model.get_layer("classification_head").dense.kernel.assign(np.full((16, 2), [300.0, -300.0]))
    history = model.fit(small.make_dataset(0, 0), shuffle=False, epochs=3, verbose=0)
    assert isinstance(model.optimizer, keras.optimizers.LossScaleOptimizer)
    assert isinstance(model.optimizer.inner_optimizer, AdamW)
    assert 0 < float(model.optimizer.dynamic_scale.numpy()) < 2**15
    assert np.isfinite(history.history["loss"]).all()
    assert all(np.isfinite(weight).all() for weight in model.get_weights())


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
@pytest.mark.parametrize("name", ["learning_rate", "weight_decay", "clip_norm"])
def test_numbers_that_train_nothing_are_named(name, value):
    with pytest.raises(InputError, match=f"{name} is {value}"):
        recipe(small.classifier(), **{name: value})


def test_a_rate_of_zero_trains_nothing():
    with pytest.raises(InputError, match="learning_rate is 0: give a number over 0"):
        recipe(small.classifier(), learning_rate=0)


@pytest.mark.parametrize("task", ["multiple-choice", "question-answering", "token-classification"])
def test_objectives_equal_the_mean_cross_entropy(task):
    inputs, labels = small.examples(8, 6)
    base = bk.encoder(small.CONFIG)
    model = tasks.TASKS[task](base, ["a", "b", "c"]) if task == "token-classification" else tasks.TASKS[task](base)
    if task == "multiple-choice":
        inputs = {name: np.stack([array, array[::-1]], axis=1) for name, array in inputs.items()}
        targets = labels % 2
    elif task == "question-answering":
        targets = {"start_logits": labels % 3, "end_logits": labels % 3 + 2}
    else:
        targets = np.where(np.arange(6) < 4, inputs["token_ids"] % 3, -100)  # the last two count nowhere
    model.compile(**recipe(model))

    found = model.evaluate(inputs, targets, batch_size=8, verbose=0, return_dict=True)["loss"]

    def mean(logits, labels):
        z, counted = np.asarray(logits, np.float64), labels >= 0
        each = np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, np.maximum(labels, 0)[..., None], -1)[..., 0]
        return each[counted].mean()

    outputs = model(inputs, training=False)
    if task == "question-answering":
        right = (mean(outputs["start_logits"], labels % 3) + mean(outputs["end_logits"], labels % 3 + 2)) / 2
    else:
        right = mean(outputs, targets)
    assert found == pytest.approx(right, rel=1e-5)


def test_replaced_token_detection_trains_on_the_binary_cross_entropy_of_real_tokens():
    inputs, _ = small.examples(8, 6)
    model = tasks.replaced_token_detection(bk.encoder(small.CONFIG))
    targets = np.where(np.arange(6) < 4, inputs["token_ids"] % 2, -1)
    model.compile(**recipe(model))

    found = model.evaluate(inputs, targets, batch_size=8, verbose=0)

    z = model(inputs, training=False).numpy().astype(np.float64)[:, :4]
    right = np.mean(np.log1p(np.exp(z)) - targets[:, :4] * z)
    assert found == pytest.approx(right, rel=1e-5)


def test_encoder_alone_has_no_recipe():
    with pytest.raises(InputError, match="there is no recipe for the task 'feature-extraction'"):
        recipe(bk.encoder(small.CONFIG))
