"""The loss of several labels, and Keras' own of a number, as torch computes them."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from bert_keras.losses import MeanMultiLabelCrossEntropy

LOGITS = np.array([[1.0, -2, 0.5], [0, 3, -1]], np.float32)
LABELS = np.array([[1, 0, 1], [0, 0, 1]], np.int32)


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_mean_over_all_decisions(dtype):
    # torch.nn.BCEWithLogitsLoss()
    found = MeanMultiLabelCrossEntropy()(LABELS.astype(dtype), LOGITS)
    assert float(found) == pytest.approx(0.9948773, abs=1e-6)


def test_weights_of_the_ones_of_each_class():
    # torch.nn.BCEWithLogitsLoss(pos_weight=[1, 2, 5])
    found = MeanMultiLabelCrossEntropy([1, 2, 5])(LABELS, LOGITS)
    assert float(found) == pytest.approx(2.1864364, abs=1e-6)


@pytest.mark.parametrize("weights", [None, [1, 2, 5]])
def test_unknown_labels_count_nowhere(weights):
    loss = MeanMultiLabelCrossEntropy(weights)
    unknown = np.array([[1, 0, 1], [-1, -1, -1]], np.int32)
    assert float(loss(unknown, LOGITS)) == pytest.approx(float(loss(LABELS[:1], LOGITS[:1])))


def test_weights_of_whole_texts():
    loss = MeanMultiLabelCrossEntropy()
    assert float(loss(LABELS, LOGITS, np.array([0.0, 3.0]))) == pytest.approx(float(loss(LABELS[1:], LOGITS[1:])))


def test_huge_logits_are_finite():
    found = MeanMultiLabelCrossEntropy([2.0])(np.array([[1]]), np.array([[-1e4]], np.float32))
    assert float(found) == pytest.approx(2e4)


def test_a_saved_loss_is_the_same():
    loss = MeanMultiLabelCrossEntropy([1, 2, 5])
    again = keras.losses.deserialize(keras.losses.serialize(loss))
    assert float(again(LABELS, LOGITS)) == float(loss(LABELS, LOGITS))


def test_keras_compares_numbers_in_float32():
    # 256 and 257 are one number in bfloat16, and so would be their difference.
    loss = keras.losses.MeanSquaredError(dtype="float32")
    found = loss(np.array([257.0]), tf.constant([[256.0]], tf.bfloat16))
    assert found.dtype == tf.float32
    assert float(found) == 1.0
