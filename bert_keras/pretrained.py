"""Models from checkpoints, and back: config + weights + tokenizer (+ head)."""

import dataclasses
import json
import logging
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
from safetensors.numpy import save as to_safetensors

from bert_keras import tasks, weights
from bert_keras.checkpoint import Checkpoint, open_checkpoint
from bert_keras.config import EncoderConfig
from bert_keras.encoder import config_of, encoder_to_fill
from bert_keras.errors import InputError
from bert_keras.families import FAMILIES, class_of
from bert_keras.files import output_folder, refuse_existing
from bert_keras.held_task import held_labels, held_task, may_be_choice_head, names_of, rows_for, task_rows, without_head
from bert_keras.sentence_modules import sentence_files, sentence_options
from bert_keras.text import Tokenizer

_log = logging.getLogger("bert_keras")

# What transformers calls the class of a classifier's head of one number.
_ONE_NUMBER = ["LABEL_0"]


def load(
    source: str | os.PathLike, task: str | None = None, labels: Sequence[str] | None = None, **options: Any
) -> tuple[keras.Model, Tokenizer]:
    """Load a model and its tokenizer.

    Args:
        source: a folder of Hugging Face's layout (config.json, model.safetensors or pytorch_model.bin, tokenizer
            files), a hub id such as `google-bert/bert-base-uncased`, a Google checkpoint of TensorFlow 1 (the folder or
            the `bert_model.ckpt` in it), the folder of a KerasHub preset, or a fairseq RoBERTa (`.pt`, with dict.txt).
        task: a name of `bert_keras.tasks.TASKS`; without it the head that the checkpoint holds, or the encoder.
        labels: names of the classes, for a task that has some, in the order of the logits; they rename those of a head
            that the checkpoint holds.
        **options: what the task's function takes beside them, such as `pooling` of sentence-similarity; they win over
            what the checkpoint says.

    Returns:
        A functional `keras.Model` and a `Tokenizer`.

    Raises:
        InputError: the source is not found, of another architecture, incomplete or damaged; or the head asked for
            has another number of labels than the checkpoint's, or the same in another order.
    """
    model, tokenizer, report = load_with_report(source, task, labels, **options)
    if report.new:
        # A new head is what a caller who names its labels expects; any other, or a new pooler under it, is not.
        layers = {path.split("/")[0] for path in report.new}
        head = tasks.TASKS[tasks.task_of(model)].heads
        asked = labels is not None and layers <= {*head, "classification_pooler"}
        level = logging.INFO if asked else logging.WARNING
        _log.log(level, "%s: newly initialised, to be trained: %s", source, ", ".join(report.new))
    return model, tokenizer


def load_with_report(
    source: str | os.PathLike, task: str | None = None, labels: Sequence[str] | None = None, **options: Any
) -> tuple[keras.Model, Tokenizer, weights.Report]:
    """`load`, with what became of every tensor.

    Args:
        source: as for `load`.
        task: as for `load`.
        labels: as for `load`.
        **options: as for `load`.

    Returns:
        The model, the tokenizer and a `bert_keras.weights.Report`.

    Raises:
        InputError: as for `load`.
    """
    checkpoint = open_checkpoint(source, generator=task == "fill-mask")
    own_task = held_task(checkpoint)
    if task == "multiple-choice" and may_be_choice_head(checkpoint, own_task):
        own_task = task
    if task is None:
        if own_task is None:
            raise InputError(
                f"{checkpoint.folder}: this version has no head for "
                f"{', '.join(map(str, checkpoint.config.extra['architectures']))}; pass task='feature-extraction' for "
                f"the encoder alone"
            )
        task = own_task
    if task not in tasks.TASKS:
        raise InputError(f"no task is named {task!r}; known are {', '.join(tasks.TASKS)}")
    return _built(checkpoint, own_task, task, labels, options)


def load_for_labels(
    source: str | os.PathLike, task: str, labels: Sequence[str], **options: Any
) -> tuple[keras.Model, Tokenizer, weights.Report]:
    """`load_with_report` for training on data with these labels: a head for other labels gives way to a new one.

    A head for the same labels stays, with its own order of them.

    Args:
        source: as for `load`.
        task: one whose head has named classes.
        labels: names of the classes in the data, in any order.
        **options: as for `load`.

    Returns:
        The model, the tokenizer and a `bert_keras.weights.Report`.

    Raises:
        InputError: as for `load`.
    """
    checkpoint = open_checkpoint(source)
    own_task = held_task(checkpoint)
    own = held_labels(checkpoint, rows_for(checkpoint, own_task, task), task)
    if own is not None and set(own) == set(labels):
        return _built(checkpoint, own_task, task, None, options)
    return _built(without_head(checkpoint, own_task, task), own_task, task, labels, options)


