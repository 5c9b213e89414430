"""Prompts with choices, in the layouts of the data sets that have them."""

import json

import pytest

from bert_keras import data
from bert_keras.errors import InputError


def lines(*objects):
    return "".join(json.dumps(entry) + "\n" for entry in objects)


def refused(path, **columns):
    with pytest.raises(InputError) as error:
        data.choices(path, **columns)
    return str(error.value)


def test_swag_endings_go_on_the_second_sentence(write):
    header = "video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3,label\n"
    found = data.choices(write("a.csv", header + "v,1,She sits. He,She sits.,He,gold,runs.,eats.,is.,was.,2\n"))
    assert (found.prompts, found.labels) == (["She sits."], [2])
    assert found.choices == [["He runs.", "He eats.", "He is.", "He was."]]
    assert (found.texts, found.pairs, len(found)) == (found.prompts, found.choices, 1)
    assert found.where(0).endswith("a.csv, line 2")


@pytest.mark.parametrize(
    ("row", "prompt", "choices"),
    [
        ({"prompt": "p", "choices": ["a", "b"]}, "p", ["a", "b"]),
        ({"question": "q", "options": ["a", "b"]}, "q", ["a", "b"]),
        ({"ctx": "c", "ctx_a": "x", "endings": ["a", "b"]}, "c", ["a", "b"]),
        ({"article": "c", "question": "q?", "options": ["a", "b"]}, "c", ["q? a", "q? b"]),
        ({"context": "c", "question": "q?", "answer0": "a", "answer1": "b"}, "c", ["q? a", "q? b"]),
        ({"query": "q", "documents": ["a", "b"]}, "q", ["a", "b"]),
        ({"goal": "g", "sol1": "a", "sol2": "b"}, "g", ["a", "b"]),
        ({"question": "q", "choices": {"label": ["A", "B"], "text": ["a", "b"]}}, "q", ["a", "b"]),
    ],
    ids=["plain", "options", "HellaSwag", "RACE", "CosmosQA", "ranking", "PIQA", "ARC"],
)
def test_layouts(write, row, prompt, choices):
    found = data.choices(write("a.jsonl", lines({**row, "label": 1}, {**row, "label": 0})))
    assert (found.prompts, found.choices, found.labels) == ([prompt] * 2, [choices] * 2, [1, 0])


@pytest.mark.parametrize(
    ("labels", "indices"),
    [((2, 0), [2, 0]), (("2", "0"), [2, 0]), (("C", "a"), [2, 0]), (("six", "four"), [2, 0]), (("", ""), None)],
    ids=["numbers", "digits", "letters", "texts", "hidden"],
)
def test_ways_to_name_the_right_choice(write, labels, indices):
    rows = [{"question": "q", "choices": ["four", "five", "six"], "answer": label} for label in labels]
    assert data.choices(write("a.jsonl", lines(*rows))).labels == indices


def test_names_that_the_source_gives_its_choices(write):
    choices = {"label": ["1", "2", "3"], "text": ["a", "b", "c"]}
    rows = [{"question": "q", "choices": choices, "answerKey": key} for key in ("1", "2")]
    assert data.choices(write("a.jsonl", lines(*rows))).labels == [0, 1]


def test_columns_that_count_from_one(write):
    # WinoGrande: 2 can only be option2, so 1 is option1.
    content = "sentence,option1,option2,answer\n_ is big,a,b,2\n_ is small,a,b,1\n"
    assert data.choices(write("a.csv", content)).labels == [1, 0]


def test_columns_by_name(write):
    found = data.choices(write("a.csv", "q,x,y,right\nwhy,a,b,y\n"), prompt="q", choices=["x", "y"], label="right")
    assert (found.prompts, found.choices, found.labels) == (["why"], [["a", "b"]], [1])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "q", "choices": ["a", "b"], "label": "E"}, "the answer 'E' is none of the 2 choices"),
        ({"question": "q", "choices": ["a", "b"], "label": 2}, "the answer '2' is none of the 2 choices"),
        ({"question": "q", "choices": ["a"], "label": 0}, "'choices' is no list of two choices or more"),
        ({"question": "q", "choices": ["a", None], "label": 0}, "each a text"),
        ({"question": None, "choices": ["a", "b"], "label": 0}, "'question' holds no text"),
    ],
)
def test_wrong_rows_name_their_line(write, row, message):
    good = {"question": "q", "choices": ["a", "b"], "label": 0}
    found = refused(write("a.jsonl", lines(good, good, row)))
    assert "a.jsonl, line 3" in found
    assert message in found


def test_table_without_choices(write):
    assert "no column holds the choices" in refused(write("a.csv", "text,label\na,b\n"))
