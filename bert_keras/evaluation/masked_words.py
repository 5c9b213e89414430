"""Scores of the words at the mask tokens of texts. N masks, of all texts together."""

from collections.abc import Sequence
from typing import Any

from bert_keras.data.tables import require_labels
from bert_keras.errors import InputError
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation, Mistake
from bert_keras.metrics.classification import accuracy_cases
from bert_keras.metrics.retrieval import query_cases, query_hit, reciprocal_rank


def score_masks(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score the pieces for each mask: accuracy, share of masks whose word is listed, mean reciprocal rank.

    Case does not count.

    Args:
        examples: `bert_keras.data.Rows`: texts with mask tokens, and as label the word, or the words of several masks
            with spaces between.
        answers: of each text `masks`: for each mask the likeliest pieces, dicts of `text` and `score`.

    Raises:
        InputError: examples and answers differ in number, or a text has not as many masks as words.
    """
    common.check_answers(examples, answers)
    words = _words(examples, answers)
    owners = [row for row, of_text in enumerate(words) for _ in of_text]
    wanted = [_folded(word) for of_text in words for word in of_text]
    listed = [pieces for answer in answers for pieces in answer["masks"]]
    ranked = [list(dict.fromkeys(_folded(each["text"]) for each in pieces)) for pieces in listed]
    best = [pieces[0] for pieces in ranked]
    right = [word == piece for word, piece in zip(wanted, best, strict=True)]
    wrong = [not each for each in right]
    confidences = [pieces[0]["score"] for pieces in listed]
    reliability, error = common.calibrated(right, confidences)
    most = max(map(len, listed))
    relevant = [{word} for word in wanted]
    cases = {
        "accuracy": accuracy_cases(wanted, best),
        f"hit_rate@{most}": query_cases(query_hit, ranked, relevant, most),
        f"mrr@{most}": query_cases(reciprocal_rank, ranked, relevant, most),
    }
    return Evaluation(
        kind="masks",
        examples=len(wanted),
        **common.measured(cases, error),
        reliability=reliability,
        **common.by_length([examples.texts[row] for row in owners], wrong),
        mistakes=[
            Mistake(
                text=examples.texts[owners[place]],
                expected=wanted[place],
                predicted=", ".join(ranked[place]),
                score=confidences[place],
                where=examples.where(owners[place]),
            )
            for place in common.worst(confidences, wrong)
        ],
        mistake_count=sum(wrong),
        predicted=best,
        right=right,
    )


def _words(examples: Any, answers: Sequence[dict[str, Any]]) -> list[list[str]]:
    """The right word of each mask of each text."""
    found = []
    for row, (label, answer) in enumerate(zip(require_labels(examples), answers, strict=True)):
        count = len(answer["masks"])
        words = label.split() if count > 1 else [label.strip()]
        if len(words) != count:
            raise InputError(
                f"{examples.where(row)}: the text has {count} masks, but the label {label!r} has {len(words)} words; "
                "each mask needs one"
            )
        found.append(words)
    return found


def _folded(word: str) -> str:
    return word.strip().casefold()
