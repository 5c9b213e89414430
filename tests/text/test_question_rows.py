"""Questions before windows of their contexts, and the places of answers in them."""

import random

import numpy as np
import pytest
import tiny_text
from text.awkward import fuzzed
from text.trained_tokenizers import KINDS, trained_tokenizer

from bert_keras.errors import InputError
from bert_keras.text import ByteLevelBpeTokenizer
from bert_keras.text.question_rows import answer_targets, question_rows


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_text.tokenizer()


def letters(count):
    """A context of one piece a letter, the piece i at the place 2i."""
    return " ".join("abcdefghij"[i % 10] for i in range(count))


def long_contexts(seed):
    """150 texts of awkward characters."""
    return ["".join(parts) for parts in zip(*[iter(fuzzed(seed, count=600))] * 4, strict=True)]


def pieces(row, tokenizer):
    return [tokenizer.vocabulary[index] for index in row.token_ids]


def test_question_stands_before_the_context(tokenizer):
    (row,) = question_rows(tokenizer, ["was it"], ["the  films."])

    assert pieces(row, tokenizer) == [
        *("[CLS]", "was", "i", "##t", "[SEP]"),
        *("the", "film", "##s", ".", "[SEP]"),
    ]
    assert row.segment_ids.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert row.starts.tolist() == [-1, -1, -1, -1, -1, 0, 5, 9, 10, -1]
    assert row.ends.tolist() == [-1, -1, -1, -1, -1, 3, 9, 10, 11, -1]
    assert row.best.tolist() == [False] * 5 + [True] * 4 + [False]


def test_robertas_rows_have_two_separators_and_no_segments():
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", "a", "b", "Ġ", "Ġb", "<mask>"]
    (row,) = question_rows(ByteLevelBpeTokenizer(vocabulary, [("Ġ", "b")]), ["a"], ["a b"])

    assert row.token_ids.tolist() == [0, 4, 2, 2, 4, 7, 2]
    assert row.segment_ids.tolist() == [0] * 7
    assert row.starts.tolist() == [-1, -1, -1, -1, 0, 2, -1]


