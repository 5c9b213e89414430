"""What is set in a trained model's head by its answers to held-out examples."""

from collections.abc import Sequence
from typing import Any

import keras

from bert_keras.errors import InputError
from bert_keras.tasks import TASKS, task_of


def tune(model: keras.Model, examples: Any, answers: Sequence[dict[str, Any]]) -> str:
    """Set what the task has to tune, such as the thresholds of labels; it is saved and exported with the model.

    Args:
        model: trained.
        examples: held-out ones, as the reader of the task's examples returns them; never the test data.
        answers: what `bert_keras.export.ModelPredictor(model, tokenizer)(examples.texts, examples.pairs)` returns.

    Returns:
        What was set, in a sentence.

    Raises:
        InputError: the task has nothing to tune, or the examples have no answers to compare with.
    """
    name = task_of(model)
    tuning = TASKS[name].tune
    if tuning is None:
        having = ", ".join(each for each, task in TASKS.items() if task.tune)
        raise InputError(f"there is nothing to tune for {name}; tasks with something are {having}")
    return tuning(model, examples, answers)
