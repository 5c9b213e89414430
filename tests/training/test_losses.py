"""Which positions a loss counts, and what it divides by."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from bert_keras.training import CountedAccuracy, MeanCrossEntropy

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(2, 3, 7)).astype(np.float32)
LABELS = np.array([[0, 3, 6], [2, 2, 5]], np.int32)


def each(logits, labels):
    """−log softmax at the label, in float64."""
    z = logits.astype(np.float64)
    picked = np.take_along_axis(z, labels[..., None], -1)[..., 0]
    return np.log(np.exp(z).sum(-1)) - picked


def test_uniform_logits_of_two_classes_cost_ln_2():
    assert float(MeanCrossEntropy()(np.array([0, 1, 1]), np.zeros((3, 2)))) == pytest.approx(0.6931472)


def test_mean_over_all_positions():
    assert float(MeanCrossEntropy()(LABELS, LOGITS)) == pytest.approx(each(LOGITS, LABELS).mean(), rel=1e-6)


def test_divides_by_the_sum_of_the_weights():
    weights = np.array([[1.0, 0.5, 0.0], [2.0, 0.0, 0.0]], np.float32)
    expected = (each(LOGITS, LABELS) * weights).sum() / 3.5
    assert float(MeanCrossEntropy()(LABELS, LOGITS, weights)) == pytest.approx(expected, rel=1e-6)


def test_weights_of_whole_examples():
    expected = each(LOGITS, LABELS)[1].mean()
    assert float(MeanCrossEntropy()(LABELS, LOGITS, np.array([0.0, 4.0]))) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("ignored", [-100, -1])
def test_negative_labels_count_nowhere(ignored):
    # keras#6118: of 4 positions 1 is valid and costs 2: the loss is 2.0, not 0.5.
    x = np.log(np.e**2 - 1)
    logits = np.array([[[0, x], [5, 1], [-3, 2], [9, 9]]], np.float32)
    labels = np.array([[0, ignored, ignored, ignored]])
    assert float(MeanCrossEntropy()(labels, logits)) == pytest.approx(2.0, rel=1e-6)
    logits[0, 1:] = 7.0
    assert float(MeanCrossEntropy()(labels, logits)) == pytest.approx(2.0, rel=1e-6)


def test_ignored_positions_have_no_gradient():
    logits = tf.Variable(LOGITS)
    with tf.GradientTape() as tape:
        loss = MeanCrossEntropy()(np.where(LABELS == 2, -100, LABELS), logits)
    gradient = tape.gradient(loss, logits).numpy()
    assert (gradient[1, :2] == 0).all()
    assert np.abs(gradient[0]).min() > 0


@pytest.mark.parametrize(("labels", "weights"), [(LABELS, np.zeros((2, 3))), (np.full((2, 3), -100), None)])
def test_where_nothing_counts_loss_and_gradient_are_zero(labels, weights):
    logits = tf.Variable(LOGITS)
    with tf.GradientTape() as tape:
        loss = MeanCrossEntropy()(labels, logits, weights)
    assert float(loss) == 0.0
    assert (tape.gradient(loss, logits).numpy() == 0).all()


def test_half_precision_logits_are_summed_in_float32():
    logits = tf.cast(tf.reshape(tf.linspace(-20000.0, 20000.0, 14), (2, 7)), tf.float16)
    loss = MeanCrossEntropy()(np.array([0, 6]), logits)
    assert loss.dtype == tf.float32
    assert np.isfinite(float(loss))


def test_an_embeddings_mask_does_not_reach_the_loss():
    # keras-hub#138: id 0 is a real token in some vocabularies; only given weights exclude positions.
    logits = tf.constant(LOGITS)
    logits._keras_mask = tf.constant([[True, False, False], [False, False, False]])
    assert float(MeanCrossEntropy()(LABELS, logits)) == pytest.approx(each(LOGITS, LABELS).mean(), rel=1e-6)


def test_labels_of_an_added_dimension():
    logits = LOGITS[:, 0]
    expected = each(logits, LABELS[:, 0]).mean()
    assert float(MeanCrossEntropy()(LABELS[:, :1], logits)) == pytest.approx(expected, rel=1e-6)


def test_accuracy_counts_what_the_loss_counts():
    metric = CountedAccuracy()
    logits = np.eye(3, dtype=np.float32)[[[0, 1, 2, 0]]]
    metric.update_state(np.array([[0, 2, -100, 0]]), logits, np.array([[1.0, 1.0, 1.0, 2.0]]))
    assert float(metric.result()) == pytest.approx(3 / 4)


def test_saved_with_their_names():
    loss = keras.losses.deserialize(keras.losses.serialize(MeanCrossEntropy(name="mlm")))
    metric = keras.metrics.deserialize(keras.metrics.serialize(CountedAccuracy(name="right")))
    assert (loss.name, metric.name) == ("mlm", "right")
