"""Scores of one choice an example: multiple choice."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bert_keras.errors import InputError
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation, Mistake
from bert_keras.evaluation.wording import number
from bert_keras.metrics.classification import accuracy_cases


def score_choices(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score choices: accuracy, calibration error.

    Args:
        examples: `bert_keras.data.Choices` with the place of each right choice, from 0.
        answers: of each example `choice`, `text` and `score`.

    Raises:
        InputError: examples and answers differ in number, or the examples have no right choices.
    """
    common.check_answers(examples, answers)
    true = examples.labels
    if true is None:
        raise InputError(f"{examples.source} does not say which choice is right")
    predicted = [answer["choice"] for answer in answers]
    right = [wanted == given for wanted, given in zip(true, predicted, strict=True)]
    wrong = [not each for each in right]
    confidences = [answer["score"] for answer in answers]
    reliability, error = common.calibrated(right, confidences)
    return Evaluation(
        kind="choices",
        examples=len(true),
        **common.measured({"accuracy": accuracy_cases(true, predicted)}, error),
        reliability=reliability,
        **common.by_length(_whole_texts(examples), wrong),
        mistakes=[
            Mistake(
                text=examples.prompts[row],
                expected=examples.choices[row][true[row]],
                predicted=examples.choices[row][predicted[row]],
                score=confidences[row],
                where=examples.where(row),
                pair="\n".join(examples.choices[row]),
            )
            for row in common.worst(confidences, wrong)
        ],
        mistake_count=sum(wrong),
        notes=_notes(examples),
        predicted=predicted,
        right=right,
    )


def _whole_texts(examples: Any) -> list[str]:
    return [" ".join([prompt, *choices]) for prompt, choices in zip(examples.prompts, examples.choices, strict=True)]


def _notes(examples: Any) -> list[str]:
    chance = sum(1 / len(choices) for choices in examples.choices) / len(examples)
    place, times = Counter(examples.labels).most_common(1)[0]
    return [
        f"guessing gives an accuracy of {number(chance)}, always taking choice {place + 1} one of "
        f"{number(times / len(examples))}"
    ]
