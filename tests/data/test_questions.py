"""Questions in SQuAD's layout and in flat ones: answers are exact substrings of their context."""

import json

import pytest

from bert_keras import data
from bert_keras.errors import InputError

CONTEXT = "🙂 The cat sat on the mat. The cat slept."


def squad(*questions, context=CONTEXT):
    paragraphs = [{"context": "Another.", "qas": []}, {"context": context, "qas": list(questions)}]
    return json.dumps({"version": "2.0", "data": [{"title": "Cats", "paragraphs": paragraphs}]})


def question(answers=(), **others):
    return {
        "id": "q1",
        "question": "Who sat?",
        "answers": [{"text": t, "answer_start": s} for t, s in answers],
        **others,
    }


def refused(path):
    with pytest.raises(InputError) as error:
        data.questions(path)
    return str(error.value)


def test_answers_of_squad_1(write):
    found = data.questions(write("a.json", squad(question([("cat", 6), ("The cat", 2)]))))
    assert (found.ids, found.texts, found.pairs) == (["q1"], ["Who sat?"], [CONTEXT])
    assert found.answers == [[("cat", 6), ("The cat", 2)]]
    assert all(found.contexts[0][start : start + len(text)] == text for text, start in found.answers[0])
    assert found.where(0).endswith("a.json, article 1, paragraph 2, question 1")


def test_impossible_questions_of_squad_2_have_no_answer(write):
    plausible = [{"text": "cat", "answer_start": 6}]
    impossible = question(id="q2", is_impossible=True, plausible_answers=plausible)
    found = data.questions(write("a.json", squad(question([("cat", 6)], is_impossible=False), impossible)))
    assert found.answers == [[("cat", 6)], []]


@pytest.mark.parametrize("told", [5, 7, 12, 0, -1])
def test_start_beside_its_text_goes_to_the_nearest(write, told):
    # 5.06: answers off by one. cat stands at 6 and 30.
    with pytest.warns(UserWarning, match=r"1 of 2 questions do not begin where answer_start says.*question 1"):
        found = data.questions(write("a.json", squad(question([("cat", told)]), question([("mat", 21)], id="q2"))))
    assert found.answers == [[("cat", 6)], [("mat", 21)]]


def test_start_near_a_later_occurrence(write):
    with pytest.warns(UserWarning, match="nearest"):
        assert data.questions(write("a.json", squad(question([("cat", 29)])))).answers == [[("cat", 30)]]


@pytest.mark.parametrize(("context", "text", "start"), [("A  B\r\n\tC", "C", 7), ("x", "x", 0), ("  ab ", "ab ", 2)])
def test_white_space_moves_nothing(write, context, text, start):
    # 5.06, 5.07
    found = data.questions(write("a.json", squad(question([(text, start)]), context=context)))
    assert (found.contexts, found.answers) == ([context], [[(text, start)]])


def test_file_to_be_answered(write):
    hidden = {"id": "q1", "question": "Who?"}
    assert data.questions(write("a.json", squad(hidden))).answers is None
    assert data.questions(write("b.json", squad(question(is_impossible=False)))).answers is None


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([question([("dog", 6)])], "the answer 'dog' does not stand in the context"),
        ([question([("cat", "6")])], "answer_start of 'cat' is '6'"),
        ([question([("", 6)])], "an answer is empty"),
        ([question([("cat", 6)]), question([("cat", 6)])], "question 2: the id 'q1' is also that of"),
        ([question([("cat", 6)]), question(id="q2", is_impossible=False)], "question 2: there is no answer"),
        ([question([("cat", 6)]), {"id": "q2", "question": "x"}], "question 2: there is no answer"),
        ([question([("cat", 6)], question=None)], "question 1: the question is no text"),
        ([question([("cat", 6)], is_impossible="false")], "question 1: is_impossible is 'false'; it must be true or"),
        (["x"], "question 1 is not an object"),
    ],
)
def test_wrong_questions_name_their_place(write, questions, message):
    found = refused(write("a.json", squad(*questions)))
    assert "a.json, article 1, paragraph 2" in found
    assert message in found


@pytest.mark.parametrize("name", ["a.txt", "a.conll", "a"])
def test_files_that_hold_no_questions_name_those_that_do(write, name):
    assert "questions are read from .json in SQuAD's layout, .csv" in refused(write(name, "Who sat?\n"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "holds a list"),
        ('{"data": []}', "holds no questions"),
        ("{}", "has no list 'data'"),
        ('{"data": [{"title": "x"}]}', "article 1 has no list 'paragraphs'"),
        ('{"a": 1}\n{"a": 2}\n', "name it .jsonl"),
        ('{"data": [\n  nothing]}', "line 2, column 3: not JSON"),
    ],
)
def test_files_of_another_layout(write, content, message):
    assert message in refused(write("a.json", content))


@pytest.mark.parametrize(
    "answers",
    [{"text": ["cat"], "answer_start": [6]}, [{"text": "cat", "answer_start": 6}], {"text": "cat", "answer_start": 6}],
)
def test_flat_layouts(write, answers):
    none = {"text": [], "answer_start": []}
    rows = [
        {"id": 7, "question": "Who?", "context": CONTEXT, "answers": answers},
        {"id": 8, "question": "Where?", "context": CONTEXT, "answers": none},
    ]
    found = data.questions(write("a.jsonl", "\n".join(map(json.dumps, rows))))
    assert (found.ids, found.questions, found.answers) == (["7", "8"], ["Who?", "Where?"], [[("cat", 6)], []])
    assert found.where(1).endswith("a.jsonl, line 2")


def test_questions_alone(write):
    found = data.questions(write("a.csv", "question,context\nWho?,A cat.\nWhy?,A dog.\n"))
    assert (found.ids, found.answers) == (["1", "2"], None)


def test_table_without_contexts(write):
    assert "no column holds the context" in refused(write("a.csv", "question,label\nx,y\n"))
