"""Scores of tags of words: named entities, parts of speech."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from bert_keras import metrics
from bert_keras.errors import InputError
from bert_keras.evaluation import common
from bert_keras.evaluation.result import Evaluation, Mistake, Span
from bert_keras.metrics.cases import Cases, sum_cases
from bert_keras.metrics.checks import ratios
from bert_keras.metrics.entities import entity_cases

Sentences = list[list[str]]

# What the letters of all schemes are in IOB2.
_IOB2 = {"B": "B", "S": "B", "U": "B", "I": "I", "M": "I", "E": "I", "L": "I"}
# Those that end an entity.
_LAST = ("E", "L", "S", "U")
_OUTSIDE = "O"
# Strict F1 lower by this is worth a word.
_FAR_LESS = 0.05
_NONE = "(none)"


def score_tags(examples: Any, answers: Sequence[dict[str, Any]]) -> Evaluation:
    """Score tags: F1 of entities, strict and lenient, and accuracy of words; of plain tags accuracy and macro F1.

    Args:
        examples: `bert_keras.data.Tagged` with tags.
        answers: of each sentence `words`, dicts of `label` and `score`.

    Raises:
        InputError: examples and answers differ in number or words, or the examples have no tags.
    """
    common.check_answers(examples, answers)
    if examples.tags is None:
        raise InputError(f"{examples.source} has no tags: each word needs one")
    for row, (words, answer) in enumerate(zip(examples.words, answers, strict=True)):
        if len(words) != len(answer["words"]):
            raise InputError(f"{examples.where(row)}: {len(words)} words have {len(answer['words'])} answers")
    given = [[word["label"] for word in answer["words"]] for answer in answers]
    scores = [[word["score"] for word in answer["words"]] for answer in answers]
    return _plain(examples, given, scores) if examples.plain else _entities(examples, given, scores)


def _entities(examples: Any, given: Sentences, scores: list[list[float]]) -> Evaluation:
    true = examples.tags
    found = _as_iob2(given)
    strict = metrics.entities(true, found)
    right_spans = [metrics.tag_spans(tags) for tags in true]
    found_spans = [metrics.tag_spans(tags, strict=False) for tags in found]
    missed = [set(wanted) ^ set(got) for wanted, got in zip(right_spans, found_spans, strict=True)]
    right = [not spans for spans in missed]
    correct, sure = _span_confidences(right_spans, found_spans, scores)
    reliability, error = common.calibrated(correct, sure)
    cases = {
        "f1": entity_cases(true, found),
        "lenient_f1": entity_cases(true, found, strict=False),
        "word_accuracy": _word_accuracy(true, found),
    }
    others = {"precision": strict["precision"], "recall": strict["recall"], **error}
    errors = [float(len(spans)) for spans in missed]
    wrong = [not each for each in right]
    return Evaluation(
        kind="entities",
        examples=len(true),
        **common.measured(cases, others),
        classes=strict["types"],
        confusion=_type_confusion(true, found),
        reliability=reliability,
        **common.by_length(_texts(examples), wrong),
        error="share of sentences with a mistake",
        mistakes=[
            _mistake(examples, row, right_spans[row], found_spans[row], errors[row])
            for row in common.worst(errors, wrong)
        ],
        mistake_count=sum(wrong),
        mistake_score="missed or wrong entities",
        notes=_entity_notes(strict, cases["lenient_f1"].value),
        predicted=[frozenset(spans) for spans in found_spans],
        right=right,
    )


def _plain(examples: Any, given: Sentences, scores: list[list[float]]) -> Evaluation:
    true = examples.tags
    all_true = [tag for tags in true for tag in tags]
    all_given = [tag for tags in given for tag in tags]
    correct = [wanted == got for wanted, got in zip(all_true, all_given, strict=True)]
    reliability, error = common.calibrated(correct, [score for of_row in scores for score in of_row])
    names = sorted({*all_true, *all_given})
    errors = [
        float(sum(wanted != got for wanted, got in zip(*tags, strict=True))) for tags in zip(true, given, strict=True)
    ]
    wrong = [error > 0 for error in errors]
    shares = [error / max(1, len(tags)) for error, tags in zip(errors, true, strict=True)]
    return Evaluation(
        kind="entities",
        examples=len(true),
        **common.measured(
            {"accuracy": _word_accuracy(true, given)}, {"macro_f1": metrics.f1(all_true, all_given), **error}
        ),
        classes=metrics.precision_recall(all_true, all_given),
        confusion={"labels": names, "matrix": metrics.confusion_matrix(all_true, all_given, names)},
        reliability=reliability,
        **common.by_length(_texts(examples), shares),
        error="share of words with a wrong tag",
        mistakes=[
            _mistake(examples, row, *_wrong_words(true[row], given[row]), errors[row])
            for row in common.worst(errors, wrong)
        ],
        mistake_count=sum(wrong),
        mistake_score="wrong words",
        notes=common.class_notes(all_true, names),
        predicted=given,
        right=[not each for each in wrong],
    )


def _as_iob2(given: Sentences) -> Sentences:
    """A model's tags of any scheme, such that lenient spans are the entities that predictors answer."""
    lettered = any("-" in tag and _letter(tag) for tags in given for tag in tags)
    return [[_one_as_iob2(*pair, lettered) for pair in pairwise([_OUTSIDE, *tags])] for tags in given]