def test_five_windows_of_the_fault_list(tokenizer):
    # Row 5.05: windows of 100 pieces that begin 50 apart.
    rows = question_rows(tokenizer, ["a"], [letters(300)], max_length=104, stride=50, question_length=1)

    assert [row.starts.max() // 2 for row in rows] == [99, 149, 199, 249, 299]
    assert [row.starts[3] // 2 for row in rows] == [0, 50, 100, 150, 200]
    windows = {piece: index for index, row in enumerate(rows) for piece in row.starts[row.best] // 2}
    assert (windows[74], windows[75]) == (0, 1)


@pytest.mark.parametrize(("count", "max_length", "stride"), [(57, 20, 5), (41, 20, 16), (100, 31, 9), (23, 27, 1)])
def test_best_window_is_googles(tokenizer, count, max_length, stride):
    rows = question_rows(tokenizer, ["a"], [letters(count)], max_length, stride, question_length=1)

    spans = [(row.starts[3] // 2, len(row) - 4) for row in rows]
    for piece in range(count):
        # google-research/bert, run_squad.py: the least of left and right context, and a hundredth of the length.
        scores = [
            min(piece - start, start + length - 1 - piece) + 0.01 * length if start <= piece < start + length else -1
            for start, length in spans
        ]
        held = [bool(row.best[row.starts == 2 * piece].any()) for row in rows]
        assert held == [index == scores.index(max(scores)) for index in range(len(rows))]


def test_long_question_loses_its_end(tokenizer):
    (row,) = question_rows(tokenizer, [letters(30)], ["film"], max_length=20, question_length=4)
    assert pieces(row, tokenizer) == ["[CLS]", *"abcd", "[SEP]", "film", "[SEP]"]


def test_short_question_leaves_room_for_the_context(tokenizer):
    rows = question_rows(tokenizer, ["a", letters(9)], [letters(20)] * 2, max_length=20, stride=8, question_length=9)
    assert [(row.text, len(row)) for row in rows] == [(0, 20), (0, 16), (1, 20), (1, 20), (1, 16)]


def test_empty_context_has_a_row(tokenizer):
    (row,) = question_rows(tokenizer, ["a"], [""])
    assert pieces(row, tokenizer) == ["[CLS]", "a", "[SEP]", "[SEP]"]
    assert row.starts.tolist() == [-1] * 4


def test_defaults_fit_short_models(tokenizer):
    rows = question_rows(tokenizer, [letters(64)], [letters(40)], max_length=16)
    assert max(len(row) for row in rows) == 16
    assert {int(start) // 2 for row in rows for start in row.starts if start >= 0} == set(range(40))


def test_shared_context_is_tokenized_once(tokenizer, monkeypatch):
    seen = []
    monkeypatch.setattr(tokenizer, "tokenize", lambda text: seen.append(text) or [])
    question_rows(tokenizer, ["a", "b", "c"], ["film", "good", "film"])
    assert seen == ["film", "good"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 20, "stride": 8, "question_length": 10}, "stride is 8: .* room for 7 pieces .* give 1 to 7"),
        ({"stride": 0}, "stride is 0: .* give 1 to 317"),
        ({"max_length": 12, "question_length": 9}, "max_length 12 leaves no room .* question of 9 pieces; give 13"),
        ({"question_length": 0}, "question_length is 0; it must be 1 or more"),
        ({"contexts": ["b", "c"]}, "there are 1 questions but 2 contexts"),
        ({"contexts": [None]}, r"contexts\[0\] is None; every text must be a string"),
        ({"contexts": "b"}, "contexts is one string; give a list"),
        ({"questions": "b"}, "questions is one string; give a list"),
    ],
)
def test_refuses(tokenizer, options, message):
    with pytest.raises(InputError, match=message):
        question_rows(tokenizer, **{"questions": ["a"], "contexts": ["b"], **options})


@pytest.mark.parametrize(
    ("context", "answer", "place"),
    [
        ("the film was good", "the", 0),
        ("the film was good", "good", 13),
        ("the film x good", "x", 9),
        ("the film  was good", "was", 10),
        ("A  B\r\n\tC", "C", 7),
    ],
)
def test_answer_has_its_own_pieces(tokenizer, context, answer, place):
    # Rows 5.06 and 5.07.
    rows = question_rows(tokenizer, ["a"], [context])
    (first,), (last,) = answer_targets(rows, [[(answer, place)]])
    assert (rows[0].starts[first], rows[0].ends[last]) == (place, place + len(answer))


def targets(tokenizer, context, answers, **options):
    rows = question_rows(tokenizer, ["a"], [context], **options)
    return [array.tolist() for array in answer_targets(rows, [answers])]


def test_piece_covers_an_answer_in_its_middle(tokenizer):
    assert targets(tokenizer, "good films was", [("ilm", 6)]) == [[4], [4]]
    assert targets(tokenizer, "good films was", [("ms w", 8)]) == [[4], [6]]


def test_white_space_around_an_answer_does_not_count(tokenizer):
    assert targets(tokenizer, "good film was", [(" film ", 4)]) == [[4], [4]]


def test_no_answer_is_the_first_token(tokenizer):
    assert targets(tokenizer, "good film", []) == [[0], [0]]
    assert targets(tokenizer, "good film", [("  ", 4)]) == [[0], [0]]
    assert targets(tokenizer, "", [("x", 0)]) == [[0], [0]]


def test_first_answer_counts(tokenizer):
    assert targets(tokenizer, "good film", [("film", 5), ("good", 0)]) == [[4], [4]]


def test_only_windows_with_the_whole_answer_have_it(tokenizer):
    # Windows of pieces 0-3, 2-5, 4-7 and 6-9 behind three other tokens; the answer is the pieces 4 and 5.
    options = {"max_length": 8, "stride": 2, "question_length": 1}
    assert targets(tokenizer, letters(10), [("e f", 8)], **options) == [[0, 5, 3, 0], [0, 6, 4, 0]]
    # Pieces 3 and 4 are together in the second window only, 2 to 6 in none.
    assert targets(tokenizer, letters(10), [("d e", 6)], **options) == [[0, 4, 0, 0], [0, 5, 0, 0]]
    assert targets(tokenizer, letters(10), [("c d e f g", 4)], **options) == [[0] * 4, [0] * 4]


def test_characters_without_a_piece_may_stand_at_the_edges(tokenizer):
    assert targets(tokenizer, "\ufeffgood film\u200b", [("\ufeffgood film\u200b", 0)]) == [[3], [4]]


@pytest.mark.parametrize("name", KINDS)
def test_targets_lead_back_to_the_answer(name):
    tokenizer, generator = trained_tokenizer(name), random.Random(1)
    contexts = long_contexts(seed=2)
    rows = question_rows(tokenizer, ["why ?"] * len(contexts), contexts, max_length=24, stride=7)
    compared = 0
    for row in generator.sample(rows, len(rows) // 2):
        context, held = contexts[row.text], np.flatnonzero(row.starts >= 0)
        if not held.size:
            continue
        first, last = sorted(generator.choices(held.tolist(), k=2))
        begin, end = int(row.starts[first]), int(row.ends[last])
        gold = context[begin:end]
        assert gold == gold.strip() != ""
        (start,), (stop,) = answer_targets([row], [[]] * row.text + [[(gold, begin)]])
        assert (row.starts[start], row.ends[stop]) == (begin, end)
        compared += 1
    assert compared > 100


@pytest.mark.parametrize("name", KINDS)
def test_some_window_has_any_short_answer(name):
    tokenizer, generator = trained_tokenizer(name), random.Random(3)
    for context in long_contexts(seed=4):
        begin = generator.randrange(len(context))
        gold = range(begin, begin + generator.randint(1, 4))
        rows = question_rows(tokenizer, ["why ?"], [context], max_length=40, stride=7)
        shown = {place for row in rows for span in zip(row.starts, row.ends, strict=True) for place in range(*span)}
        firsts, lasts = answer_targets(rows, [[(context[begin : gold.stop], begin)]])
        assert firsts.any() == bool(shown.intersection(gold))
        for row, first, last in zip(rows, firsts, lasts, strict=True):
            assert not first or shown.intersection(gold) <= set(range(row.starts[first], row.ends[last]))
