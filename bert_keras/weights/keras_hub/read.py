"""Opens a preset: its config and tensors in Hugging Face's words, its tokenizer's files under Hugging Face's names."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.families import BY_BACKBONE
from bert_keras.weights.keras_hub.json_file import read_object
from bert_keras.weights.keras_hub.rows import Family, Head, Row
from bert_keras.weights.keras_hub.tokenizer_files import pad_token_id, read_tokenizer_files
from bert_keras.weights.keras_hub.weights_file import PresetTensors, WeightsFile

_OLD_NAMES = {"Classifier": "TextClassifier"}
_NO_HEAD = {"MaskedLM": "its LayerNorm has epsilon 1e-5, Hugging Face's head the encoder's"}


@dataclasses.dataclass(frozen=True)
class Preset:
    """A preset in Hugging Face's words.

    Args:
        config: the values of config.json.
        tensors: name -> float32 array, matrices `[out, in]`.
        tokenizer_files: name of a tokenizer's file -> its bytes; empty where the preset holds no tokenizer.
        skipped: what the preset holds and Hugging Face's model has no place for -> why.
    """

    config: dict[str, Any]
    tensors: PresetTensors
    tokenizer_files: dict[str, bytes]
    skipped: dict[str, str]


def open_preset(folder: Path) -> Preset:
    """Open a local preset, without KerasHub.

    Args:
        folder: what `save_to_preset` of a backbone or a task wrote.

    Raises:
        InputError: a file is missing or damaged, the preset is of another family, or its weights are not its config's.
    """
    values = read_object(folder / "config.json")
    family = _family(values, folder)
    weights = _open_weights(folder)
    _check_sizes(values["config"], weights, folder)
    files = read_tokenizer_files(folder, family.name)
    config = _config(family, values["config"], pad_token_id(files, family.pad_token_id), folder)
    skipped: dict[str, str] = {}
    ending, head = _head(folder, family, values["config"], config, skipped)
    config["architectures"] = [f"{family.architecture}{ending}"]

    table = family.rows(config)
    _check_complete(weights, table)
    skipped |= {row.variable: f"{family.architecture}Model has no such part" for row in table if not row.name}
    prefix = family.prefix if head else ""
    parts = [(weights, [_with_prefix(row, prefix) for row in table if row.name])]
    if head:
        task = WeightsFile(folder / "task.weights.h5")
        _check_complete(task, head.rows)
        parts.append((task, list(head.rows)))
    return Preset(config, PresetTensors(parts), files, skipped)


def _family(values: Mapping[str, Any], folder: Path) -> Family:
    if not isinstance(values.get("registered_name"), str):
        raise InputError(f"{folder}: config.json is not that of a KerasHub preset, which has a registered_name")
    # `keras_hub>BertBackbone`, of old `keras_nlp>BertBackbone`.
    name = values["registered_name"].rsplit(">", 1)[-1]
    if name not in BY_BACKBONE:
        raise InputError(f"{folder}: the preset is a {name}; known are {', '.join(BY_BACKBONE)}")
    return BY_BACKBONE[name]


def _check_sizes(config: Mapping[str, Any], weights: WeightsFile, folder: Path) -> None:
    """Refuse sizes that no file of this one's length has, before a table of that length is made."""
    for key, value in config.items():
        if key in ("name", "trainable", "dtype", "dropout"):
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InputError(f"{folder}: config.json has {key} = {value!r}; it must be a positive whole number")
    counted = ("num_groups", "num_inner_repetitions") if "num_groups" in config else ("num_layers",)
    blocks = math.prod(config.get(key, 1) for key in counted)
    if blocks > len(list(weights)):
        raise InputError(f"{weights.path} has no {blocks} blocks, which config.json asks for")


def _config(family: Family, config: Mapping[str, Any], pad_id: int, folder: Path) -> dict[str, Any]:
    try:
        values = family.hugging_face_config(config, pad_id)
    except KeyError as error:
        raise InputError(f"{folder}: config.json lacks {error} of the {family.name}Backbone") from None
    return {"model_type": family.model_type, **values}


def _head(
    folder: Path, family: Family, backbone: Mapping[str, Any], config: dict[str, Any], skipped: dict[str, str]
) -> tuple[str, Head | None]:
    """The end of Hugging Face's class and the head, which is left out where Hugging Face's would compute otherwise."""
    if not (folder / "task.json").is_file():
        return "Model", None
    values = read_object(folder / "task.json")
    task, settings = str(values.get("class_name")), values["config"]
    name = task.removeprefix(family.name)
    name = _OLD_NAMES.get(name, name)
    if name == "TextEmbedder" and settings.get("pooling_mode") == "mean" and settings.get("normalize"):
        config["bert_keras"] = {"task": "sentence-similarity"}
    if not (folder / "task.weights.h5").is_file():
        return "Model", None
    ending, head = next(((end, head) for end, head in family.heads.items() if head.task == name), ("Model", None))
    if head is None:
        skipped[task] = _NO_HEAD.get(name, "this version has no such head")
    elif settings.get("hidden_dim") not in (None, backbone["hidden_dim"]):
        skipped[task] = "its hidden_dim is not the backbone's, as it is in Hugging Face's head"
    elif settings.get("activation") not in (None, "linear", "softmax"):
        skipped[task] = f"its activation is {settings['activation']!r}; Hugging Face's head gives logits or softmax"
    else:
        config |= _labels(settings)
        if head.dropout:
            config[head.dropout] = settings.get("dropout", 0.0)
        return ending, head
    return "Model", None


def _labels(settings: Mapping[str, Any]) -> dict[str, Any]:
    count = settings.get("num_classes")
    if not isinstance(count, int):
        return {}
    names = [f"LABEL_{i}" for i in range(count)]
    return {"id2label": {str(i): name for i, name in enumerate(names)}, "label2id": {n: i for i, n in enumerate(names)}}


def _open_weights(folder: Path) -> WeightsFile:
    file = folder / "model.weights.h5"
    if file.is_file():
        return WeightsFile(file)
    if (folder / "model.weights.json").is_file():
        raise InputError(f"{folder}: sharded weights cannot be read; save the preset with max_shard_size=None")
    raise InputError(f"{folder}: model.weights.h5 is missing")


def _check_complete(file: WeightsFile, rows: Iterable[Row]) -> None:
    places = {row.file for row in rows}
    problems = {"missing": sorted(places.difference(file)), "unknown": sorted(set(file) - places)}
    if any(problems.values()):
        raise InputError(
            f"{file.path} does not fit the preset's config: "
            + "; ".join(f"{len(names)} {what}, the first {names[0]}" for what, names in problems.items() if names)
        )


def _with_prefix(row: Row, prefix: str) -> Row:
    return dataclasses.replace(row, name=prefix + row.name, folded=row.folded and prefix + row.folded)
