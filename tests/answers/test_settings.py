"""What users may set of each kind of answer."""

import pytest
import tiny_text

from bert_keras.answers import KINDS
from bert_keras.errors import InputError

# Setting -> values that it cannot have; those that take None are named too.
WRONG = {
    "windows": ("no", 1, None),
    "whole_words": ("no", 1, None),
    "no_answer": ("no", 1, None),
    "best": ("5", 0, 2.5, True, None, [5]),
    "longest_answer": ("5", 0, 2.5, True, None, [5]),
    "stride": ("5", 0, 2.5, True, [5]),
    "question_length": ("5", 0, 2.5, True, [5]),
    "null_threshold": ("0.5", float("nan"), None, True, [0.5]),
    "thresholds": ("ab", 0.5, [0.5], [0.5, "a"], [0.5, float("nan")]),
}


@pytest.mark.parametrize(("kind", "setting"), [(kind, setting) for kind in KINDS for setting in KINDS[kind].defaults])
def test_a_setting_of_another_type_is_named(kind, setting):
    settings = {"labels": ["a", "b"], "max_length": 24}
    for value in WRONG[setting]:
        with pytest.raises(InputError, match=setting):
            KINDS[kind](tiny_text.tokenizer(), settings, **{setting: value})
