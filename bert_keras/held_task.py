"""What a checkpoint's head is for, and which of its tensors are whose: its task, its labels, its rows."""

import dataclasses
from collections.abc import Mapping, Sequence

from bert_keras import tasks, weights
from bert_keras.checkpoint import Checkpoint
from bert_keras.config import EncoderConfig
from bert_keras.families import FAMILIES, class_of
from bert_keras.sentence_modules import is_sentence_model

# Tasks of one number a text, whose heads are read for each other.
_OF_ONE_NUMBER = {"text-ranking", "text-regression"}
# What cross encoders of sentence-transformers have in their config.json.
_RANKING_KEYS = ("sentence_transformers", "sbert_ce_default_activation_function")
# Heads by which a checkpoint that names no class of transformers is known.
_TELLING = {
    "classification_head": "text-classification",
    "answer_head": "question-answering",
    "rtd_head": "replaced-token-detection",
}


def held_task(checkpoint: Checkpoint) -> str | None:
    """What the checkpoint's head is for, a key of `TASKS`; None if for something that this version does not know.

    Args:
        checkpoint: what was opened.
    """
    config = checkpoint.config
    told = (config.extra.get("bert_keras") or {}).get("task")
    if isinstance(told, str) and told in tasks.TASKS and _still_holds(told, config):
        return told
    if is_sentence_model(checkpoint.folder):
        return "sentence-similarity"
    classes = {class_of(config, task): task for task in FAMILIES[config.model_type].HEADS.values()}
    for architecture in map(str, config.extra.get("architectures") or []):
        found = classes.get(architecture)
        return _kind_of_classifier(checkpoint) if found == "text-classification" else found
    held = {row.variable.split("/")[0] for row in checkpoint.rows("") if row.name in checkpoint.names}
    for head, task in _TELLING.items():
        if head in held:
            return task
    return {
        (True, True): "pretraining",
        (True, False): "fill-mask",
        (False, True): "next-sentence-prediction",
        (False, False): "feature-extraction",
    }["mlm_head" in held, "nsp_head" in held]


def _still_holds(told: str, config: EncoderConfig) -> bool:
    """Whether a checkpoint is still for the task that this package wrote it for.

    transformers keeps keys that it does not know, also where it has trained another head.
    """
    architectures = config.extra.get("architectures")
    if architectures and class_of(config, names_of(told)) not in architectures:
        return False
    kind = config.extra.get("problem_type")
    of_kind = [name for name, task in tasks.TASKS.items() if kind and task.problem_type == kind]
    return names_of(told) != "text-classification" or not of_kind or told in of_kind


def _kind_of_classifier(checkpoint: Checkpoint) -> str:
    """The task of a checkpoint of transformers' class for text classification."""
    extra = checkpoint.config.extra
    for name, task in tasks.TASKS.items():
        if task.problem_type and task.problem_type == extra.get("problem_type"):
            return name
    own = held_labels(checkpoint, checkpoint.rows("text-classification"), "text-classification")
    if len(own or []) != 1:
        return "text-classification"
    return "text-ranking" if any(key in extra for key in _RANKING_KEYS) else "text-regression"


def may_be_choice_head(checkpoint: Checkpoint, own_task: str | None) -> bool:
    """Whether a head of a class that the config does not name gives one number a text; Google's ALBERT has such.

    Args:
        checkpoint: what was opened.
        own_task: what `held_task` says of it.
    """
    if own_task != "text-classification" or checkpoint.config.extra.get("architectures"):
        return False
    return len(held_labels(checkpoint, checkpoint.rows(own_task), own_task) or []) == 1


def without_head(checkpoint: Checkpoint, own_task: str | None, task: str) -> Checkpoint:
    """The checkpoint as if it lacked the task's head, and what was tuned in it.

    Args:
        checkpoint: what was opened.
        own_task: what `held_task` says of it.
        task: a key of `TASKS`.
    """
    rows, head_layer = rows_for(checkpoint, own_task, task), tasks.TASKS[task].heads[0]
    head = {row.name for row in rows if (row.variable or "").startswith(f"{head_layer}/")}
    names = {name: own for name, own in checkpoint.names.items() if name not in head}
    left = {checkpoint.names[name]: "a head for other labels" for name in head if name in checkpoint.names}
    extra = {key: value for key, value in checkpoint.config.extra.items() if key != "bert_keras"}
    return dataclasses.replace(
        checkpoint,
        names=names,
        skipped={**checkpoint.skipped, **left},
        config=dataclasses.replace(checkpoint.config, extra=extra),
    )


def held_labels(checkpoint: Checkpoint, rows: Sequence[weights.Row], task: str) -> list[str] | None:
    """The names of the classes of the head that the checkpoint holds for a task; None if it holds none.

    Args:
        checkpoint: what was opened.
        rows: its table, with the variables of a model for the task.
        task: a key of `TASKS`.
    """
    bias = f"{tasks.TASKS[task].heads[0]}/dense/bias"
    held = [checkpoint.names[row.name] for row in rows if row.variable == bias and row.name in checkpoint.names]
    if not held:
        return None
    # Another shape than [C] is refused when it is read.
    count = next(iter(checkpoint.tensors.shape(held[0])), 0)
    named = checkpoint.config.extra.get("id2label") or {}
    return [str(named.get(str(i), f"LABEL_{i}")) for i in range(count)]


def rows_for(checkpoint: Checkpoint, own_task: str | None, task: str) -> list[weights.Row]:
    """The table of a checkpoint, with the variables of a model for a task.

    Args:
        checkpoint: what was opened.
        own_task: what `held_task` says of it.
        task: a key of `TASKS`.
    """
    return task_rows(
        checkpoint.rows(names_of(own_task or "feature-extraction")),
        task if {own_task, task} == _OF_ONE_NUMBER else own_task,
    )


def names_of(task: str) -> str:
    """The task under whose names a family keeps a task's tensors.

    Args:
        task: a key of `TASKS`.
    """
    return tasks.TASKS[task].shares or task


def task_rows(rows: Sequence[weights.Row], task: str | None) -> list[weights.Row]:
    """The rows of the task that `task` shares names with, with its own variables.

    Args:
        rows: of a family's table.
        task: a key of `bert_keras.tasks.TASKS`; None changes nothing.
    """
    renames = {} if task is None else tasks.TASKS[task].renames
    return [_renamed(row, renames) for row in rows]


def _renamed(row: weights.Row, renames: Mapping[str, str]) -> weights.Row:
    layer, slash, rest = (row.variable or "").partition("/")
    return dataclasses.replace(row, variable=f"{renames[layer]}{slash}{rest}") if layer in renames else row
