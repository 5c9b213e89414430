"""Answers as a file."""

from pathlib import Path

import pytest

from bert_keras.cli.predictions import check_answers
from bert_keras.errors import InputError


@pytest.mark.parametrize("kind", ["entities", "span", "multi-label", "number", "choice", "masks"])
def test_a_table_of_answers_that_are_no_labels_is_refused(kind):
    with pytest.raises(InputError, match=r"a \.tsv holds a label a line"):
        check_answers(Path("a.tsv"), kind)
    check_answers(Path("a.jsonl"), kind)


def test_a_table_may_hold_labels():
    check_answers(Path("a.tsv"), "label")
