"""Scores of answers to questions, by hand with the rules of the official scripts."""

import pytest

from bert_keras.data import Questions
from bert_keras.evaluation import SCORES

CONTEXT = "The Eiffel Tower stands in Paris since 1889."


def questions(answers, contexts=None):
    count = len(answers)
    contexts = contexts or [CONTEXT] * count
    placed = [[(text, context.index(text)) for text in of] for of, context in zip(answers, contexts, strict=True)]
    ids = [str(number) for number in range(count)]
    return Questions("squad.json", ids, ["What?"] * count, contexts, placed, range(1, count + 1), "question")


def answer(text, best=None, null_score=-1.0, score=0.5, context=CONTEXT):
    start = context.index(text)
    listed = [{"text": each} for each in (text, best) if each is not None]
    return {
        "text": text,
        "start": start,
        "end": start + len(text),
        "score": score,
        "answers": listed,
        "null_score": null_score,
    }


def test_exact_match_and_f1_follow_the_official_normalisation():
    found = SCORES["spans"](
        questions([["Eiffel Tower"], ["Paris"], ["1889"]]),
        [answer("The Eiffel Tower"), answer("in Paris since"), answer("Tower")],
    )
    # F1: 1; one of three words, all of one: 2 * 1 / (3 + 1); nothing.
    assert found.metrics["f1"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert found.metrics["exact_match"] == pytest.approx(1 / 3)
    assert "no_answer_f1" not in found.metrics


def test_questions_without_answer_are_scored_apart_with_the_best_threshold():
    found = SCORES["spans"](
        questions([["Paris"], ["1889"], []]),
        [answer("Paris", null_score=-2.0), answer("", "1889", null_score=0.5), answer("Paris", null_score=1.5)],
    )
    assert found.metrics["has_answer_f1"] == 0.5
    assert found.metrics["no_answer_exact_match"] == 0
    # With a threshold of 0.5 the second is answered, and the third is not.
    assert (found.metrics["best_f1"], found.metrics["best_null_threshold"]) == (1.0, 0.5)
    assert found.notes[0] == "never answering gives an F1 of 0.3333"


def test_mistake_marks_the_right_and_the_given_answer():
    found = SCORES["spans"](questions([["Paris"], []]), [answer("Paris since 1889"), answer("1889", score=0.9)])
    second, first = found.mistakes
    assert (first.expected, first.predicted, first.pair) == ("Paris", "Paris since 1889", "What?")
    assert [CONTEXT[span.start : span.end] for span in (*first.gold, *first.found)] == ["Paris", "Paris since 1889"]
    assert (second.expected, second.gold, second.where) == ("(no answer)", (), "squad.json, question 2")


def test_scripts_without_spaces_get_f1_of_characters():
    context = "埃菲尔铁塔自一八八九年以来一直矗立在法国首都巴黎市中心"
    found = SCORES["spans"](questions([["法国首都"]], [context]), [answer("首都巴黎", context=context)])
    assert found.metrics["f1"] == 0
    assert found.metrics["character_f1"] == pytest.approx(0.5)
