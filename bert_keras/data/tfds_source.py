"""Prepared TensorFlow Datasets, read from their folder: nothing is downloaded."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tensorflow_datasets as tfds

from bert_keras.data.records import Record
from bert_keras.errors import InputError

_VERSION = re.compile(r"\d+\.\d+\.\d+")


def read_tfds(source: str, data_dir: str | os.PathLike | None = None) -> tuple[list[str], Iterator[Record]]:
    """Return the features of a prepared split that hold text or numbers, and its (example number, values) records.

    Args:
        source: `tfds:name[/config][/version][:split]`.
        data_dir: the folder that holds `name/config/version`; TFDS's default when None.

    Raises:
        InputError: the data set is not prepared there, or has no such split.
    """
    name, split = _parse(source)
    root = Path(data_dir or os.environ.get("TFDS_DATA_DIR") or "~/tensorflow_datasets").expanduser()
    builder = tfds.builder_from_directory(_prepared_folder(source, name, root))
    splits = builder.info.splits
    if split not in splits:
        raise InputError(f"{source}: there is no split {split!r}; the splits are {', '.join(sorted(splits))}")
    features = {key: feature for key, feature in builder.info.features.items() if _holds_text(feature)}

    def records() -> Iterator[Record]:
        examples = tfds.as_numpy(builder.as_dataset(split=split, shuffle_files=False))
        for number, example in enumerate(examples, start=1):
            yield number, [_value(feature, example[key]) for key, feature in features.items()]

    return list(features), records()


def _parse(source: str) -> tuple[str, str]:
    _, name, *split = source.split(":")
    if not name or len(split) > 1:
        raise InputError(f"{source}: a TFDS name looks like tfds:glue/sst2 or tfds:glue/sst2:validation")
    return name, split[0] if split else "train"


def _prepared_folder(source: str, name: str, root: Path) -> Path:
    folder = root / name
    if (folder / "dataset_info.json").exists():
        return folder
    versions = [info.parent for info in folder.glob("*/dataset_info.json") if _VERSION.fullmatch(info.parent.name)]
    if not versions:
        raise InputError(
            f"{source} is not prepared in {root}: run `tfds build {name} --data_dir={root}` once (it downloads the "
            "data), or name the folder of prepared data with data_dir= (--data-dir)"
        )
    return max(versions, key=lambda path: [int(part) for part in path.name.split(".")])


def _holds_text(feature: Any) -> bool:
    """Whether a feature is a scalar, or scalars in sequences and dicts: no picture, no sound."""
    if isinstance(feature, tfds.features.FeaturesDict):
        return all(_holds_text(inner) for inner in feature.values())
    if isinstance(feature, tfds.features.Sequence):
        return _holds_text(feature.feature)
    return feature.shape == ()


def _value(feature: Any, value: Any) -> Any:
    """A feature's value in Python's own types; None for a hidden label."""
    if isinstance(feature, tfds.features.FeaturesDict):
        return {key: _value(feature[key], value[key]) for key in feature}
    if isinstance(feature, tfds.features.Sequence):
        # TFDS gives a sequence of dicts as a dict of sequences.
        if isinstance(feature.feature, tfds.features.FeaturesDict):
            return {key: [_value(inner, item) for item in value[key]] for key, inner in feature.feature.items()}
        return [_value(feature.feature, item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if isinstance(feature, tfds.features.ClassLabel):
        # Hidden labels of test splits are -1.
        return feature.int2str(int(value)) if int(value) >= 0 else None
    # As the number was written: 3.8 in 32 bits would be 3.799999952316284.
    return float(str(value)) if value.dtype.kind == "f" else value.item()
