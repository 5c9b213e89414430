"""Opens a preset: its config and tensors in Hugging Face's words, its tokenizer's files under Hugging Face's names."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.families import BY_BACKBONE
from bert_keras.weights.keras_hub.rows import Family, Head, Row
from bert_keras.weights.keras_hub.tokenizer_files import pad_token_id, read_tokenizer_files
from bert_keras.weights.keras_hub.weights_file import PresetTensors, WeightsFile


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


def is_preset(values: Mapping[str, Any]) -> bool:
    """Whether a parsed config.json is that of a KerasHub preset."""
    return isinstance(values.get("registered_name"), str) and isinstance(values.get("config"), dict)


def open_preset(folder: Path) -> Preset:
    """Open a local preset, without KerasHub.

    Args:
        folder: what `save_to_preset` of a backbone or a task wrote.

    Raises:
        InputError: a file is missing or damaged, the preset is of another family, or its weights are not its config's.
    """
    values = _read_json(folder / "config.json")
    family = _family(values, folder)
    files = read_tokenizer_files(folder, family.name)
    config = _config(family, values["config"], pad_token_id(files, family.pad_token_id), folder)
    skipped: dict[str, str] = {}
    ending, head = _head(folder, family, values["config"], config, skipped)
    config["architectures"] = [f"{family.architecture}{ending}"]

    weights = _open_weights(folder)
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
    name = str(values.get("registered_name")).rsplit(">", 1)[-1]
    if not is_preset(values):
        raise InputError(
            f"{folder}: config.json is not that of a KerasHub preset, which has registered_name and config"
        )
    if name not in BY_BACKBONE:
        raise InputError(f"{folder}: the preset is a {name}; known are {', '.join(BY_BACKBONE)}")
    return BY_BACKBONE[name]


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
    file = folder / "task.json"
    if not file.is_file():
        return "Model", None
    task = _read_json(file)
    settings = task.get("config") or {}
    name = str(task.get("class_name")).removeprefix(family.name).replace("Classifier", "TextClassifier")
    name = name.replace("TextText", "Text")
    for ending, head in family.heads.items():
        if name != head.task:
            continue
        if settings.get("hidden_dim") not in (None, backbone["hidden_dim"]):
            skipped[str(task["class_name"])] = "its hidden_dim is not the backbone's, as in Hugging Face's head"
        elif settings.get("activation") not in (None, "linear", "softmax"):
            skipped[str(task["class_name"])] = f"its activation is {settings['activation']}; the head gives logits"
        elif not (folder / "task.weights.h5").is_file():
            skipped[str(task["class_name"])] = "task.weights.h5 is missing"
        else:
            config |= _labels(settings)
            return ending, head
        return "Model", None
    reason = (
        "its LayerNorm has epsilon 1e-5, Hugging Face's head that of the encoder" if name == "MaskedLM" else "unknown"
    )
    skipped[str(task.get("class_name"))] = reason
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


def _read_json(file: Path) -> dict[str, Any]:
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise InputError(f"{file} holds no JSON object")
    return values
