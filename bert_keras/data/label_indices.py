"""From the labels of a table to the classes of a model. Legend: N rows."""

import numpy as np

from bert_keras.data.rows import Rows
from bert_keras.data.tables import require_labels
from bert_keras.errors import InputError


def targets(rows: Rows, known: list[str] | None) -> np.ndarray:
    """Return the index of each row's label, int32 [N].

    Args:
        rows: of `table`; they hold the names of labels, or their indices.
        known: the model's labels in order, as `tasks.labels_of` gives them.

    Raises:
        InputError: the model has no labels or does not know one of the rows'; or the rows have none.
    """
    if known is None:
        raise InputError("the model has no labels: load it with a task that has some, such as text-classification")
    found = require_labels(rows)
    indices = {name: index for index, name in enumerate(known)}
    if not set(found) <= set(indices) and not any(name.isdecimal() for name in known):
        # A file may hold indices. Not where names are numbers themselves: "1" would have two meanings.
        by_index = {str(index): index for index in range(len(known))}
        indices = by_index if set(found) <= set(by_index) else indices
    for row, name in enumerate(found):
        if name not in indices:
            raise InputError(
                f"{rows.where(row)}: the model does not know the label {name!r}; it knows {', '.join(known)}"
            )
    return np.array([indices[name] for name in found], np.int32)
