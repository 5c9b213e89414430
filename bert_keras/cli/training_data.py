"""What finetune does with its examples before and after the training."""

from collections.abc import Sequence
from typing import Any

from bert_keras.data.kinds import Kind, scores_of
from bert_keras.evaluation import SCORES, texts_to_answer
from bert_keras.export import ModelPredictor
from bert_keras.pretrained import load_for_labels, load_with_report
from bert_keras.tasks import TASKS, task_of


def opened_for(
    source: str, task: str, examples: Any, kind: Kind, labels: str | None, chosen: dict[str, Any]
) -> tuple[Any, Any, str]:
    """The model for a task and for the labels of its examples, its tokenizer, and which of its layers are new.

    Args:
        source: as for `bert_keras.load`.
        task: a key of `TASKS`.
        examples: to train on.
        kind: of the examples.
        labels: names of the labels divided by commas; None for those of the examples.
        chosen: options of the task.
    """
    options = {**(kind.options(examples) if kind.options else {}), **chosen}
    if TASKS[task].has_labels and kind.labels:
        names = [name.strip() for name in labels.split(",")] if labels else kind.labels(examples)
        model, tokenizer, report = load_for_labels(source, task, names, **options)
    else:
        model, tokenizer, report = load_with_report(source, task, **options)
    new = list(dict.fromkeys(path.split("/")[0] for path in report.new))
    if kind.begin is not None and TASKS[task].heads[0] in new:
        kind.begin(examples, model)
    return model, tokenizer, ", ".join(new)


def same_loss(kind: Kind, held_out: Any, loss: Any) -> bool:
    """Whether held-out examples have batches for the loss of the training: scored pairs have none for InfoNCE.

    Args:
        kind: of the examples.
        held_out: examples.
        loss: that the examples to train on ask for; None for the task's own.
    """
    if kind.loss is None:
        return True
    other = kind.loss(held_out)
    return type(other) is type(loss) and other.get_config() == loss.get_config()


def validation_scores(
    model: Any, tokenizer: Any, held_out: Any, max_length: int | None, batch_size: int
) -> tuple[dict[str, float], str]:
    """The task's metrics on held-out examples, and what was tuned in the head on them.

    Args:
        model, tokenizer: after training.
        held_out: examples; None gives nothing.
        max_length, batch_size: as they were in training.
    """
    task = TASKS[task_of(model)]
    scores = None if held_out is None else scores_of(task.name, held_out)
    if scores is None:
        return {}, ""
    texts, pairs = texts_to_answer(scores, held_out)
    answers: Sequence[dict[str, Any]] = ModelPredictor(model, tokenizer, max_length)(texts, pairs, batch_size)
    tuned = ""
    if task.tune is not None:
        tuned = task.tune(model, held_out, answers)
        answers = ModelPredictor(model, tokenizer, max_length)(texts, pairs, batch_size)
    return SCORES[scores](held_out, answers).metrics, tuned
