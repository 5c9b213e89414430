"""An evaluation as sentences and tables, for a terminal."""

from collections.abc import Sequence

from bert_keras.evaluation.result import Evaluation
from bert_keras.evaluation.wording import count, interval, metric_name, number

Table = tuple[str, Sequence[str], list[list[str]]]

# A wider matrix fits no terminal: the most frequent confusions are listed instead.
_WIDEST_MATRIX = 10
_MOST_CONFUSED = 20
_CLASS_METRICS = {"precision": "precision", "recall": "recall", "f1": "F1", "support": "count"}


def summary(evaluation: Evaluation) -> str:
    """The metrics, their intervals and the notes, a line each."""
    return "\n".join(lines(evaluation))


def lines(evaluation: Evaluation) -> list[str]:
    """The lines of `summary`: the main metric and the number of examples first, then other metrics, then notes."""
    metrics = [_sentence(evaluation, name) for name in evaluation.metrics]
    metrics[0] = f"{count(evaluation.examples, 'example')}: {metrics[0]}"
    return [*metrics, *evaluation.notes]


def tables(evaluation: Evaluation) -> list[Table]:
    """Tables as (title, header, rows): the classes, and what is taken for what."""
    made: list[Table] = []
    if evaluation.classes:
        made.append(("each class", *class_rows(evaluation)))
    if evaluation.confusion is not None and len(evaluation.confusion["labels"]) <= _WIDEST_MATRIX:
        labels, matrix = evaluation.confusion["labels"], evaluation.confusion["matrix"]
        rows = [[name, *map(count, row)] for name, row in zip(labels, matrix, strict=True)]
        made.append(("what is taken for what", ["is \\ taken for", *labels], rows))
    elif evaluation.confusion is not None:
        made.append(("what is taken for what", ["is", "taken for", "times"], confused(evaluation)))
    return made


def class_rows(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of classes."""
    classes = evaluation.classes or {}
    rows = [
        [label, *(count(scores[name]) if name == "support" else number(scores[name]) for name in _CLASS_METRICS)]
        for label, scores in classes.items()
    ]
    return ["class", *_CLASS_METRICS.values()], rows


def confused(evaluation: Evaluation) -> list[list[str]]:
    """Rows (right label, the model's, how often) of the most frequent confusions."""
    assert evaluation.confusion is not None
    labels, matrix = evaluation.confusion["labels"], evaluation.confusion["matrix"]
    found = [
        (times, labels[row], labels[column])
        for row, counts in enumerate(matrix)
        for column, times in enumerate(counts)
        if times and row != column
    ]
    found.sort(key=lambda each: -each[0])
    return [[right, given, count(times)] for times, right, given in found[:_MOST_CONFUSED]]


def _sentence(evaluation: Evaluation, name: str) -> str:
    ends = evaluation.intervals.get(name)
    said = f"{metric_name(name)} {number(evaluation.metrics[name])}"
    return f"{said} (95 % interval {interval(*ends)})" if ends else said
