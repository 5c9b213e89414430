"""Answers of Keras models and SavedModels to raw texts. B batch, L length."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.export.base_predictor import Arrays, Predictor
from bert_keras.export.outputs import forward_of, shaped
from bert_keras.export.saved_model_folder import FACTS, SIGNATURE, TOKENIZER
from bert_keras.pretrained import load
from bert_keras.tasks import answer_of, input_names, labels_of, task_of, usual_length
from bert_keras.text import Tokenizer

# What TensorFlow raises for a SavedModel with a missing or damaged file.
_UNREADABLE = (tf.errors.OpError, IndexError, OSError, RuntimeError, ValueError)


@dataclasses.dataclass
class TensorFlowGraph:
    """A model that TensorFlow runs; see `bert_keras.export.base_predictor.Graph`."""

    task: str
    labels: list[str] | None
    answer: dict[str, Any] | None
    inputs: Sequence[str]
    max_length: int
    run: Callable[[Arrays], Arrays]
    batches: bool = True


class ModelPredictor(Predictor):
    """Answers of a Keras model.

    Args:
        model: a model that a task made.
        tokenizer: its tokenizer.
        max_length, **settings: as for `bert_keras.export.base_predictor.Predictor`.

    Raises:
        InputError: as there.
    """

    def __init__(self, model: keras.Model, tokenizer: Tokenizer, max_length: int | None = None, **settings: Any):
        forward = forward_of(model)

        def run(inputs: Arrays) -> Arrays:
            return {name: value.numpy() for name, value in forward(inputs).items()}

        about = task_of(model), labels_of(model), answer_of(model), input_names(model), config_of(model).max_length
        graph = TensorFlowGraph(*about, run)
        super().__init__(graph, tokenizer, usual_length(model) if max_length is None else max_length, **settings)


def from_model_folder(path: Path, **settings: Any) -> Predictor:
    """The predictor of a model folder or a TensorFlow 1 checkpoint's."""
    model, tokenizer = load(path)
    return ModelPredictor(model, tokenizer, **settings)


def from_saved_model(path: Path, **settings: Any) -> Predictor:
    """The predictor of a SavedModel's version folder."""
    if not (path / FACTS).is_file():
        raise InputError(f"{path} was not written by bert_keras.export.saved_model: {FACTS} is missing")
    try:
        facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
        task, labels, answer, names, longest = (
            facts[name] for name in ("task", "labels", "answer", "inputs", "max_length")
        )
    except (KeyError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"{path / FACTS} was changed: it lacks what it should hold ({error})") from None
    try:
        loaded = tf.saved_model.load(str(path))
    except _UNREADABLE as error:
        reason = (str(error).splitlines() or [""])[0]
        raise InputError(f"{path} cannot be opened: a file of it is missing or damaged ({reason})") from error

    def run(inputs: Arrays) -> Arrays:
        # Looked up each time: a signature holds its variables weakly, and `loaded` owns them.
        signature = loaded.signatures[SIGNATURE]
        specs = signature.structured_input_signature[1]
        outputs = signature(**{name: tf.constant(shaped(inputs[name], spec)) for name, spec in specs.items()})
        return {name: value.numpy() for name, value in outputs.items()}

    # The vocabulary does not tell whether a DeBERTa has segments.
    tokenizer = Tokenizer.from_folder(path / TOKENIZER, segments="segment_ids" in names)
    return Predictor(TensorFlowGraph(task, labels, answer, names, longest, run), tokenizer, **settings)
