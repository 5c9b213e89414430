"""Choices that are none are named."""

import pytest
import tiny_text

from bert_keras.answers import KINDS
from bert_keras.errors import InputError


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([None], r"pairs\[0\] is a NoneType; it must be a list"),
        ([5], r"pairs\[0\] is a int; it must be a list"),
        (["ab"], r"pairs\[0\] is one text"),
        ([b"ab"], r"pairs\[0\] is one text"),
        ([{"a": 1}], r"pairs\[0\] is a dict; it must be a list"),
        ([[]], r"pairs\[0\] is empty; it must be a list of choices"),
        ([["a", None]], r"pairs\[0\]\[1\] is None, a NoneType; it must be a text"),
    ],
    ids=str,
)
def test_wrong_choices_are_named(choices, message):
    kind = KINDS["choice"](tiny_text.tokenizer(), {"max_length": 24})
    with pytest.raises(InputError, match=message):
        kind.check(["a"], choices)
