"""The whole path in a few minutes: pretrain, fine-tune, evaluate, quantize, export, run. Nothing is downloaded."""

import os
import shlex
import time
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import keras
import numpy as np

from bert_keras import data, export, metrics, tasks, training
from bert_keras.config import EncoderConfig
from bert_keras.encoder import encoder as make_encoder
from bert_keras.errors import InputError
from bert_keras.files import output_folder
from bert_keras.pretrained import load, save
from bert_keras.text import Tokenizer

# Chosen so that pretraining takes about a minute on two cores.
_VOCABULARY_SIZE, _LENGTH, _BATCH_SIZE = 6000, 64, 32
_SIZE: dict[str, Any] = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512}
# A model pretrained for a minute needs higher rates than BERT, a real encoder BERT's own.
_PRETRAINING_RATE, _SMALL_RATE, _REAL_RATE = 1e-3, 1e-3, 5e-5
_SMALL_EPOCHS, _REAL_EPOCHS = 6, 3

# int8-weights, as large as int8 and slower, is for a client that answers questions.
_RECIPES = ("float32", "float16", "int8")
_SHOWN = (
    "The staff were kind and the food was delicious.",
    "Broken after two days, and nobody answers the phone. A waste of money.",
    "It wasn't bad at all.",
)

Say = Callable[[str], None]


def run(
    out: str | os.PathLike,
    encoder: str | os.PathLike | None = None,
    force: bool = False,
    say: Say = print,
) -> dict[str, Any]:
    """Pretrain a small BERT, fine-tune it on the bundled sentiment texts, export it by every recipe and compare.

    Args:
        out: folder to make; `model/`, the `.tflite` files and `saved_model/` are in it afterwards.
        encoder: folder or hub id of a pretrained encoder to use in place of a small one pretrained here.
        force: replace an existing `out`.
        say: called with each line of progress.

    Returns:
        `table`, a list of rows (name, accuracy, agreement with Keras, megabytes, milliseconds a text), `answers` of
        the int8 file on three sentences, `seconds`, and `next`, the command to type next.

    Raises:
        InputError: `out` exists, or `encoder` cannot be loaded.
    """
    begin = time.monotonic()
    keras.utils.set_random_seed(0)
    with output_folder(out, force) as folder, resources.as_file(_bundled()) as bundled:
        train, test = bundled / "train.tsv", bundled / "test.tsv"
        base, tokenizer = load(encoder, "feature-extraction") if encoder else _pretrain(train, say)
        _finetune(base, tokenizer, train, test, encoder is not None, folder / "model", say)
        paths = {"Keras": folder / "model", **_export(folder, test, say)}
        table = _compare(paths, test)
        answers = export.predictor(paths["int8"])(list(_SHOWN))
    for text, answer in zip(_SHOWN, answers, strict=True):
        say(f"{answer['label']} {answer['score']:.2f}  {text}")
    return {
        "table": table,
        "answers": [{"text": text, **answer} for text, answer in zip(_SHOWN, answers, strict=True)],
        "seconds": time.monotonic() - begin,
        "next": f'bert-keras predict {shlex.quote(str(Path(out) / "int8.tflite"))} "your own text"',
    }


def _bundled() -> Any:
    return resources.files("bert_keras.resources") / "sentiment"


def _pretrain(train: Path, say: Say) -> tuple[keras.Model, Tokenizer]:
    documents = _python_documents()
    reviews = list(data.table(train).texts)
    # The words of the task belong into the vocabulary, although the documentation has a hundred times its text.
    tokenizer = Tokenizer.train(
        [sentence for document in documents for sentence in document] + reviews, _VOCABULARY_SIZE
    )
    # The training texts are unlabelled text here; one sentence alone makes no pair, so all are one document.
    instances = data.pretraining_instances([*documents, reviews], tokenizer, max_length=_LENGTH)
    base = make_encoder(
        EncoderConfig(vocab_size=len(tokenizer.vocabulary), max_position_embeddings=2 * _LENGTH, **_SIZE)
    )
    model = tasks.pretraining(base)
    batches = data.pretraining_dataset(instances, _BATCH_SIZE)
    model.compile(**training.recipe(model, learning_rate=_PRETRAINING_RATE, steps=len(batches)))
    say(f"pretraining {model.count_params():,} parameters on Python's own documentation, about a minute")
    progress = _Progress(len(batches), say)
    history = model.fit(batches, shuffle=False, verbose=0, callbacks=[progress]).history
    say(
        f"pretrained: masked-token loss {history['mlm_loss'][-1]:.2f}, next-sentence loss {history['nsp_loss'][-1]:.2f}"
    )
    return base, tokenizer


def _python_documents() -> list[list[str]]:
    """Python's documentation topics, a document each: English that every installation has."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise InputError(
            "this Python has no pydoc_data.topics to pretrain on: pass a real encoder (--encoder)"
        ) from None
    paragraphs = ([" ".join(lines.split()) for lines in text.split("\n\n")] for text in topics.values())
    return [[sentence for text in topic for sentence in data.split_sentences(text)] for topic in paragraphs]


class _Progress(keras.callbacks.Callback):
    """Says how far a fit of known length is, ten times."""

    def __init__(self, steps: int, say: Say):
        super().__init__()
        self.steps, self.say = steps, say

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        if (batch + 1) * 10 // self.steps > batch * 10 // self.steps:
            self.say(f"  step {batch + 1} of {self.steps}: loss {(logs or {})['loss']:.2f}")


def _finetune(
    base: keras.Model, tokenizer: Tokenizer, train: Path, test: Path, real: bool, folder: Path, say: Say
) -> None:
    model = tasks.text_classification(base, data.labels(train))
    batches = data.read(train, tokenizer, model, batch_size=16)
    epochs, rate = (_REAL_EPOCHS, _REAL_RATE) if real else (_SMALL_EPOCHS, _SMALL_RATE)
    model.compile(**training.recipe(model, learning_rate=rate, steps=epochs * len(batches)))
    say(f"fine-tuning on {len(data.table(train))} bundled texts, {epochs} epochs")
    model.fit(batches, epochs=epochs, shuffle=False, verbose=0)
    save(model, tokenizer, folder)


def _export(folder: Path, check: Path, say: Say) -> dict[str, Path]:
    paths = {}
    for recipe in _RECIPES:
        say(f"exporting {recipe}.tflite and checking it")
        paths[recipe] = folder / f"{recipe}.tflite"
        export.tflite(folder / "model", paths[recipe], recipe=recipe, check=check)
    say("exporting saved_model/ for TF Serving")
    paths["SavedModel"] = export.saved_model(folder / "model", folder / "saved_model")
    return paths


def _compare(paths: dict[str, Path], test: Path) -> list[dict[str, Any]]:
    rows = data.table(test)
    expected: list[str] = []
    table = []
    for name, path in paths.items():
        predict = export.predictor(path)
        found = [answer["label"] for answer in predict(rows.texts)]
        expected = expected or found
        table.append(
            {
                "name": name,
                "accuracy": metrics.accuracy(rows.labels, found),
                "agreement": metrics.accuracy(expected, found),
                "megabytes": _megabytes(path),
                "milliseconds": _milliseconds(predict, rows.texts[:50]),
            }
        )
    return table


def _megabytes(path: Path) -> float:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def _milliseconds(predict: Callable[[list[str]], Any], texts: Sequence[str]) -> float:
    """Median time of one text, tokenization included."""
    seconds = []
    for text in texts:
        start = time.perf_counter()
        predict([text])
        seconds.append(time.perf_counter() - start)
    return float(np.median(seconds)) * 1e3
