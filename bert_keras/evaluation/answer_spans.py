"""Scores of answers to questions: spans of a context."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras import metrics
from bert_keras.errors import InputError
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation, Mistake, Span
from bert_keras.evaluation.wording import number
from bert_keras.metrics.cases import mean_cases
from bert_keras.metrics.squad import question_scores, squad_character_f1_cases

_NONE = "(no answer)"


def score_spans(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score answers by the rules of SQuAD: exact match and F1; with unanswerable questions each kind, and the
    best threshold.

    Args:
        examples: `bert_keras.data.Questions` with answers.
        answers: of each question `text`, `start`, `end`, `score`, `answers` and `null_score`.

    Raises:
        InputError: examples and answers differ in number, or the questions have no answers.
    """
    common.check_answers(examples, answers)
    if examples.answers is None:
        raise InputError(f"{examples.source} holds questions without their answers")
    references = [[text for text, _ in of_question] for of_question in examples.answers]
    predicted = [answer["text"] for answer in answers]
    exact, f1 = question_scores(predicted, references)
    right = (exact == 1).tolist()
    badness = (1 - f1).tolist()
    confidences = [answer["score"] for answer in answers]
    reliability, error = common.calibrated(right, confidences)
    lengths = common.by_length(examples.contexts, badness)
    cases = {"f1": mean_cases(f1, share=True), "exact_match": mean_cases(exact, share=True)}
    if lengths["length_unit"] == "characters":
        cases["character_f1"] = squad_character_f1_cases(predicted, references)
    threshold, notes = _unanswerable(answers, references, predicted)
    # The worst: nothing in common with a right answer, and sure of it.
    order = [bad + sure for bad, sure in zip(badness, confidences, strict=True)]
    wrong = [not each for each in right]
    return Evaluation(
        kind="spans",
        examples=len(answers),
        **common.measured(cases, {**threshold, **error}),
        reliability=reliability,
        **lengths,
        error="1 − F1",
        mistakes=[_mistake(examples, answers[row], row) for row in common.worst(order, wrong)],
        mistake_count=sum(wrong),
        notes=notes,
        predicted=predicted,
        right=right,
    )


def _unanswerable(
    answers: Sequence[dict[str, Any]], references: list[list[str]], predicted: list[str]
) -> tuple[dict[str, float], list[str]]:
    """Metrics and notes of data with questions that have no answer."""
    if all(references):
        return {}, []
    scores = metrics.squad(predicted, references)
    found = {
        f"{kind}_{name}": scores[kind][name]
        for kind in ("has_answer", "no_answer")
        if kind in scores
        for name in ("f1", "exact_match")
    }
    # What the model would answer if it had to.
    texts = [next((each["text"] for each in answer["answers"] if each["text"]), "") for answer in answers]
    best = metrics.best_null_threshold(texts, references, [answer["null_score"] for answer in answers])
    share = float(np.mean([not wanted for wanted in references]))
    notes = [
        f"never answering gives an F1 of {number(share)}",
        f"F1 is best, {number(best['f1'])}, with a null threshold of {number(best['f1_threshold'])}; choose it "
        "on other data than it is scored on",
    ]
    return {**found, "best_f1": best["f1"], "best_null_threshold": best["f1_threshold"]}, notes


def _mistake(examples: Any, answer: dict[str, Any], row: int) -> Mistake:
    right = examples.answers[row]
    return Mistake(
        text=examples.contexts[row],
        expected=" | ".join(dict.fromkeys(text for text, _ in right)) or _NONE,
        predicted=answer["text"] or _NONE,
        score=answer["score"],
        where=examples.where(row),
        pair=examples.questions[row],
        gold=tuple(Span(start, start + len(text)) for text, start in right[:1]),
        found=(Span(answer["start"], answer["end"]),) if answer["text"] else (),
    )
