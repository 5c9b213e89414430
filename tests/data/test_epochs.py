"""The dataset: an iteration is an epoch, its length is known, Keras takes it as it is."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from bert_keras.data.epochs import epochs_dataset


def numbered(epoch):
    """Five batches; batch b of epoch e holds 10 e + b."""
    return [np.array([10 * epoch + batch], np.int32) for batch in range(5)]


def make(start_epoch=0, skip_batches=0):
    return epochs_dataset(
        numbered, lambda rows, epoch: rows, tf.TensorSpec([None], tf.int32), 5, start_epoch, skip_batches
    )


def values(dataset):
    return [int(batch[0]) for batch in dataset]


def test_each_iteration_is_the_next_epoch():
    dataset = make(start_epoch=1)
    assert values(dataset) == [10, 11, 12, 13, 14]
    assert values(dataset) == [20, 21, 22, 23, 24]


def test_skipped_batches_are_left_out_once():
    dataset = make(start_epoch=2, skip_batches=3)
    assert values(dataset) == [23, 24]
    assert values(dataset) == [30, 31, 32, 33, 34]


@pytest.mark.parametrize(("skip", "first"), [(5, 30), (7, 32)])
def test_skipping_a_whole_epoch_goes_on_with_the_next(skip, first):
    assert values(make(start_epoch=2, skip_batches=skip))[0] == first


@pytest.mark.parametrize("skip", [0, 2])
def test_length_is_that_of_an_epoch(skip):
    assert len(make(skip_batches=skip)) == 5
    assert len(make(skip_batches=skip).map(lambda rows: rows + 1)) == 5


def test_iterator_that_nobody_reads_is_no_epoch():
    dataset = make()
    iter(dataset)
    assert values(dataset)[0] == 0


@pytest.mark.parametrize("class_weight", [None, {0: 1.0, 1: 2.0}])
def test_fit_sees_each_epoch_whole(class_weight):
    seen = []

    def gather(rows, epoch):
        seen.append(int(rows[0]))
        return rows[:, None].astype(np.float32), np.zeros(1, np.int32)

    signature = (tf.TensorSpec([None, 1], tf.float32), tf.TensorSpec([None], tf.int32))
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(2)])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    dataset = epochs_dataset(numbered, gather, signature, 5)
    model.fit(dataset, epochs=3, shuffle=False, verbose=0, class_weight=class_weight)
    assert seen == [*range(5), *range(10, 15), *range(20, 25)]
