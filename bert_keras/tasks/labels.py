"""The names of classes."""

from collections.abc import Sequence

from bert_keras.errors import InputError, one_for_each


def checked_labels(labels: Sequence[str], task: str, least: int = 2) -> list[str]:
    """The labels as a list of texts.

    Args:
        labels: the C names, in the order of the logits.
        task: what they are for, for messages.
        least: how many the task needs, 1 or 2.

    Raises:
        InputError: fewer labels than that, one of them twice, or one with a line end.
    """
    if isinstance(labels, str):
        raise InputError(f"labels is the text {labels!r}; pass a list of names")
    labels = [str(label) for label in labels]
    if len(labels) < least:
        raise InputError(f"{task} needs at least {'two labels' if least > 1 else 'one label'}, not {labels}")
    if len(set(labels)) < len(labels):
        raise InputError(f"a label is named twice: {labels}")
    for label in labels:
        # Exported files hold a label a line.
        if "\n" in label or "\r" in label:
            raise InputError(f"the label {label!r} has a line end in it: name it in one line")
    return labels


def checked_thresholds(thresholds: Sequence[float] | None, labels: Sequence[str]) -> list[float] | None:
    """The thresholds as a list of numbers, None where none are given.

    Args:
        thresholds: the probability from which each label is answered.
        labels: the labels.

    Raises:
        InputError: there are not as many as labels, or one is no probability.
    """
    if thresholds is None:
        return None
    numbers = one_for_each(thresholds, "thresholds", labels)
    for label, threshold in zip(labels, numbers, strict=True):
        if not 0 <= threshold <= 1:
            raise InputError(f"the threshold of {label!r} is {threshold:g}; it must be a probability from 0 to 1")
    return numbers
