"""What the scores of several kinds share. N examples."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bert_keras import metrics
from bert_keras.errors import InputError
from bert_keras.evaluation.lengths import length_bins
from bert_keras.evaluation.result import Mistake
from bert_keras.evaluation.wording import count, number
from bert_keras.metrics.bootstrap import cases_interval
from bert_keras.metrics.cases import Cases
from bert_keras.metrics.glue import GLUE

_GLUE = "tfds:glue/"

_MOST_MISTAKES = 100
_MOST_NAMES = 10


def check_answers(examples: Any, answers: Sequence[Any]) -> None:
    """Raise InputError unless there is an answer to each of one or more examples."""
    if len(examples) != len(answers):
        raise InputError(f"{examples.source}: there are {len(examples)} examples and {len(answers)} answers")
    if not len(examples):
        raise InputError(f"{examples.source} holds no examples to score")


def measured(cases: dict[str, Cases], others: Mapping[str, float] | None = None) -> dict[str, Any]:
    """The fields of an evaluation that its metrics fill.

    Args:
        cases: the metrics that have an interval, the main one first.
        others: those that have none.
    """
    values = {name: each.value for name, each in cases.items()}
    intervals = {name: cases_interval(each) for name, each in cases.items() if np.isfinite(values[name])}
    return {"metrics": {**values, **(others or {})}, "intervals": intervals, "cases": cases}


def by_length(texts: Sequence[str], errors: Sequence[float]) -> dict[str, Any]:
    """The fields of an evaluation that say which lengths are wrong.

    Args:
        texts: N texts.
        errors: the error of each.
    """
    bins, unit = length_bins(texts, errors)
    return {"lengths": bins, "length_unit": unit}


def calibrated(right: Sequence[bool], confidences: Sequence[float]) -> tuple[list[dict[str, float]] | None, dict]:
    """Bins of reliability and the calibration error as a metric; nothing where nothing was answered.

    Args:
        right: whether each answer is right.
        confidences: the probability of each; rounding may have put it beyond 0 or 1.
    """
    if not len(confidences):
        return None, {}
    sure = np.clip(np.asarray(confidences, np.float64), 0, 1).tolist()
    bins = [each for each in metrics.reliability(right, sure) if each["count"]]
    return bins, {"calibration_error": metrics.calibration_error(right, sure)}


def worst(badness: Sequence[float], wrong: Sequence[bool]) -> list[int]:
    """The numbers of the worst wrong examples, the worst first.

    Args:
        badness: of each example; the greater the worse.
        wrong: whether each is a mistake at all.
    """
    found = [place for place, is_wrong in enumerate(wrong) if is_wrong]
    return sorted(found, key=lambda place: -badness[place])[:_MOST_MISTAKES]


def text_mistakes(
    examples: Any, badness: Sequence[float], wrong: Sequence[bool], expected: Sequence[str], predicted: Sequence[str]
) -> dict[str, Any]:
    """The fields of an evaluation that tell the mistakes in texts or pairs; the score of one is how bad it is.

    Args:
        examples: with `texts`, `pairs` and `where`.
        badness, wrong: as for `worst`.
        expected, predicted: the right answer to each example and the model's, as text.
    """
    mistakes = [
        Mistake(
            text=examples.texts[row],
            expected=expected[row],
            predicted=predicted[row],
            score=badness[row],
            where=examples.where(row),
            pair=examples.pairs[row] if examples.pairs else None,
        )
        for row in worst(badness, wrong)
    ]
    return {"mistakes": mistakes, "mistake_count": sum(wrong)}


def glue_task(source: str) -> str | None:
    """The GLUE task that a source of examples names, such as `tfds:glue/mrpc:validation`, or None."""
    name = source.removeprefix(_GLUE).split(":")[0].split("/")[0]
    return name if source.startswith(_GLUE) and name in GLUE else None


def own_first(cases: dict[str, Cases], source: str) -> dict[str, Cases]:
    """The metrics, a GLUE task's own ones first.

    Args:
        cases: by the name of the metric.
        source: of the examples.
    """
    task = glue_task(source)
    own = [name for name in GLUE[task] if name in cases] if task else []
    return {name: cases[name] for name in [*own, *cases]}


def joined(examples: Any) -> list[str]:
    """The texts of examples, each with its second text."""
    if not examples.pairs:
        return list(examples.texts)
    return [f"{text} {pair}" for text, pair in zip(examples.texts, examples.pairs, strict=True)]


def class_notes(true: Sequence[str], known: Sequence[str]) -> list[str]:
    """What a reader should know of how often each label is right.

    Args:
        true: the right label of each example.
        known: all labels of the model.
    """
    (most, times), *others = Counter(true).most_common()
    if not others:
        return [f"all {count(len(true), 'example')} have one class, {most!r}: the scores say nothing about the others"]
    share = number(times / len(true))
    notes = [f"always answering {most!r}, the most frequent label, gives an accuracy of {share}"]
    missing = [name for name in known if name not in set(true)]
    if missing:
        notes.append(f"no example has the label {listed(missing)}")
    return notes


def listed(names: Sequence[str]) -> str:
    """Names for a sentence, the first of many."""
    shown = ", ".join(map(repr, names[:_MOST_NAMES]))
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
