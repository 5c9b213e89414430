"""Spans of a context out of logits, beside Google's rules written as plain loops."""

import math

import numpy as np
import pytest
import tiny_text
from text.awkward import fuzzed
from text.trained_tokenizers import KINDS, trained_tokenizer

from bert_keras.answers.spans import Spans
from bert_keras.errors import InputError
from bert_keras.text import WordPieceTokenizer


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_text.tokenizer()


def spans_of(tokenizer, **settings):
    return Spans(tokenizer, {"max_length": 384, **settings})


def ask(spans, context, *logits, question="a"):
    """The answer for logits (start, end) of each window's pieces; those of all other tokens are 9, of `[CLS]` -1."""
    rows = spans.rows([question], [context])
    outputs = []
    for row, both in zip(rows, logits, strict=True):
        start, end = np.full((2, len(row)), 9, np.float32)
        start[0] = end[0] = -1
        start[row.starts >= 0], end[row.starts >= 0] = both
        outputs.append({"start_logits": start, "end_logits": end})
    return spans.answer(question, context, rows, outputs)


def random_outputs(rows, generator, scale=3.0):
    # Halves: equal sums do occur.
    logits = [np.round(generator.normal(0, scale, (2, len(row))) * 2) / 2 for row in rows]
    return [{"start_logits": start, "end_logits": end} for start, end in logits]


# Row 5.04: alone, the best start is piece 3 and the best end piece 1.
START, END = [1, 0, 2, 5], [0, 4.5, 3, 1]


def test_best_valid_span(tokenizer):
    answer = ask(spans_of(tokenizer), "the film was good", (START, END))

    assert (answer["text"], answer["start"], answer["end"]) == ("good", 13, 17)
    assert [each["text"] for each in answer["answers"][:3]] == ["good", "the film", "was"]
    assert answer["null_score"] == -2 - 6
    # The ten sums of a start and an end that is not before it.
    total = sum(math.exp(score) for score in (1, 5.5, 4, 2, 4.5, 3, 1, 5, 3, 6))
    assert answer["score"] == pytest.approx(math.exp(6) / total)
    assert answer["answers"][1]["score"] == pytest.approx(math.exp(5.5) / total)


def test_longest_answer(tokenizer):
    answer = ask(spans_of(tokenizer, longest_answer=1), "the film was good", (START, END))
    assert [each["text"] for each in answer["answers"]] == ["good", "was", "film", "the"]


def test_question_and_special_tokens_are_no_answer(tokenizer):
    # Row 5.05: all of the question's logits are higher than the context's, and more of them than answers are listed.
    spans = spans_of(tokenizer, best=2)
    answer = ask(spans, "the film was good", (START, END), question="a b c d e f g h")
    assert [each["text"] for each in answer["answers"]] == ["good", "the film"]


def test_span_begins_where_its_window_is_best(tokenizer):
    # Windows of pieces 0-3 and 2-5. Of the pieces 2 and 3, the first window is best for 2 and the second for 3.
    spans = spans_of(tokenizer, max_length=8, stride=2, question_length=1, longest_answer=1)
    zeros = [0] * 4
    answer = ask(spans, "a b c d e f", ([0, 0, 1, 8], zeros), ([8, 2, 0, 0], zeros))
    assert [each["text"] for each in answer["answers"][:2]] == ["d", "c"]
    assert answer["null_score"] == -2 - 2


@pytest.mark.parametrize(
    ("context", "place", "text"),
    [
        ("the film was good", 0, "the"),
        ("the film was good", 3, "good"),
        ("x film", 0, "x"),
        ("the  film", 1, "film"),
        ("A  B\r\n\tC", 2, "C"),
    ],
)
def test_answer_is_a_part_of_the_context(tokenizer, context, place, text):
    # Rows 5.06 and 5.07.
    logits = np.zeros(len(context.split()))
    logits[place] = 5
    answer = ask(spans_of(tokenizer), context, (logits, logits))
    assert answer["text"] == text == context[answer["start"] : answer["end"]]
    assert answer["start"] == context.index(text)


def test_nothing_is_an_answer_of_models_that_learned_it(tokenizer):
    settings = {"no_answer": True, "best": 3}
    answer = ask(spans_of(tokenizer, **settings), "the film", ([-3, -2], [-3, -2]))

    nothing = {"text": "", "start": 0, "end": 0, "score": answer["score"]}
    assert answer["answers"][0] == nothing
    assert {name: answer[name] for name in nothing} == nothing
    assert answer["null_score"] == 2
    assert sum(each["score"] for each in answer["answers"]) == pytest.approx(1)
    assert [each["text"] for each in answer["answers"]] == ["", "film", "the film"]
    assert ask(spans_of(tokenizer), "the film", ([-3, -2], [-3, -2]))["text"] == "film"


