"""From the labels of a table to the classes of a model. Legend: N rows, C classes."""

from collections.abc import Sequence

import numpy as np

from bert_keras.data.rows import Rows
from bert_keras.data.tables import require_label_lists, require_labels
from bert_keras.errors import InputError


def targets(rows: Rows, known: list[str] | None) -> np.ndarray:
    """Return the index of each row's label, int32 [N].

    Args:
        rows: of `table`; they hold the names of labels, or their indices.
        known: the model's labels in order, as `tasks.labels_of` gives them.

    Raises:
        InputError: the model has no labels or does not know one of the rows'; or the rows have none.
    """
    return np.array(_indices(rows, range(len(rows)), require_labels(rows), known), np.int32)


def multi_targets(rows: Rows, known: list[str] | None) -> np.ndarray:
    """Return which labels each row has, float32 [N, C] of 0 and 1.

    Args:
        rows: of `table`; they hold lists of labels, or one label each, by name or index.
        known: the model's labels in order, as `tasks.labels_of` gives them.

    Raises:
        InputError: as `targets`.
    """
    lists = require_label_lists(rows)
    owners = [row for row, names in enumerate(lists) for _ in names]
    indices = _indices(rows, owners, [name for names in lists for name in names], known)
    marks = np.zeros((len(rows), len(known or ())), np.float32)
    marks[owners, indices] = 1
    return marks


def _indices(rows: Rows, owners: Sequence[int], found: list[str], known: list[str] | None) -> list[int]:
    """The index of each label; `owners` are the rows that have them."""
    if known is None:
        raise InputError("the model has no labels: load it with a task that has some, such as text-classification")
    indices = {name: index for index, name in enumerate(known)}
    if not set(found) <= set(indices) and not any(name.isdecimal() for name in known):
        # A file may hold indices. Not where names are numbers themselves: "1" would have two meanings.
        by_index = {str(index): index for index in range(len(known))}
        indices = by_index if set(found) <= set(by_index) else indices
    for row, name in zip(owners, found, strict=True):
        if name not in indices:
            raise InputError(
                f"{rows.where(row)}: the model does not know the label {name!r}; it knows {', '.join(known)}"
            )
    return [indices[name] for name in found]
