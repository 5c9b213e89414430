"""Balanced class weights."""

import pytest

from bert_keras.errors import InputError
from bert_keras.training import class_weights


def test_balanced():
    # sklearn.utils.class_weight.compute_class_weight("balanced", classes=[0, 1, 2], y=[0, 0, 0, 1, 1, 2]).
    assert class_weights([0, 0, 0, 1, 1, 2], 3) == pytest.approx({0: 2 / 3, 1: 1.0, 2: 2.0})


def test_a_class_that_never_occurs():
    assert class_weights([0, 0, 2], 3) == pytest.approx({0: 0.75, 1: 0.0, 2: 1.5})


@pytest.mark.parametrize(("labels", "words"), [([], "no labels"), ([0, 3], "label 3"), ([-1], "label -1")])
def test_bad_labels(labels, words):
    with pytest.raises(InputError, match=words):
        class_weights(labels, 3)
