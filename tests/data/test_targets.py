"""Labels as numbers: lists of them, and numbers themselves."""

import json

import numpy as np
import pytest

from bert_keras import data
from bert_keras.errors import InputError


@pytest.fixture
def listed(write):
    """Four texts with the lists of labels b and a, none, b, and c."""
    rows = [["b", "a"], [], ["b"], ["c", "c"]]
    return write("a.jsonl", "".join(json.dumps({"text": "x", "labels": row}) + "\n" for row in rows))


def test_lists_of_labels(listed):
    rows = data.table(listed)
    assert (rows.labels, rows.label_lists) == (None, [["b", "a"], [], ["b"], ["c"]])
    assert data.labels(listed) == ["a", "b", "c"]


@pytest.mark.parametrize("separator", [",", "|"])
def test_labels_in_a_cell(write, separator):
    path = write("a.tsv", f"text\tlabel\nx\tb{separator} a\ny\t\nz\tb\n")
    rows = data.table(path, label_separator=separator)
    assert rows.label_lists == [["b", "a"], [], ["b"]]
    assert data.labels(path, label_separator=separator) == ["a", "b"]


def test_cells_are_one_label_unless_asked(write):
    rows = data.table(write("a.tsv", "text\tlabel\nx\ta,b\n"))
    assert (rows.labels, rows.label_lists) == (["a,b"], None)


def test_marks_of_lists(listed):
    marks = data.multi_targets(data.table(listed), ["a", "b", "c"])
    assert marks.dtype == np.float32
    assert marks.tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_marks_of_single_labels_and_of_none(write):
    assert data.multi_targets(data.table(write("a.csv", "text,label\nx,b\ny,a\n")), ["a", "b"]).tolist() == [
        [0, 1],
        [1, 0],
    ]
    none = data.table(write("a.jsonl", '{"text": "x", "labels": []}\n'))
    assert data.multi_targets(none, ["a", "b"]).tolist() == [[0, 0]]


def test_unknown_label_of_a_list_names_its_line(listed):
    with pytest.raises(InputError, match=r"line 4: the model does not know the label 'c'; it knows a, b"):
        data.multi_targets(data.table(listed), ["a", "b"])


def test_lists_where_each_row_must_have_one_label(listed):
    with pytest.raises(InputError, match="lists are for multi-label"):
        data.targets(data.table(listed), ["a", "b", "c"])


@pytest.mark.parametrize(
    ("cell", "message"), [("null", "empty list"), ('[""]', "list of names"), ("{}", "list of names")]
)
def test_what_is_no_list_names_its_line(write, cell, message):
    path = write("a.jsonl", f'{{"text": "x", "labels": ["a"]}}\n{{"text": "y", "labels": {cell}}}\n')
    with pytest.raises(InputError, match=f"line 2: .*{message}"):
        data.table(path)


def test_numbers(write):
    numbers = data.number_targets(data.table(write("a.tsv", "text\tscore\nx\t3.8\ny\t-1e2\n")))
    assert numbers.dtype == np.float32
    np.testing.assert_array_equal(numbers, np.array([3.8, -100], np.float32))


@pytest.mark.parametrize("cell", ["good", "1_000", "1,5", "nan", "-inf", "1e39"])
def test_what_is_no_number_names_its_line(write, cell):
    with pytest.raises(InputError, match=rf"a\.tsv, line 3: the label '{cell}' is no"):
        data.number_targets(data.table(write("a.tsv", f"text\tlabel\nx\t1\ny\t{cell}\n")))
