"""From a model to a checked .tflite file."""

import dataclasses
import os
import warnings
from collections.abc import Sequence
from typing import Any

import bert_keras
from bert_keras.config import EncoderConfig
from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.export import metadata, model_file, task_library
from bert_keras.export.check import accuracy_warning, compare, probe, refuse_bad
from bert_keras.export.convert import float_model
from bert_keras.export.examples import examples
from bert_keras.export.outputs import forward_of
from bert_keras.export.packed_tokenizer import packed
from bert_keras.export.quantize import quantized
from bert_keras.export.recipes import recipe_named
from bert_keras.export.source import check_weights, checked_length, opened
from bert_keras.export.tflite_graph import FORMAT, TfliteGraph
from bert_keras.files import output_file, refuse_existing
from bert_keras.tasks import TASKS, answer_of, labels_of, options_of, task_of
from bert_keras.text import Tokenizer, WordPieceTokenizer
from bert_keras.text.vocabulary import SPECIAL_TOKENS


@dataclasses.dataclass(frozen=True)
class Report:
    """What was written, and how it answered.

    Args:
        path: the file.
        recipe: how its weights are stored.
        task: what it answers.
        megabytes: its size, in millions of bytes.
        float32_megabytes: the size that recipe float32 gives.
        ratio: the one divided by the other.
        operators: how often each operator occurs; all are built into LiteRT.
        checked_on: `probe` for random tokens, `data` for the user's texts.
        examples: how many texts the file was run on.
        agreement: share of them with the model's label; None where the task has no labels.
        model_accuracy, file_accuracy: share of right labels; None without labelled data.
        mean_difference, max_difference: |file - model| / |model| of an example's output, as vectors.
        max_probability_difference: the largest difference of one probability; None where the task has none.
        latency_ms: median milliseconds of one text on one thread, at its own length.
        notes: what a user should know.
    """

    path: str
    recipe: str
    task: str
    megabytes: float
    float32_megabytes: float
    ratio: float
    operators: dict[str, int]
    checked_on: str
    examples: int
    agreement: float | None
    model_accuracy: float | None
    file_accuracy: float | None
    mean_difference: float
    max_difference: float
    max_probability_difference: float | None
    latency_ms: float
    notes: list[str]

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values, for JSON."""
        return dataclasses.asdict(self)


def tflite(
    model_or_folder: Any,
    path: str | os.PathLike,
    recipe: str = "int8",
    check: Any = None,
    tokenizer: Tokenizer | None = None,
    force: bool = False,
    labels: Sequence[str] | None = None,
    max_length: int | None = None,
) -> Report:
    """Write a model as one file for phones: weights, tokenizer and labels; run it, and keep it only if it is right.

    The file takes one text at its real length, holds only operators that LiteRT has built in, and carries the metadata
    that MediaPipe's text tasks read. It is run on `check` beside the model; without `check`, on random tokens.

    Args:
        model_or_folder: a model that a task made, or a folder that `bert_keras.save` wrote (or another source of
            `bert_keras.load`).
        path: the .tflite file to write.
        recipe: a key of `bert_keras.export.RECIPES`.
        check: a file or TFDS name, the `Rows` of `bert_keras.data.table`, a list of texts, or a dataset of
            `bert_keras.data.read`.
        tokenizer: the model's tokenizer; a folder has its own.
        force: replace an existing file.
        labels: names of the classes, in place of the model's.
        max_length: tokens that are read of a text, by every client; the model's longest if None.

    Returns:
        A `Report`.

    Raises:
        InputError: the model's task has no such file, the tokenizer is missing or does not belong to the model, the
            file exists, or it answers otherwise than the model: on fewer than 99 % (int8: 95 %) of 50 or more
            examples, or with outputs that differ by more than the recipe's bound. Nothing is written then.
    """
    rule = recipe_named(recipe)
    refuse_existing(path, force)
    model, tokenizer = opened(model_or_folder, tokenizer)
    config, task = config_of(model), task_of(model)
    make_head = TASKS[task].lean
    if make_head is None:
        known = ", ".join(name for name, other in TASKS.items() if other.lean)
        raise InputError(f"a model for {task} cannot be exported to tflite; tasks that can are {known}")
    head, labels = make_head(options_of(model)), _labels(model, labels)
    for layer in model.layers:
        if layer.name in head.refuses:
            raise InputError(f"a model for {task} cannot be exported to tflite: {head.refuses[layer.name]}")
    max_length = checked_length(model, tokenizer, max_length)
    check_weights(model)
    texts = None if check is None else examples(check, model, tokenizer, max_length)
    notes = _notes(tokenizer)
    # MediaPipe gives three inputs: its file has segment_ids even where the model has none.
    names = ["ids", "mask", *(["segment_ids"] if config.has_segments or not notes else [])]
    names += ["masked_positions"] if head.masked_only else []

    with output_file(path, force) as new:
        float_file = new.with_suffix(".float32")
        variables = {variable.path: variable for variable in model.weights}
        float_file.write_bytes(model_file.pack(float_model(variables, config, head, max_length, names)))
        stored = quantized(float_file, rule)
        float_bytes = float_file.stat().st_size
        float_file.unlink()
        operators = model_file.operators(stored)
        _refuse_foreign(operators)
        inputs, outputs = model_file.tensor_names(stored)
        metadata.attach(stored, metadata.metadata(model.name, inputs, outputs, not notes, labels is not None))
        if TASKS[task].answer == task_library.ANSWER:
            task_library.show_length(stored)
            notes = notes or task_library.notes(recipe, max_length)
        settings, files = packed(tokenizer)
        about = _about(config, task, labels, answer_of(model), recipe, max_length, settings)
        weight_bytes = metadata.write(new, stored, files | _label_file(labels), about)
        size = new.stat().st_size
        del stored

        runner, forward = TfliteGraph(new), forward_of(model)
        comparison = compare(forward, runner, probe(config.vocab_size, max_length))
        refuse_bad(recipe, rule, comparison)
        if texts is not None:
            comparison = compare(forward, runner, texts)
            refuse_bad(recipe, rule, comparison)
    float32_size = float_bytes + size - weight_bytes
    warning = accuracy_warning(recipe, comparison)
    if warning:
        warnings.warn(warning, stacklevel=2)
        notes.append(warning)
    return Report(
        path=str(path),
        recipe=recipe,
        task=task,
        megabytes=size / 1e6,
        float32_megabytes=float32_size / 1e6,
        ratio=size / float32_size,
        operators=operators,
        checked_on="probe" if texts is None else "data",
        notes=notes,
        **dataclasses.asdict(comparison),
    )


def _labels(model: Any, labels: Sequence[str] | None) -> list[str] | None:
    own = labels_of(model)
    if labels is None:
        labels = own
    elif own is None or len(labels) != len(own):
        raise InputError(f"labels has {len(labels)} names, but the model has {len(own or [])} classes")
    if labels is not None and len(set(labels)) < len(labels):
        raise InputError(f"a label is named twice: {list(labels)}")
    for label in labels or []:
        if "\n" in label or "\r" in label:
            raise InputError(f"the label {label!r} holds a line end; labels.txt has one label a line")
    return None if labels is None else list(labels)


def _notes(tokenizer: Tokenizer) -> list[str]:
    """Why MediaPipe's own tokenizer cannot stand in for the model's; none if it can."""
    without = "the file has no MediaPipe tokenizer; run it with bert_keras.predictor, or with LiteRT and own ids"
    if not isinstance(tokenizer, WordPieceTokenizer):
        return [f"MediaPipe's tokenizer knows wordpiece only and the model's is {tokenizer.kind}: {without}"]
    if not tokenizer.lowercase:
        return [f"the model is cased and MediaPipe's tokenizer always lower-cases: {without}"]
    if tokenizer.special_tokens != SPECIAL_TOKENS:
        return [f"the special tokens are not named [CLS], [SEP], [UNK] as MediaPipe's tokenizer expects: {without}"]
    return []


def _refuse_foreign(operators: dict[str, int]) -> None:
    foreign = [name for name in operators if name.startswith("CUSTOM:")]
    if foreign:
        raise InputError(f"the file would need operators that LiteRT does not have: {', '.join(foreign)}")


def _label_file(labels: Sequence[str] | None) -> dict[str, bytes]:
    return {} if labels is None else {metadata.LABELS: "".join(f"{label}\n" for label in labels).encode()}


def _about(
    config: EncoderConfig,
    task: str,
    labels: Sequence[str] | None,
    answer: dict[str, Any] | None,
    recipe: str,
    max_length: int,
    tokenizer: dict[str, Any],
) -> dict[str, Any]:
    """bert_keras.json: what our own predictor needs beside the weights and the tokenizer's files."""
    return {
        "format": FORMAT,
        "version": bert_keras.__version__,
        "task": task,
        "labels": labels,
        "answer": answer,
        "recipe": recipe,
        "max_length": max_length,
        "max_position_embeddings": config.max_length,  # of tokens, where the table has more rows
        "vocab_size": config.vocab_size,
        "type_vocab_size": config.type_vocab_size,
        "tokenizer": tokenizer,
    }