def _one_as_iob2(before: str, tag: str, lettered: bool) -> str:
    """A tag behind another one; one without a letter is in no entity where others have letters, else it is a type."""
    letter = _letter(tag)
    if letter is None:
        return _OUTSIDE if lettered or tag == _OUTSIDE else f"I-{tag}"
    begins = _letter(before) in _LAST and before[1:] == tag[1:]
    return ("B" if begins else _IOB2[letter]) + tag[1:]


def _letter(tag: str) -> str | None:
    """What a tag such as `B-PER` says of its word's place in the entity; None if it is of no such form."""
    letter, dash, kind = tag.partition("-")
    return letter if letter in _IOB2 and bool(dash) == bool(kind) else None


def _word_accuracy(true: Sentences, given: Sentences) -> Cases:
    """Share of words with the right tag; resampled by sentence, since the words of one are not independent."""
    counts = [
        (sum(wanted == got for wanted, got in zip(*tags, strict=True)), len(tags[0]))
        for tags in zip(true, given, strict=True)
    ]
    return sum_cases(np.array(counts), lambda sums: ratios(sums[:, 0], sums[:, 1]), share=True)


def _span_confidences(
    right: list[list], found: list[list], scores: list[list[float]]
) -> tuple[list[bool], list[float]]:
    """Of each found entity whether it is right, and the mean score of its words."""
    correct, sure = [], []
    for wanted, got, of_row in zip(right, found, scores, strict=True):
        correct += [span in wanted for span in got]
        sure += [sum(of_row[first:end]) / (end - first) for _, first, end in got]
    return correct, sure


def _type_confusion(true: Sentences, found: Sentences) -> dict[str, list]:
    """Which type, or none, the words of each type are given."""
    right, given = ([_type(tag) for tags in side for tag in tags] for side in (true, found))
    names = [_OUTSIDE, *sorted({*right, *given} - {_OUTSIDE})]
    return {"labels": names, "matrix": metrics.confusion_matrix(right, given, names)}


def _type(tag: str) -> str:
    return tag if tag == _OUTSIDE else tag.partition("-")[2] or "entity"


def _entity_notes(strict: dict[str, Any], lenient_f1: float) -> list[str]:
    if not strict["support"]:
        return ["no example has an entity: F1 is 0 whatever the model does"]
    if lenient_f1 - strict["f1"] > _FAR_LESS:
        return ["many entities do not begin with B-: strict F1 does not count them, lenient F1 does"]
    return []


def _wrong_words(true: list[str], given: list[str]) -> tuple[list, list]:
    """Right and given tags, as spans of one word, where they differ."""
    places = [place for place, (wanted, got) in enumerate(zip(true, given, strict=True)) if wanted != got]
    return [(true[place], place, place + 1) for place in places], [(given[place], place, place + 1) for place in places]


def _mistake(examples: Any, row: int, right: list, found: list, score: float) -> Mistake:
    text, bounds = _text(examples, row), examples.bounds[row]
    gold, got = (
        tuple(Span(bounds[first][0], bounds[end - 1][1], kind) for kind, first, end in spans)
        for spans in (right, found)
    )
    return Mistake(
        text=text,
        expected=_listed(text, gold),
        predicted=_listed(text, got),
        score=score,
        where=examples.where(row),
        gold=gold,
        found=got,
    )


def _listed(text: str, spans: Sequence[Span]) -> str:
    return "; ".join(f"{span.label} {text[span.start : span.end]}".strip() for span in spans) or _NONE


def _texts(examples: Any) -> list[str]:
    return [_text(examples, row) for row in range(len(examples))]


def _text(examples: Any, row: int) -> str:
    return " ".join(examples.words[row]) if examples.originals is None else examples.originals[row]
