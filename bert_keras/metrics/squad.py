"""Scores of extracted answers, by the rules of the official SQuAD scripts.

Source: Rajpurkar et al. 2016 (`evaluate-v1.1.py`) and 2018 (`evaluate-v2.0.py`). Those scripts give percent; these
functions give shares from 0 to 1.
"""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.metrics.cases import Cases, mean_cases
from bert_keras.metrics.checks import check_no_nan, check_pairs

References = Sequence[Sequence[str]]

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalized_answer(text: str) -> str:
    """Return a text in small letters without ASCII punctuation, the articles a, an, the, and spare white space."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(prediction: str, answer: str) -> float:
    """Return 1 if both are equal when normalised, else 0.

    Args:
        prediction: the text found.
        answer: a right one.
    """
    return float(normalized_answer(prediction) == normalized_answer(answer))


def token_f1(prediction: str, answer: str) -> float:
    """Return F1 of the words of the normalised texts; where one has no word, whether both have none (2.0's rule).

    Args:
        prediction: the text found.
        answer: a right one.
    """
    return _overlap(normalized_answer(prediction).split(), normalized_answer(answer).split())


def character_f1(prediction: str, answer: str) -> float:
    """Return F1 of the characters without white space and punctuation: not official, for scripts without spaces.

    Args:
        prediction: the text found.
        answer: a right one.
    """
    return _overlap(_characters(prediction), _characters(answer))


def squad(predictions: Sequence[str], references: References) -> dict[str, Any]:
    """Return "exact_match", "f1" and "total" of answers; the best of several references counts.

    If a question has no answer, the rules are those of SQuAD 2.0 (right is the empty text; a reference that
    normalises to nothing is none), and "has_answer" and "no_answer" give the same for each kind of question that
    occurs. Else the rules are those of 1.1. They differ only in references such as "the", with nothing left.

    Args:
        predictions: one text a question, empty where the model finds no answer.
        references: the right texts of each question; none where the question has no answer.

    Raises:
        InputError: the lists are empty or of different lengths, or a reference is no list.
    """
    exact, f1 = question_scores(predictions, references)
    kinds = np.array([bool(answers) for answers in references])
    scores = _means(exact, f1)
    if not kinds.all():
        scores |= {
            name: _means(exact[chosen], f1[chosen])
            for name, chosen in (("has_answer", kinds), ("no_answer", ~kinds))
            if chosen.any()
        }
    return scores


def squad_exact_match(predictions: Sequence[str], references: References) -> float:
    """Return the share of questions answered exactly, as in `squad`.

    Args:
        predictions: one text a question.
        references: the right texts of each question.
    """
    return squad_exact_match_cases(predictions, references).value


def squad_f1(predictions: Sequence[str], references: References) -> float:
    """Return the mean F1 of the answers, as in `squad`.

    Args:
        predictions: one text a question.
        references: the right texts of each question.
    """
    return squad_f1_cases(predictions, references).value


def squad_character_f1(predictions: Sequence[str], references: References) -> float:
    """Return the mean of the best `character_f1` of each question: not official, for scripts without spaces.

    Args:
        predictions: one text a question.
        references: the right texts of each question; none where the question has no answer.
    """
    return squad_character_f1_cases(predictions, references).value


def best_null_threshold(
    predictions: Sequence[str], references: References, null_scores: Sequence[float]
) -> dict[str, float]:
    """Return from which null score on to give no answer, so that exact match and so that F1 is highest.

    A question is left without an answer where its null score is *above* the threshold. Gives "exact_match",
    "exact_match_threshold", "f1" and "f1_threshold". The thresholds are those of `find_all_best_thresh` in
    `evaluate-v2.0.py`, save that equal null scores are never parted, and that where no answer at all is best, the
    threshold is below all null scores (the script's 0.0 is so for probabilities only).

    Args:
        predictions: the best answer to each question, whatever its null score.
        references: the right texts of each question; none where the question has no answer.
        null_scores: how much more likely no answer is, such as null score − score of the best answer.

    Raises:
        InputError: the lists are empty or of different lengths, or a null score is NaN.
    """
    check_pairs(null_scores, predictions)
    exact, f1 = question_scores(predictions, references, version_2=True)
    unanswerable = np.array([not answers for answers in references])
    nulls = np.asarray(null_scores, np.float64)
    check_no_nan(nulls, "the null score")
    exact_value, exact_threshold = _best_threshold(exact, unanswerable, nulls)
    f1_value, f1_threshold = _best_threshold(f1, unanswerable, nulls)
    return {
        "exact_match": exact_value,
        "exact_match_threshold": exact_threshold,
        "f1": f1_value,
        "f1_threshold": f1_threshold,
    }


def question_scores(
    predictions: Sequence[str], references: References, version_2: bool | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return exact match and F1 of each question, float64 `[N]` each, as `squad` averages them.

    Args:
        predictions: one text a question.
        references: the right texts of each question; none where the question has no answer.
        version_2: go by the rules of 2.0; by default if a question has no answer.

    Raises:
        InputError: as `squad`.
    """
    _check(predictions, references)
    if version_2 is None:
        version_2 = not all(references)
    scores = []
    for prediction, answers in zip(predictions, references, strict=True):
        kept = [answer for answer in answers if normalized_answer(answer)]
        # In 1.1 a reference of nothing is matched exactly by nothing, and has no word in common with it.
        f1 = _best(token_f1, prediction, kept) if kept or version_2 else 0.0
        scores.append((_best(exact_match, prediction, kept if version_2 else answers), f1))
    exact, f1s = np.array(scores).T
    return exact, f1s


def squad_exact_match_cases(predictions: Sequence[str], references: References) -> Cases:
    """Return the cases of `squad_exact_match`."""
    return mean_cases(question_scores(predictions, references)[0], share=True)


def squad_f1_cases(predictions: Sequence[str], references: References) -> Cases:
    """Return the cases of `squad_f1`."""
    return mean_cases(question_scores(predictions, references)[1], share=True)


def squad_character_f1_cases(predictions: Sequence[str], references: References) -> Cases:
    """Return the cases of `squad_character_f1`."""
    _check(predictions, references)
    values = [_best(character_f1, *pair) for pair in zip(predictions, references, strict=True)]
    return mean_cases(values, share=True)


def _best(score: Callable[[str, str], float], prediction: str, answers: Sequence[str]) -> float:
    return max(score(prediction, answer) for answer in answers or [""])


def _check(predictions: Sequence[str], references: References) -> None:
    check_pairs(references, predictions)
    for row, answers in enumerate(references, start=1):
        if isinstance(answers, str):
            raise InputError(f"reference {row} is the text {answers!r}: give a list of texts, such as [{answers!r}]")


def _overlap(found: list[str], right: list[str]) -> float:
    """F1 of two bags."""
    if not found or not right:
        return float(found == right)
    return 2 * (Counter(found) & Counter(right)).total() / (len(found) + len(right))


def _characters(text: str) -> list[str]:
    kept = (c for c in normalized_answer(text) if not c.isspace())
    return [c for c in kept if not unicodedata.category(c).startswith("P")]


def _means(exact: np.ndarray, f1: np.ndarray) -> dict[str, Any]:
    return {"exact_match": float(exact.mean()), "f1": float(f1.mean()), "total": len(exact)}


def _best_threshold(scores: np.ndarray, unanswerable: np.ndarray, nulls: np.ndarray) -> tuple[float, float]:
    """The best mean score, and the null score up to which answers are given for it."""
    distinct, groups = np.unique(nulls, return_inverse=True)
    # Up to threshold i, a question has its answer's score; above, it scores if it has no answer.
    gains = np.bincount(groups, weights=scores - unanswerable)
    totals = unanswerable.sum() + np.concatenate([[0.0], np.cumsum(gains)])
    best = int(totals.argmax())
    below_all = 0.0 if distinct[0] > 0 else float(distinct[0]) - 1
    return float(totals[best] / len(scores)), float(distinct[best - 1]) if best else below_all
