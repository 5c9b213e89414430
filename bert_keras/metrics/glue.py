"""The metrics of each GLUE task, as its leaderboard has them. Source: Wang et al. 2019, table 1."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial

from bert_keras.errors import InputError
from bert_keras.metrics.classification import accuracy, f1, matthews
from bert_keras.metrics.correlation import pearson, spearman

# TFDS' name of the task -> its metrics by name; "f1" is that of the positive label.
GLUE: dict[str, dict[str, Callable[..., float]]] = {
    "cola": {"matthews": matthews},
    "sst2": {"accuracy": accuracy},
    "mrpc": {"accuracy": accuracy, "f1": f1},
    "qqp": {"accuracy": accuracy, "f1": f1},
    "stsb": {"pearson": pearson, "spearman": spearman},
    "mnli": {"accuracy": accuracy},
    "mnli_matched": {"accuracy": accuracy},
    "mnli_mismatched": {"accuracy": accuracy},
    "qnli": {"accuracy": accuracy},
    "rte": {"accuracy": accuracy},
    "wnli": {"accuracy": accuracy},
    "ax": {"matthews": matthews},
}
# The label whose F1 counts: class 1 of TFDS.
POSITIVE = {"mrpc": "equivalent", "qqp": "duplicate"}


def glue_metrics(task: str, positive: Hashable = None) -> dict[str, Callable[[Sequence, Sequence], float]]:
    """Return the metrics of a GLUE task by name, functions of the true and the predicted labels.

    Args:
        task: a key of `GLUE`, with or without "glue/" before it.
        positive: the label whose F1 counts in MRPC and QQP; by default "equivalent" and "duplicate".

    Raises:
        InputError: there is no such task.
    """
    name = task.removeprefix("glue/")
    if name not in GLUE:
        raise InputError(f"there is no GLUE task {task!r}: choose one of {', '.join(GLUE)}")
    label = POSITIVE.get(name) if positive is None else positive
    return {
        metric: partial(function, average="binary", positive=label) if metric == "f1" else function
        for metric, function in GLUE[name].items()
    }


def glue(task: str, true: Sequence, predicted: Sequence, positive: Hashable = None) -> dict[str, float]:
    """Return the scores of a GLUE task by name.

    Args:
        task: a key of `GLUE`, with or without "glue/" before it.
        true: the right labels, numbers for STS-B.
        predicted: as many predicted ones.
        positive: the label whose F1 counts in MRPC and QQP; by default "equivalent" and "duplicate".

    Raises:
        InputError: there is no such task, or the lists cannot be scored.
    """
    return {name: metric(true, predicted) for name, metric in glue_metrics(task, positive).items()}
