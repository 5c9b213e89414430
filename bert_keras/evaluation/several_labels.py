"""Scores of any number of labels an example. N examples, C labels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras import metrics
from bert_keras.data.label_indices import multi_targets
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation
from bert_keras.metrics.multi_label import multi_label_f1_cases, subset_accuracy_cases

_NONE = "(none)"


def score_label_lists(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score lists of labels: micro, macro and per-example F1, share of examples with exactly the right labels.

    Args:
        examples: `bert_keras.data.Rows` with lists of labels.
        answers: of each example `labels`, those that reach their threshold, and `scores` of all.

    Raises:
        InputError: examples and answers differ in number, or labels are missing or unknown to the model.
    """
    common.check_answers(examples, answers)
    known = list(answers[0]["scores"])
    marks = multi_targets(examples, known)  # [N, C]
    true = [[known[place] for place in np.flatnonzero(row)] for row in marks]
    predicted = [answer["labels"] for answer in answers]
    right = [set(wanted) == set(given) for wanted, given in zip(true, predicted, strict=True)]
    wrong = [not each for each in right]
    scores = np.array([[answer["scores"][name] for name in known] for answer in answers])
    worst_error = np.abs(scores - marks).max(axis=1).tolist()
    # A probability of each decision: how often is a label right that has this much?
    reliability, error = common.calibrated((marks.ravel() == 1).tolist(), scores.ravel().tolist())
    table = metrics.multi_label(true, predicted, known)
    cases = {
        "micro_f1": multi_label_f1_cases(true, predicted, "micro", known),
        "macro_f1": multi_label_f1_cases(true, predicted, "macro", known),
        "samples_f1": multi_label_f1_cases(true, predicted, "samples", known),
        "subset_accuracy": subset_accuracy_cases(true, predicted),
    }
    return Evaluation(
        kind="multi-label",
        examples=len(true),
        **common.measured(cases, {"hamming_loss": table["hamming_loss"], **error}),
        classes=table["labels"],
        reliability=reliability,
        **common.by_length(common.joined(examples), wrong),
        **common.text_mistakes(examples, worst_error, wrong, [*map(_listed, true)], [*map(_listed, predicted)]),
        mistake_score="greatest error of a probability",
        notes=_notes(true, known),
        predicted=[frozenset(given) for given in predicted],
        right=right,
    )


def _notes(true: Sequence[Sequence[str]], known: Sequence[str]) -> list[str]:
    occurring = {name for wanted in true for name in wanted}
    missing = [name for name in known if name not in occurring]
    return [f"no example has the label {common.listed(missing)}, whose F1 counts as 0"] if missing else []


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or _NONE
