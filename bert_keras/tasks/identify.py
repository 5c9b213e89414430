"""Which task a model is for: the names of its head's layers tell, also after Keras saved and loaded it."""

from typing import Any

import keras

from bert_keras.encoder import config_of
from bert_keras.tasks.registry import TASKS

_BY_HEADS = {frozenset(task.heads): name for name, task in TASKS.items()}


def task_of(model: keras.Model) -> str:
    """The name of the model's task, a key of `TASKS`.

    Args:
        model: a model that a function of this package made.
    """
    heads = frozenset().union(*_BY_HEADS)
    return _BY_HEADS[frozenset(layer.name for layer in model.layers) & heads]


def labels_of(model: keras.Model) -> list[str] | None:
    """The names of the classes in the order of the logits, None for a task without classes.

    Args:
        model: a model that a function of this package made.
    """
    task = TASKS[task_of(model)]
    if task.has_labels:
        return list(model.get_layer(task.heads[0]).labels)
    return list(task.labels) or None


def options_of(model: keras.Model) -> dict[str, Any]:
    """What the model's head carries for those who read its answers, such as thresholds.

    Args:
        model: a model that a function of this package made.
    """
    task = TASKS[task_of(model)]
    return {name: getattr(model.get_layer(task.heads[0]), name) for name in task.options}


def answer_of(model: keras.Model) -> dict[str, Any] | None:
    """The kind of the model's answers and their settings beside labels; None where it has none.

    Args:
        model: a model that a function of this package made.
    """
    task = TASKS[task_of(model)]
    if task.answer is None:
        return None
    settings: dict[str, Any] = {"kind": task.answer, **options_of(model)}
    settings.pop("max_length", None)  # whatever runs the model has its own
    if task.needs_pairs:
        settings["needs_pairs"] = True
    return settings


def usual_length(model: keras.Model) -> int:
    """The most tokens of a row where nobody says otherwise: the model's own number, its task's, or all its positions.

    Args:
        model: a model that a function of this package made.
    """
    usual = options_of(model).get("max_length") or TASKS[task_of(model)].max_length
    longest = config_of(model).max_length
    return longest if usual is None else min(usual, longest)
