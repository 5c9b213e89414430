"""Errors that are the user's to fix, and a check that every part shares."""

import math
from typing import Any


class InputError(ValueError):
    """Input that cannot be used; the message says what was wrong, where, and what would be right."""


def refuse_not_finite(array: Any, name: str) -> None:
    """Raise InputError when an array of weights holds NaN or infinity.

    Args:
        array: a NumPy array of any shape.
        name: what holds it, for the message.

    Raises:
        InputError: a number is not finite.
    """
    # A sum is not finite if any number is not; it needs no array of the same size.
    if not math.isfinite(array.sum(dtype="float64")):
        raise InputError(f"{name} holds NaN or infinity: the training diverged; train anew at a lower learning rate")
