"""Errors that are the user's to fix, and checks that parts share."""

import math
from collections.abc import Sequence
from numbers import Integral, Real
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


def yes_or_no(value: Any, name: str) -> bool:
    """A setting that is on or off.

    Args:
        value: what was given.
        name: what it is called, for the message.

    Raises:
        InputError: it is neither true nor false.
    """
    if not isinstance(value, bool):
        raise InputError(f"{name} is {value!r}; it must be true or false")
    return value


def whole_number(value: Any, name: str, least: int = 1) -> int:
    """A setting that counts something.

    Args:
        value: what was given.
        name: what it is called, for the message.
        least: the lowest number that it may be.

    Raises:
        InputError: it is no whole number, or a lower one.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name} is {value!r}; it must be a whole number, {least} or more")
    return int(value)


def finite_number(value: Any, name: str) -> float:
    """A setting that measures something.

    Args:
        value: what was given.
        name: what it is called, for the message.

    Raises:
        InputError: it is no number, NaN or infinite.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise InputError(f"{name} is {value!r}; it must be a number")
    return float(value)


def one_for_each(values: Any, name: str, labels: Sequence[str]) -> list[float]:
    """A number for each label.

    Args:
        values: what was given.
        name: what they are called, for the message.
        labels: the labels.

    Raises:
        InputError: they are no list of as many numbers.
    """
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise InputError(f"{name} is {values!r}; it must be a list of numbers, one for each label")
    if len(values) != len(labels):
        raise InputError(f"there are {len(values)} {name} for {len(labels)} labels; each label needs one")
    return [finite_number(value, f"{name}[{place}]") for place, value in enumerate(values)]
