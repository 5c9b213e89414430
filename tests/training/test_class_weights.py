"""Balanced class weights, and weights of labels of texts and of tokens."""

import numpy as np
import pytest
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.losses import MeanCrossEntropy
from bert_keras.training import class_weights, indices_in, with_class_weights

TOKENS = np.array([[-100, 0, 2, -100], [1, 0, 5, -1]], np.int32)


def dataset_of(labels):
    return tf.data.Dataset.from_tensors((np.zeros(len(labels), np.int32), labels))


def test_balanced():
    # sklearn.utils.class_weight.compute_class_weight("balanced", classes=[0, 1, 2], y=[0, 0, 0, 1, 1, 2]).
    assert class_weights([0, 0, 0, 1, 1, 2], 3) == pytest.approx({0: 2 / 3, 1: 1.0, 2: 2.0})


def test_a_class_that_never_occurs():
    assert class_weights([0, 0, 2], 3) == pytest.approx({0: 0.75, 1: 0.0, 2: 1.5})


@pytest.mark.parametrize(("labels", "words"), [([], "no labels"), ([0, 3], "label 3"), ([-1], "label -1")])
def test_bad_labels(labels, words):
    with pytest.raises(InputError, match=words):
        class_weights(labels, 3)


# Known fault 4.14: Keras refuses class weights for labels [B, L].
def test_weights_of_tokens_are_those_of_their_labels_and_0_where_nothing_is_learned():
    [(_, _, weights)] = with_class_weights(dataset_of(TOKENS), {0: 0.5, 2: 4.0}).as_numpy_iterator()
    assert weights.tolist() == [[0, 0.5, 4, 0], [1, 0.5, 1, 0]]


def test_weights_of_texts():
    [(_, _, weights)] = with_class_weights(dataset_of(np.array([1, 0, 1], np.int32)), {1: 3.0}).as_numpy_iterator()
    assert weights.tolist() == [3, 1, 3]


def test_a_weighted_loss_is_divided_by_the_sum_of_the_weights():
    # Logits 0 and ln 3: the probabilities are 1/4 and 3/4. (2·ln 4 + 1·ln 4/3) / 3, by hand.
    logits = np.log([[[1, 3], [1, 3], [1, 3]]]).astype(np.float32)
    labels = np.array([[0, 1, -100]], np.int32)
    [(_, _, weights)] = with_class_weights(dataset_of(labels), {0: 2.0, 1: 1.0}).as_numpy_iterator()
    right = (2 * np.log(4) + np.log(4 / 3)) / 3
    assert float(MeanCrossEntropy()(labels, logits, weights)) == pytest.approx(right, abs=1e-6)


def test_the_labels_that_are_learned_are_counted():
    assert list(indices_in(dataset_of(TOKENS))) == [0, 2, 1, 0, 5]


@pytest.mark.parametrize(
    ("labels", "weights", "words"),
    [
        (np.zeros((2, 3), np.float32), {0: 1.0}, "one class index for each text or token"),
        (TOKENS, {0: -1.0}, "weight of class 0 is -1.0"),
        (TOKENS, {1: float("nan")}, "weight of class 1 is nan"),
        (TOKENS, {-1: 1.0}, "weight of class -1"),
    ],
)
def test_weights_that_make_no_sense_are_refused(labels, weights, words):
    with pytest.raises(InputError, match=words):
        with_class_weights(dataset_of(labels), weights)