def _built(
    checkpoint: Checkpoint,
    own_task: str | None,
    task: str,
    labels: Sequence[str] | None,
    chosen: Mapping[str, Any],
) -> tuple[keras.Model, Tokenizer, weights.Report]:
    tokenizer = _tokenizer(checkpoint)
    if len(tokenizer.vocabulary) > checkpoint.config.vocab_size:
        raise InputError(
            f"{checkpoint.folder}: the vocabulary has {len(tokenizer.vocabulary)} pieces, but the token table only "
            f"{checkpoint.config.vocab_size} rows (vocab_size): these are files of different models"
        )
    rows = rows_for(checkpoint, own_task, task)
    options = _options(checkpoint, own_task, task, chosen, getattr(tokenizer, "lowercase", False))
    base = encoder_to_fill(checkpoint.config)
    if tasks.TASKS[task].has_labels:
        model = tasks.TASKS[task](base, _labels(checkpoint, rows, task, labels), **options)
    elif task == "fill-mask":
        # DeBERTa's original checkpoints hold absolute positions for the decoder; transformers ignores them.
        decoder = any(
            row.variable == "mask_decoder/position_embedding" and row.name in checkpoint.names for row in rows
        )
        model = tasks.fill_mask(base, mask_decoder=decoder)
    else:
        model = tasks.TASKS[task](base, **options)
    report = weights.apply(model, checkpoint.tensors, checkpoint.names, rows, checkpoint.source)
    report.ignored |= checkpoint.skipped
    return model, tokenizer, report


def _options(
    checkpoint: Checkpoint, own_task: str | None, task: str, chosen: Mapping[str, Any], lowercase: bool
) -> dict[str, Any]:
    """What the task's function takes beside the labels: as chosen, else as the checkpoint says."""
    known = tasks.TASKS[task].options
    for name in chosen:
        if name not in known:
            raise InputError(f"{task} has no option {name!r}; it has: {', '.join(known) or 'none'}")
    told = checkpoint.config.extra.get("bert_keras") or {} if own_task == task else {}
    if task == "sentence-similarity":
        # What sentence-transformers wrote wins: it keeps our part of a config.json that it changes.
        told = {**told, **sentence_options(checkpoint.folder, checkpoint.config.max_length, lowercase)}
    return {**{name: told[name] for name in known if name in told}, **chosen}


def save(
    model: keras.Model, tokenizer: Tokenizer, folder: str | os.PathLike, force: bool = False, layout: str = "hf"
) -> None:
    """Write a folder that `load` opens, and transformers, Google's code or KerasHub.

    Args:
        model: a model of `load` or of a task.
        tokenizer: its tokenizer.
        folder: the folder to make.
        force: replace an existing folder.
        layout: `hf` for Hugging Face's (config.json, model.safetensors, tokenizer files), `tf1` for Google's
            TensorFlow 1 checkpoints, `keras-hub` for a KerasHub preset.

    Raises:
        InputError: the folder exists and `force` is false, the model is not one of ours or holds NaN, its family has
            no such checkpoints, or the tokenizer is another model's.
    """
    report = save_with_report(model, tokenizer, folder, force, layout)
    if report.new:
        _log.warning("%s: newly initialised, as the model has none: %s", folder, ", ".join(report.new))
    for name, reason in report.ignored.items():
        _log.warning("%s: %s is not written: %s", folder, name, reason)


def save_with_report(
    model: keras.Model, tokenizer: Tokenizer, folder: str | os.PathLike, force: bool = False, layout: str = "hf"
) -> weights.Report:
    """`save`, with what the layout has no place for (`ignored`) and what it has besides (`new`).

    Args:
        model: as for `save`.
        tokenizer: as for `save`.
        folder: as for `save`.
        force: as for `save`.
        layout: as for `save`.

    Raises:
        InputError: as for `save`.
    """
    if layout not in LAYOUTS:
        raise InputError(f"no layout is named {layout!r}; known are {', '.join(LAYOUTS)}")
    refuse_existing(folder, force)
    values, tensors = hf_checkpoint(model)
    if len(tokenizer.vocabulary) > config_of(model).vocab_size:
        raise InputError(
            f"the tokenizer has {len(tokenizer.vocabulary)} pieces, the model's token table only "
            f"{config_of(model).vocab_size} rows: pass the tokenizer that belongs to the model"
        )
    return LAYOUTS[layout](values, tensors, tokenizer, folder, force)


