"""Class weights for unbalanced data."""

from collections import Counter
from collections.abc import Iterable

from bert_keras.errors import InputError


def class_weights(labels: Iterable[int], n_classes: int) -> dict[int, float]:
    """Return weights under which every class that occurs counts the same in total, for `fit(class_weight=...)`.

    A class of n among N examples and C occurring classes weighs N / (C·n); one that never occurs weighs 0. The mean
    weight over the examples is 1. Source: King and Zeng 2001, as scikit-learn's "balanced".

    Args:
        labels: the class index of each training example.
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
