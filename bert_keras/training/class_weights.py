"""Class weights for unbalanced data. B batch, L length."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from bert_keras.errors import InputError


def class_weights(labels: Iterable[int], n_classes: int) -> dict[int, float]:
    """Return weights under which every class that occurs counts the same in total, for `fit(class_weight=...)`.

    A class of n among N examples and C occurring classes weighs N / (C·n); one that never occurs weighs 0. The mean
    weight over the examples is 1. Source: King and Zeng 2001, as scikit-learn's "balanced".

    Args:
        labels: the class index of each training example, or of each token that is learned (`indices_in`).
        n_classes: the number of classes the model knows.

    Raises:
        InputError: there are no labels, or one lies outside 0..n_classes−1.
    """
    counts = Counter(int(label) for label in labels)
    if not counts:
        raise InputError("there are no labels to weigh: give at least one")
    strange = [label for label in counts if not 0 <= label < n_classes]
    if strange:
        raise InputError(f"label {strange[0]} lies outside 0..{n_classes - 1}: give class indices")
    share = sum(counts.values()) / len(counts)
    return {label: share / counts[label] if counts[label] else 0.0 for label in range(n_classes)}


def indices_in(dataset: tf.data.Dataset) -> Iterator[int]:
    """Yield the class indices that a dataset of (inputs, labels) trains on; labels under 0 are passed over.

    Args:
        dataset: labels are integers `[B]` or `[B, L]`. It is read once, which for a dataset of `bert_keras.data.read`
            is one of its epochs: read one of its own for this, `shuffle=False`.

    Raises:
        InputError: the labels are not one index each.
    """
    _check_labels(dataset)
    for _, labels in dataset.as_numpy_iterator():
        yield from labels[labels >= 0].tolist()


def with_class_weights(dataset: tf.data.Dataset, weights: Mapping[int, float]) -> tf.data.Dataset:
    """Return a dataset of (inputs, labels) with the weight of each label: (inputs, labels, float32 weights).

    Keras' own `class_weight` takes labels of whole texts only; this takes labels of tokens as well. A label under 0,
    which is not learned, weighs 0. `MeanCrossEntropy` divides by the sum of the weights of a batch, so weights that
    are all doubled change nothing.

    Args:
        dataset: labels are integers `[B]` or `[B, L]`.
        weights: class index -> weight; a class that is not named weighs 1.

    Raises:
        InputError: the labels are not one index each, or a weight is no number from 0 on.
    """
    _check_labels(dataset)
    for index, weight in weights.items():
        if index < 0 or not 0 <= weight < float("inf"):
            raise InputError(f"the weight of class {index} is {weight}: give class indices and numbers from 0 on")
    table = tf.constant([*(weights.get(index, 1.0) for index in range(max(weights, default=-1) + 1)), 1.0], tf.float32)

    def weighted(inputs: Any, labels: tf.Tensor) -> tuple[Any, tf.Tensor, tf.Tensor]:
        found = tf.gather(table, tf.clip_by_value(labels, 0, len(table) - 1))
        return inputs, labels, tf.where(labels >= 0, found, 0.0)

    return dataset.map(weighted)


def _check_labels(dataset: tf.data.Dataset) -> None:
    spec = dataset.element_spec
    if len(spec) != 2 or not isinstance(spec[1], tf.TensorSpec) or not spec[1].dtype.is_integer:
        raise InputError("class weights need a dataset of inputs and one class index for each text or token")
