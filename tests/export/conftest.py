"""Shared fixtures of the exports."""

import functools

import pytest
import tiny_text

from bert_keras.export import tflite


@pytest.fixture(scope="session")
def tflite_file(tmp_path_factory):
    """Tiny models as files: a function from a task and a recipe to the path and the report, each made once."""
    folder = tmp_path_factory.mktemp("tflite")

    @functools.cache
    def make(task="text-classification", recipe="float32"):
        path = folder / f"{task}-{recipe}.tflite"
        return path, tflite(tiny_text.model(task), path, recipe, tokenizer=tiny_text.tokenizer())

    return make
