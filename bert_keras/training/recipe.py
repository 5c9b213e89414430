"""What to compile a model with, by its task."""

import math
from typing import Any

import keras

from bert_keras.errors import InputError
from bert_keras.tasks import TASKS, task_of
from bert_keras.training.optimizers import AdamW
from bert_keras.training.schedules import WarmupLinear


def recipe(
    model: keras.Model,
    learning_rate: float = 5e-5,
    steps: int | None = None,
    warmup: float = 0.1,
    weight_decay: float = 0.01,
    clip_norm: float | None = 1.0,
    loss: keras.losses.Loss | None = None,
) -> dict[str, Any]:
    """Return the arguments for `model.compile`: optimizer, loss, metrics and `jit_compile`, all as Keras takes them.

    Fine-tuning works with rates of 2e-5 to 5e-5 and a warm-up; at 1e-3 BERT stays at chance. `trainable` must be
    set before compiling, as always in Keras: changed later, it takes effect at the next compile only.
    Source: Devlin et al. 2019, appendix A.

    Args:
        model: a model of `bert_keras.tasks`; its task decides on loss and metrics.
        learning_rate: the peak rate.
        steps: updates in the whole training (epochs × batches); None keeps the rate constant, without warm-up.
        warmup: share of `steps` over which the rate rises from 0, between 0 and 1.
        weight_decay: decoupled decay of matrices.
        clip_norm: limit of the norm over all gradients together; None does not clip.
        loss: in place of the task's own loss and metrics, such as one of `bert_keras.losses`.

    Raises:
        InputError: the task is not trained by a loss of its own, or a number makes no sense.
    """
    task = task_of(model)
    objective = TASKS[task].objective
    if objective is None:
        trained = sorted(name for name, other in TASKS.items() if other.objective)
        raise InputError(f"there is no recipe for the task {task!r}: choose one of {', '.join(trained)}")
    if not 0 <= warmup <= 1:
        raise InputError(f"warmup is {warmup}: give a share of the steps between 0 and 1")
    _check("learning_rate", learning_rate, above_zero=True)
    _check("weight_decay", weight_decay)
    if clip_norm is not None:
        _check("clip_norm", clip_norm, above_zero=True)
    rate: Any = float(learning_rate)
    if steps is not None:
        rate = WarmupLinear(rate, steps, round(warmup * steps))
    optimizer = AdamW(rate, weight_decay=weight_decay, global_clipnorm=clip_norm)
    # Batches differ in length: XLA, which Keras turns on by itself on a GPU, would compile for each one.
    aim = objective(model) if loss is None else {"loss": loss}
    return {"optimizer": optimizer, "jit_compile": False, **aim}


def _check(name: str, value: float, above_zero: bool = False) -> None:
    if not math.isfinite(value) or value < 0 or (above_zero and value == 0):
        raise InputError(f"{name} is {value}: give a number {'over 0' if above_zero else 'from 0 on'}")
