"""Scores of one number an example: regression."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.data.numbers import number_targets
from bert_keras.errors import refuse_not_finite
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation
from bert_keras.evaluation.wording import number, short
from bert_keras.metrics.correlation import pearson_cases, spearman_cases
from bert_keras.metrics.regression import absolute_error_cases, squared_error_cases

_MOST_DOTS = 1000


def score_numbers(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score numbers: Pearson's and Spearman's correlation, mean squared and absolute error.

    Args:
        examples: `bert_keras.data.Rows` whose labels are numbers.
        answers: of each example `score`.

    Raises:
        InputError: examples and answers differ in number, a label is missing or no number, or an answer is not finite.
    """
    common.check_answers(examples, answers)
    true = number_targets(examples).tolist()
    predicted = [float(answer["score"]) for answer in answers]
    refuse_not_finite(np.array(predicted), "a predicted number")
    errors = [abs(wanted - given) for wanted, given in zip(true, predicted, strict=True)]
    cases = {
        "pearson": pearson_cases(true, predicted),
        "spearman": spearman_cases(true, predicted),
        "mse": squared_error_cases(true, predicted),
        "mae": absolute_error_cases(true, predicted),
    }
    wrong = [error > 0 for error in errors]
    return Evaluation(
        kind="numbers",
        examples=len(true),
        **common.measured(common.own_first(cases, examples.source)),
        scatter=dots(true, predicted),
        **common.by_length(common.joined(examples), errors),
        error="mean absolute error",
        **common.text_mistakes(examples, errors, wrong, [*map(short, true)], [*map(short, predicted)]),
        mistake_score="error",
        notes=[*constant_notes(true, predicted), *_baseline(true)],
    )


def dots(true: Sequence[float], predicted: Sequence[float]) -> list[tuple[float, float]]:
    """(right, the model's) of all examples, or of many of them evenly taken."""
    chosen = np.unique(np.linspace(0, len(true) - 1, min(len(true), _MOST_DOTS)).round().astype(int))
    return [(true[row], predicted[row]) for row in chosen]


def constant_notes(true: Sequence[float], predicted: Sequence[float]) -> list[str]:
    """Says why a correlation is undefined, if it is."""
    sides = {"right values": true, "the model's values": predicted}
    return [
        f"all {name} are {number(values[0])}: a correlation is undefined"
        for name, values in sides.items()
        if len(set(values)) == 1
    ]


def _baseline(true: Sequence[float]) -> list[str]:
    mean, variance = float(np.mean(true)), float(np.var(true))
    return [f"always answering the mean, {number(mean)}, gives a mean squared error of {number(variance)}"]
