"""docs/tasks.md says what the tasks' code does: its examples are read and scored, its names are those of the code."""

import functools
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import tensorflow as tf
import tiny_text

from bert_keras.answers import KINDS
from bert_keras.data import kind_of
from bert_keras.data.columns import choose
from bert_keras.data.kinds import scores_of
from bert_keras.data.records import Records
from bert_keras.encoder import config_of
from bert_keras.evaluation import SCORES, texts_to_answer
from bert_keras.export import ModelPredictor
from bert_keras.export.outputs import named_outputs
from bert_keras.lean.graph import lean_graph
from bert_keras.lean.weights import graph_weights
from bert_keras.tasks import TASKS, labels_of, options_of

PAGE = (Path(__file__).parent.parent / "docs" / "tasks.md").read_text(encoding="utf-8")
FROM_FILES = [name for name, task in TASKS.items() if task.examples]
TEXTS, CHOICES, LENGTH, MASKS = 2, 3, 7, 4


def section(task):
    return PAGE.partition(f"\n## {task}\n")[2].partition("\n## ")[0]


def fact(task, name):
    """The second cell of a row of the task's first table."""
    (cell,) = re.findall(rf"^\| {re.escape(name)} \| (.*) \|$", section(task).partition("\n```")[0], re.MULTILINE)
    return cell


def names(cell):
    return set(re.findall(r"`([\w@]+)`", cell))


@functools.cache
def examples(task):
    """What the task's reader makes of each example on the page."""
    found = []
    with TemporaryDirectory() as folder:
        for suffix, text in re.findall(r"^```(\w+)\n(.*?)^```$", section(task), re.DOTALL | re.MULTILINE):
            file = Path(folder) / f"example.{suffix}"
            file.write_text(text, encoding="utf-8")
            found.append(kind_of(task).load(file))
    return found


@functools.cache
def model(task):
    """A tiny model, with the labels of the page's first example."""
    labels = kind_of(task).labels if TASKS[task].has_labels else None
    return tiny_text.model(task, **({"labels": labels(examples(task)[0])} if labels else {}))


def test_every_task_has_a_section():
    assert set(re.findall(r"^## ([a-z-]+)$", PAGE, re.MULTILINE)) == set(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_settings_are_the_defaults_of_its_kind_of_answers(task):
    kind = TASKS[task].answer
    stated = dict(re.findall(r"`(\w+)` = ([^,]+)", fact(task, "settings")))
    assert stated == {name: str(value) for name, value in (KINDS[kind].defaults.items() if kind else ())}


@pytest.mark.parametrize("task", FROM_FILES)
def test_examples_on_the_page_have_its_metrics_and_answers(task):
    metrics, keys, predictor = set(), set(), ModelPredictor(model(task), tiny_text.tokenizer())
    for each in examples(task):
        if task == "fill-mask" and each.labels is None:  # texts to learn from, in which nothing is asked
            continue
        scores = scores_of(task, each)
        answers = predictor(*texts_to_answer(scores, each))
        metrics |= set(SCORES[scores](each, answers).metrics)
        keys |= set(answers[0])
    assert examples(task)
    assert metrics == names(fact(task, "metrics"))
    assert keys == names(fact(task, "answer"))


def test_features_are_those_of_the_page():
    (answer,) = ModelPredictor(model("feature-extraction"), tiny_text.tokenizer())(["the film"])
    assert set(answer) == names(fact("feature-extraction", "answer"))


def shapes(task, row, sizes):
    """The outputs of a row by name, with the sizes that its letters stand for."""
    found = re.findall(r"`(\w+)` `\[([^\]]+)\]`", fact(task, row))
    return {
        name: tuple(int(size) if size.isdecimal() else sizes[size] for size in dims.split(", ")) for name, dims in found
    }


def sizes_of(task):
    config = config_of(model(task))
    classes = len(labels_of(model(task)) or []) or CHOICES
    sizes = {"B": TEXTS, "L": LENGTH, "C": classes, "K": MASKS, "V": config.vocab_size}
    return {**sizes, "H": config.hidden_size, "E": config.hidden_size}


def ones(name, *shape):
    return np.ones([*shape, MASKS if name == "masked_positions" else LENGTH], np.int32)


@pytest.mark.parametrize("task", TASKS)
def test_outputs_of_a_saved_model(task):
    per_text = [CHOICES] if TASKS[task].answer == "choice" else []
    found = named_outputs(model(task), {name: ones(name, TEXTS, *per_text) for name in model(task).input})
    assert {name: tuple(value.shape) for name, value in found.items()} == shapes(task, "SavedModel", sizes_of(task))


@pytest.mark.parametrize("task", TASKS)
def test_outputs_of_a_tflite_file(task):
    if TASKS[task].lean is None:
        assert fact(task, "`.tflite`") == "none"
        return
    config, head = config_of(model(task)), TASKS[task].lean(options_of(model(task)))
    weights = graph_weights({variable.path: variable for variable in model(task).weights}, config, head)
    graph = lean_graph({name: tf.constant(value) for name, value in weights.items()}, config, head, LENGTH)
    inputs = ["ids", "mask", "segment_ids", *(["masked_positions"] if head.masked_only else [])]
    found = graph(**{name: ones(name, 1) for name in inputs})
    assert {name: tuple(value.shape) for name, value in found.items()} == shapes(task, "`.tflite`", sizes_of(task))


def usual_names(column):
    (cell,) = re.findall(rf"^\| {re.escape(column)} \| (.*?) \|", PAGE.partition("\n## text-")[0], re.MULTILINE)
    return cell


def chosen(*names):
    return choose(Records("file", list(names), iter(()), "line"))


def test_usual_names_of_columns():
    for name in re.findall(r"`([^`]+)`", usual_names("text")):
        assert chosen("other", "another", name).text == name
    for pair in usual_names("text and second text").split(", "):
        first, second = re.findall(r"`([^`]+)`", pair)
        found = chosen(second, "other", first)
        assert (found.text, found.pair) == (first, second)
    for name in re.findall(r"`([^`]+)`", usual_names("label, number, score")):
        assert chosen("text", "other", name).label == name
