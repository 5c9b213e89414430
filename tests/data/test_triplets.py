"""Anchors, positives and negatives."""

import json

import pytest

from bert_keras import data
from bert_keras.errors import InputError


@pytest.mark.parametrize(
    "header", ["anchor,positive,negative", "query,document,hard_negative_1", "Question,Answer,neg"]
)
def test_usual_columns(write, header):
    found = data.triplets(write("a.csv", f"{header}\na,b,c\n"))
    assert (found.anchors, found.positives, found.negatives) == (["a"], ["b"], [["c"]])
    assert (found.texts, found.pairs, len(found)) == (["a"], ["b"], 1)
    assert found.where(0).endswith("a.csv, line 2")


def test_pairs_alone_have_no_negatives(write):
    assert data.triplets(write("a.tsv", "query\tpassage\na\tb\n")).negatives == [[]]


def test_several_negatives_and_empty_cells(write):
    found = data.triplets(write("a.csv", "anchor,positive,negative_1,negative_2\na,b,c,d\ne,f,,g\n"))
    assert found.negatives == [["c", "d"], ["g"]]


def test_lists_give_a_triplet_for_each_positive(write):
    rows = [{"query": "q", "pos": ["a", "b"], "neg": ["c", "d"]}, {"query": "r", "pos": ["e"], "neg": []}]
    found = data.triplets(write("a.jsonl", "\n".join(map(json.dumps, rows))))
    assert (found.anchors, found.positives) == (["q", "q", "r"], ["a", "b", "e"])
    assert found.negatives == [["c", "d"], ["c", "d"], []]
    assert list(found.lines) == [1, 1, 2]


def test_columns_by_name(write):
    found = data.triplets(write("a.csv", "x,y,z,negative\na,b,c,d\n"), anchor="y", positive="x", negative="z")
    assert (found.anchors, found.positives, found.negatives) == (["b"], ["a"], [["c"]])


@pytest.mark.parametrize("row", ["a,,c", ",b,c"])
def test_row_without_a_text_names_its_line(write, row):
    with pytest.raises(InputError, match=r"a\.csv, line 3: there is no text in '(anchor|positive)'"):
        data.triplets(write("a.csv", f"anchor,positive,negative\na,b,c\n{row}\n"))


def test_labelled_pairs_are_no_triplets(write):
    # Their second sentence is not always a positive.
    with pytest.raises(InputError, match="no column holds the anchors"):
        data.triplets(write("a.csv", "sentence1,sentence2,label\na,b,0\n"))
