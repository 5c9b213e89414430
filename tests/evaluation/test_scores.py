"""What the scores of each kind ask a model."""

import subprocess
import sys

from bert_keras.data import Choices, Rows
from bert_keras.evaluation import texts_to_answer


def test_import_loads_nothing_heavy():
    heavy = {"tensorflow", "keras", "tokenizers", "pyarrow", "rich", "matplotlib"}
    code = f"import sys, bert_keras.evaluation; print(*{heavy!r} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_examples_are_asked_as_they_stand():
    rows = Rows("x.tsv", ["a", "b"], ["c", "d"], ["1", "2"], [1, 2])
    assert texts_to_answer("labels", rows) == (["a", "b"], ["c", "d"])
    asked = Choices("x.jsonl", ["prompt"], [["one", "two"]], [0], [1], "line")
    assert texts_to_answer("choices", asked) == (["prompt"], [["one", "two"]])