def test_threshold_of_no_answer(tokenizer):
    logits = ([-3, -2], [-3, -2])
    assert ask(spans_of(tokenizer, no_answer=True, null_threshold=1.9), "the film", logits)["text"] == ""
    kept = ask(spans_of(tokenizer, no_answer=True, null_threshold=2.0, best=1), "the film", logits)
    assert (kept["text"], [each["text"] for each in kept["answers"]]) == ("film", ["", "film"])
    assert kept["score"] == pytest.approx(1 / (1 + math.exp(2)))


def test_threshold_does_not_matter_without_no_answer(tokenizer):
    spans = spans_of(tokenizer, null_threshold=-100.0)
    assert ask(spans, "the film", ([-3, -2], [-3, -2]))["text"] == "film"


def test_empty_context_has_no_answer(tokenizer):
    answer = ask(spans_of(tokenizer), "  ", ([], []))
    assert answer == {
        "text": "",
        "start": 0,
        "end": 0,
        "score": 1.0,
        "answers": [{"text": "", "start": 0, "end": 0, "score": 1.0}],
        "null_score": -2.0,
    }


def test_place_is_listed_once():
    # A hangul syllable is two pieces, both with its place; so are four pairs of begin and end.
    tokenizer = WordPieceTokenizer([*tiny_text.VOCABULARY[:5], "\u1100", "##\u1161", "a"])
    logits = [5, 4, 0]
    answer = ask(spans_of(tokenizer, best=3), "\uac00 a", (logits, logits))
    assert [each["text"] for each in answer["answers"]] == ["\uac00", "\uac00 a", "a"]


def googles(rows, context, outputs, longest, best, no_answer):
    """What `write_predictions` of google-research/bert lists: (start, end, score), and the difference of no answer.

    Without the cut to the best begins and ends of each window, and with places in place of texts.
    """
    found, null = [], min(each["start_logits"][0] + each["end_logits"][0] for each in outputs)
    for row, each in zip(rows, outputs, strict=True):
        for first in range(len(row)):
            for last in range(len(row)):
                if row.starts[first] < 0 or row.starts[last] < 0 or not row.best[first]:
                    continue
                if last < first or last - first + 1 > longest:
                    continue
                score = each["start_logits"][first] + each["end_logits"][last]
                found.append((int(row.starts[first]), int(row.ends[last]), float(score)))
    found.sort(key=lambda span: span[2], reverse=True)
    difference = null - found[0][2]
    if no_answer:
        found.append((0, 0, float(null)))
        found.sort(key=lambda span: span[2], reverse=True)
    listed = []
    for span in found:
        if len(listed) < best and span[:2] not in [other[:2] for other in listed]:
            listed.append(span)
    if no_answer and (0, 0) not in [span[:2] for span in listed]:
        listed.append((0, 0, float(null)))
    return listed, difference


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("no_answer", [False, True])
def test_answers_are_googles(name, no_answer):
    tokenizer, generator = trained_tokenizer(name), np.random.default_rng(5)
    settings = {"max_length": 16, "stride": 6, "longest_answer": 4, "best": 7, "no_answer": no_answer}
    spans = spans_of(tokenizer, **settings)
    contexts = [context for context in fuzzed(seed=6, count=150) if len(tokenizer.tokenize(context)) > 3]
    windows = 0
    for context in contexts:
        rows = spans.rows(["why ?"], [context])
        windows += len(rows)
        outputs = random_outputs(rows, generator)
        answer = spans.answer("why ?", context, rows, outputs)
        listed, difference = googles(rows, context, outputs, longest=4, best=7, no_answer=no_answer)

        scores = np.array([score for _, _, score in listed])
        expected = np.exp(scores) / np.exp(scores).sum()
        np.testing.assert_allclose([each["score"] for each in answer["answers"]], expected, rtol=1e-9)
        assert [(each["start"], each["end"]) for each in answer["answers"]] == [span[:2] for span in listed]
        assert answer["null_score"] == difference
        is_nothing = no_answer and difference > 0
        best = next(span for span in listed if (span[:2] == (0, 0)) == is_nothing)
        assert (answer["start"], answer["end"]) == best[:2]
        for each in [answer, *answer["answers"]]:
            assert each["text"] == context[each["start"] : each["end"]] == each["text"].strip()
    assert windows > 1.2 * len(contexts)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"best": 0}, "best is 0; it must be a whole number, 1 or more"),
        ({"longest_answer": 0}, "longest_answer is 0; it must be"),
    ],
)
def test_refuses_settings(tokenizer, settings, message):
    with pytest.raises(InputError, match=message):
        spans_of(tokenizer, **settings)


def test_refuses_questions_without_contexts(tokenizer):
    with pytest.raises(InputError, match="needs the context of each question; give contexts as pairs"):
        spans_of(tokenizer).check(["why?"], None)