def hf_checkpoint(model: keras.Model) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The values of config.json and the tensors of a model, as Hugging Face has them.

    Args:
        model: a model of `load` or of a task.

    Returns:
        Key -> value, and name -> float32 array, matrices `[out, in]`.

    Raises:
        InputError: the model is not one of ours or holds NaN, or its family has no such checkpoints.
    """
    task, labels, config = tasks.task_of(model), tasks.labels_of(model), config_of(model)
    sharing = names_of(task)
    family, architecture = FAMILIES[config.model_type], class_of(config, sharing)
    values = {**family.hf_config(config), "architectures": [architecture], "dtype": "float32"}
    _check_translation(config, family.encoder_config(values))
    values.pop("torch_dtype", None)
    # What an earlier head was for.
    values.pop("problem_type", None)
    if tasks.TASKS[task].problem_type:
        values["problem_type"] = tasks.TASKS[task].problem_type
    # transformers ignores the key; it tells `load` of tasks that have no architecture there, and of their options.
    values["bert_keras"] = {"task": task, **tasks.options_of(model)}
    if tasks.TASKS[task].shares and labels is None:
        labels = _ONE_NUMBER
    if tasks.TASKS[task].has_labels or tasks.TASKS[task].shares:
        values["id2label"] = {str(i): label for i, label in enumerate(labels or [])}
        values["label2id"] = {label: i for i, label in enumerate(labels or [])}
    tensors = weights.collect(model, task_rows(family.TABLE.rows(config, sharing), task))
    if not architecture.endswith("Model"):
        prefix, heads = family.TABLE.PREFIX, family.TABLE.HEADS
        tensors = {name if name.startswith(heads) else prefix + name: array for name, array in tensors.items()}
    return values, tensors


def _save_hf(
    values: dict[str, Any], tensors: dict[str, np.ndarray], tokenizer: Tokenizer, folder: str | os.PathLike, force: bool
) -> weights.Report:
    with output_folder(folder, force) as new:
        (new / "config.json").write_text(json.dumps(values, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        # Not save_file: its file only the owner may read, and a full disk is no OSError there.
        (new / "model.safetensors").write_bytes(to_safetensors(tensors, metadata={"format": "pt"}))
        tokenizer.save(new)
        for name, content in _modules(values).items():
            (new / name).parent.mkdir(exist_ok=True)
            (new / name).write_bytes(content)
    return weights.Report()


def _modules(values: dict[str, Any]) -> dict[str, bytes]:
    """The files by which sentence-transformers opens a folder, of a model that it can hold."""
    told = values["bert_keras"]
    if told["task"] != "sentence-similarity":
        return {}
    config = FAMILIES[values["model_type"]].encoder_config(values)
    return sentence_files(told, config.hidden_size, told["max_length"] or config.max_length)


def _save_tf1(
    values: dict[str, Any], tensors: dict[str, np.ndarray], tokenizer: Tokenizer, folder: str | os.PathLike, force: bool
) -> weights.Report:
    from bert_keras.weights.tf1_writer import write_tf1

    with output_folder(folder, force) as new:
        write_tf1(tensors, values, new)
        tokenizer.save(new)
    return weights.Report()


def _save_keras_hub(
    values: dict[str, Any], tensors: dict[str, np.ndarray], tokenizer: Tokenizer, folder: str | os.PathLike, force: bool
) -> weights.Report:
    from bert_keras.weights.keras_hub import write_preset

    with tempfile.TemporaryDirectory() as temporary:
        tokenizer.save(temporary, force=True)
        files = {file.name: file.read_bytes() for file in Path(temporary).iterdir()}
    return write_preset(values, tensors, files, folder, force)


# Layout -> what writes it.
LAYOUTS: dict[str, Callable[..., weights.Report]] = {"hf": _save_hf, "tf1": _save_tf1, "keras-hub": _save_keras_hub}


def _tokenizer(checkpoint: Checkpoint) -> Tokenizer:
    if checkpoint.tokenizer_files is None:
        return Tokenizer.from_folder(checkpoint.folder, segments=checkpoint.config.has_segments)
    if not checkpoint.tokenizer_files:
        raise InputError(f"{checkpoint.folder} holds no tokenizer: save it with one")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in checkpoint.tokenizer_files.items():
            (Path(folder) / name).write_bytes(content)
        try:
            return Tokenizer.from_folder(folder, segments=checkpoint.config.has_segments)
        except InputError as error:
            # The files of that folder are gone when the message is read.
            raise InputError(str(error).replace(folder, f"{checkpoint.folder}, as its tokenizer's")) from error


def _check_translation(config: EncoderConfig, read_again: EncoderConfig) -> None:
    """Refuse a config that config.json, as the family has it, cannot tell."""
    for field in dataclasses.fields(EncoderConfig):
        value, other = getattr(config, field.name), getattr(read_again, field.name)
        if field.name != "extra" and value != other:
            raise InputError(
                f"config: {field.name} is {value!r}, but a model of the family {config.model_type} can only have "
                f"{other!r}: it cannot be saved"
            )


def _labels(
    checkpoint: Checkpoint, rows: Sequence[weights.Row], task: str, labels: Sequence[str] | None
) -> Sequence[str]:
    own = held_labels(checkpoint, rows, task)
    if own is None:
        if labels is None:
            labels = tasks.TASKS[task].new_labels or None
        if labels is None:
            raise InputError(f"{checkpoint.folder} holds no head for {task}: pass labels=[...] for a new one")
        return labels
    function = task.replace("-", "_")
    if labels is not None and len(labels) != len(own):
        raise InputError(
            f"{checkpoint.folder}: its head has {len(own)} labels ({', '.join(own)}), not {len(labels)}: for a new "
            f"head load it with task='feature-extraction' and call bert_keras.tasks.{function}(model, labels)"
        )
    if labels is not None and set(labels) == set(own) and list(labels) != own:
        raise InputError(
            f"{checkpoint.folder}: its head has the labels in the order {', '.join(own)}, not {', '.join(labels)}: "
            f"leave labels out, or pass them in that order"
        )
    return own if labels is None else labels
