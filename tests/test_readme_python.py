"""The README's Python, run as a reader would run it; a file of its own, for a process beside that of the commands."""

import ast
import sys

import pytest
import reader

PYTHON = [text for kind, text in reader.BLOCKS if kind == "python"]
# What TensorFlow says whenever it is imported.
GREETING = "warning: all log messages before absl::initializelog() is called are written to stderr"


@pytest.mark.parametrize("block", PYTHON)
def test_python_runs(block, real, tmp_path):
    printed, complaints = reader.shell(real, tmp_path)([sys.executable, "-c", block])
    answers = ast.literal_eval(printed.splitlines()[-1])
    assert "warning" not in complaints.lower().replace(GREETING, "")
    assert [set(answer["scores"]) for answer in answers] == [set(reader.LABELS)] * 2
    assert all(answer["score"] == max(answer["scores"].values()) for answer in answers)
    assert (tmp_path / "sentiment" / "model.safetensors").is_file()
    assert (tmp_path / "serving" / "sentiment" / "1" / "saved_model.pb").is_file()
