"""Scores of one label an example: text classification, next sentence."""

from collections.abc import Sequence
from typing import Any

from bert_keras import metrics
from bert_keras.data.label_indices import targets
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation
from bert_keras.metrics.classification import accuracy_cases, f1_cases, matthews_cases
from bert_keras.metrics.glue import POSITIVE


def score_labels(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score labels: accuracy, macro F1, Matthews' correlation, F1 of the second of two labels, calibration error.

    Args:
        examples: `bert_keras.data.Rows` with labels: names that the model knows, or their places.
        answers: of each example `label`, `score` and `scores`.

    Raises:
        InputError: examples and answers differ in number, or a label is missing or unknown to the model.
    """
    common.check_answers(examples, answers)
    known = list(answers[0]["scores"])
    true = [known[index] for index in targets(examples, known)]
    predicted = [answer["label"] for answer in answers]
    right = [name == given for name, given in zip(true, predicted, strict=True)]
    wrong = [not each for each in right]
    confidences = [answer["score"] for answer in answers]
    notes = common.class_notes(true, known)

    cases = {"accuracy": accuracy_cases(true, predicted), "macro_f1": f1_cases(true, predicted)}
    positive = _positive(examples.source, known)
    if positive in {*true, *predicted}:
        cases["f1"] = f1_cases(true, predicted, "binary", positive)
        notes.append(f"F1 is of the label {positive!r}")
    cases["matthews"] = matthews_cases(true, predicted)
    reliability, error = common.calibrated(right, confidences)
    table = metrics.precision_recall(true, predicted)
    return Evaluation(
        kind="labels",
        examples=len(true),
        **common.measured(common.own_first(cases, examples.source), error),
        classes={name: table[name] for name in known if name in table},
        confusion={"labels": known, "matrix": metrics.confusion_matrix(true, predicted, known)},
        reliability=reliability,
        **common.by_length(common.joined(examples), wrong),
        **common.text_mistakes(examples, confidences, wrong, true, predicted),
        notes=notes,
        predicted=predicted,
        right=right,
    )


def _positive(source: str, known: list[str]) -> str | None:
    """Which of two labels F1 is about: the second, but for GLUE tasks the one of their paper."""
    if len(known) != 2:
        return None
    named = POSITIVE.get(common.glue_task(source) or "")
    return named if named in known else known[1]
