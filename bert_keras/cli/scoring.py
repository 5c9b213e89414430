"""A model's answers to examples, and their scores."""

from pathlib import Path
from typing import Any

from bert_keras.cli.progress import progress_bar
from bert_keras.data import kind_of
from bert_keras.data.kinds import Kind, scores_of
from bert_keras.errors import InputError
from bert_keras.evaluation import SCORES, Evaluation, texts_to_answer
from bert_keras.export import Predictor, predictor
from bert_keras.tasks import TASKS

# Texts between two movements of the bar.
_STEP = 512


def opened_for_scores(path: Path, max_length: int | None, task: str | None = None) -> tuple[Predictor, Kind]:
    """A predictor and the kind of examples on which it can be scored.

    Args:
        path: a folder, a `.tflite` file or a SavedModel.
        max_length: tokens of a row; the model's if None.
        task: what it must be for.

    Raises:
        InputError: its task has no scores, or is another.
    """
    opened = predictor(path, max_length)
    if TASKS[opened.task].scores is None:
        scored = ", ".join(sorted(name for name, other in TASKS.items() if other.scores))
        raise InputError(f"{path} is for {opened.task}, which has no scores; tasks that have some are {scored}")
    if task is not None and opened.task != task:
        raise InputError(f"{path} is for {opened.task} and the model for {task}: compare models of one task")
    return opened, kind_of(opened.task)


def scored(opened: Predictor, examples: Any, batch_size: int) -> tuple[Evaluation, list[dict[str, Any]]]:
    """The scores of a model on examples, and its answers.

    Args:
        opened: the model.
        examples: of the kind of its task.
        batch_size: rows in a batch.
    """
    scores = scores_of(opened.task, examples)
    if scores is None:
        raise InputError(
            f"{examples.source} holds no right answers to score: give texts with [MASK] and the words in a column label"
        )
    answers = answered(opened, *texts_to_answer(scores, examples), batch_size)
    return SCORES[scores](examples, answers), answers


def answered(opened: Predictor, texts: Any, pairs: Any, batch_size: int) -> list[dict[str, Any]]:
    """The answers to texts, with a bar while it takes long.

    Args:
        opened: the model.
        texts, pairs: as it takes them.
        batch_size: rows in a batch.
    """
    answers: list[dict[str, Any]] = []
    with progress_bar("answering") as progress:
        for start in range(0, len(texts), _STEP):
            part = slice(start, start + _STEP)
            answers += opened(texts[part], None if pairs is None else pairs[part], batch_size)
            progress(len(answers), len(texts))
    return answers
