"""From the labels of a table to the numbers of a regression. Legend: N rows."""

import numpy as np

from bert_keras.data.rows import Rows
from bert_keras.data.tables import require_labels
from bert_keras.errors import InputError


def number_targets(rows: Rows) -> np.ndarray:
    """Return the number of each row, float32 [N].

    Args:
        rows: of `table`, their labels numbers such as `3.8`.

    Raises:
        InputError: the rows have no labels, or one that is no number, not finite, or beyond 32 bits.
    """
    return np.array([_number(rows.where(row), label) for row, label in enumerate(require_labels(rows))], np.float32)


def _number(where: str, label: str) -> float:
    try:
        # Python also reads 1_000.
        number = float("" if "_" in label else label)
    except ValueError:
        raise InputError(f"{where}: the label {label!r} is no number such as 3.8") from None
    if not abs(number) <= float(np.finfo(np.float32).max):
        raise InputError(f"{where}: the label {label!r} is no finite number of 32 bits")
    return number
