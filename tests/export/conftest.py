"""Shared fixtures of the exports."""

import functools
import json

import pytest
import tiny_text
from typer.testing import CliRunner

from bert_keras.cli import app
from bert_keras.export import saved_model, tflite


@pytest.fixture(scope="session")
def tflite_file(tmp_path_factory):
    """Tiny models as files: a function from a task and a recipe to the path and the report, each made once."""
    folder = tmp_path_factory.mktemp("tflite")

    @functools.cache
    def make(task, recipe, segments):
        path = folder / f"{task}-{recipe}-{segments}.tflite"
        return path, tflite(tiny_text.model(task, segments=segments), path, recipe, tokenizer=tiny_text.tokenizer())

    return lambda task="text-classification", recipe="float32", segments=True: make(task, recipe, segments)


@pytest.fixture(scope="session")
def classifier():
    return tiny_text.model()


@pytest.fixture(scope="session")
def version(classifier, tmp_path_factory):
    """The folder of a SavedModel, exported where there are other things already."""
    folder = tmp_path_factory.mktemp("serving") / "model"
    (folder / "7").mkdir(parents=True)
    (folder / "not-a-version").mkdir()
    return saved_model(classifier, folder, tiny_text.tokenizer())


@pytest.fixture(scope="session")
def embedder(real, tmp_path_factory):
    """What one command makes of MiniLM's folder: the facts about the file, its path among them."""
    out = tmp_path_factory.mktemp("minilm") / "embedder.tflite"
    command = ["export", str(real / "minilm"), "--to", "tflite", "--recipe", "int8", "--out", str(out), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout.splitlines()[-1])
