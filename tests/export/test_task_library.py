"""Question answering in the Task Library's own client, as on a phone.

Its package needs an environment of its own: Python 3.9 to 3.11 and NumPy 1.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest
from tiny_questions import learned, letters_and_words

import bert_keras as bk
from bert_keras.export import tflite
from bert_keras.text.question_rows import question_rows
from bert_keras.text.rows import padded

PYTHON = os.environ.get("TASK_LIBRARY_PYTHON", Path(__file__).parent.parent.parent / ".cache/task-library/bin/python")
LENGTH = 384
RIGHT_RECIPES = ["float32", "float16", "int8-weights"]
if not Path(PYTHON).exists():
    pytest.skip(
        "the Task Library is absent: python3.11 -m venv .cache/task-library && .cache/task-library/bin/pip install "
        "tflite-support==0.4.4 'numpy<2' && apt-get install libusb-1.0-0 (Python 3.9 to 3.11; or name an interpreter "
        "that has it by TASK_LIBRARY_PYTHON)",
        allow_module_level=True,
    )


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    """Thirty-two questions, eight of them without an answer."""
    return letters_and_words(tmp_path_factory.mktemp("data"), 24, 8)


@pytest.fixture(scope="module")
def files(questions, tmp_path_factory):
    """A learned model by each recipe."""
    model, tokenizer = learned(questions, LENGTH, LENGTH)
    folder = tmp_path_factory.mktemp("files")
    return {
        recipe: tflite(model, folder / f"{recipe}.tflite", recipe, tokenizer=tokenizer)
        for recipe in [*RIGHT_RECIPES, "int8"]
    }


@pytest.fixture(scope="module")
def answers(files, questions):
    """The client's answers to the questions, for each recipe. One process: it starts slowly."""
    pairs = list(zip(questions.texts, questions.pairs, strict=True))
    jobs = [(files[recipe].path, pairs) for recipe in RIGHT_RECIPES]
    command = [str(PYTHON), str(Path(__file__).with_name("task_library_client.py")), json.dumps(jobs)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(zip(RIGHT_RECIPES, json.loads(done.stdout.splitlines()[-1]), strict=True))


@pytest.mark.parametrize("recipe", RIGHT_RECIPES)
def test_the_client_finds_our_spans_with_our_scores(recipe, files, answers, questions):
    predictor = bk.predictor(files[recipe].path)
    ours = predictor(questions.texts, questions.pairs)
    rows = question_rows(predictor.tokenizer, questions.texts, questions.pairs, LENGTH)
    compared = 0
    for found, answer, row in zip(answers[recipe], ours, rows, strict=True):
        if not answer["text"]:
            continue  # it knows no null score
        text, first, last, score = found[0]
        assert (text, int(row.starts[first]), int(row.ends[last])) == (answer["text"], answer["start"], answer["end"])
        outputs = predictor.graph.run(padded([row], predictor.tokenizer.pad_id))
        logits = outputs["start_logits"][0, first] + outputs["end_logits"][0, last]
        assert score == pytest.approx(float(logits), abs=1e-4)
        compared += 1
    assert compared == 24


def test_the_file_that_it_would_misread_says_so(files):
    assert [len(files[recipe].notes) for recipe in RIGHT_RECIPES] == [0, 0, 0]
    (note,) = files["int8"].notes
    assert "BertQuestionAnswerer answers wrongly from this file" in note and "use int8-weights" in note
