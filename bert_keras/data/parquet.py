"""Parquet files as column names and numbered records."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from bert_keras.errors import InputError

_SUFFIX = b"PAR1"


def read_parquet(path: str) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    """Return the columns of a Parquet file and its (row number, values) records.

    Where Hugging Face's `datasets` wrote the names of classes into the file, they stand for the classes' numbers.

    Raises:
        InputError: the file is missing, or no Parquet file, or holds no rows.
    """
    _check(path)
    try:
        # Not `read_table`: it makes columns of folders' names such as lang=en.
        table = pyarrow.parquet.ParquetFile(path).read()
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None
    if not table.num_rows:
        raise InputError(f"{path} holds no rows")
    names = table.column_names
    classes = _classes(table.schema.metadata or {})

    def records() -> Iterator[tuple[int, list[Any]]]:
        number = 0
        for batch in table.to_batches(max_chunksize=1000):
            columns = [
                _named(column.to_pylist(), classes.get(name)) for name, column in zip(names, batch.columns, strict=True)
            ]
            for values in zip(*columns, strict=True):
                number += 1
                yield number, list(values)

    return names, records()


def _check(path: str) -> None:
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file")
    if Path(path).is_dir():
        raise InputError(f"{path} is a folder: name a file in it")
    with open(path, "rb") as file:
        if file.read(len(_SUFFIX)) != _SUFFIX:
            raise InputError(f"{path} is no Parquet file: those begin with {_SUFFIX.decode()}")


def _classes(metadata: dict[bytes, bytes]) -> dict[str, list[str]]:
    """The names of the classes of each column that has some."""
    try:
        features = json.loads(metadata.get(b"huggingface", b"{}"))["info"]["features"]
    except (ValueError, KeyError, TypeError):
        return {}
    # A list of classes holds them one level below.
    inner = {name: feature.get("feature", feature) for name, feature in features.items() if isinstance(feature, dict)}
    classes = {name: feature for name, feature in inner.items() if isinstance(feature, dict) and "names" in feature}
    return {name: feature["names"] for name, feature in classes.items()}


def _named(values: list[Any], names: list[str] | None) -> list[Any]:
    return values if names is None else [_name(value, names) for value in values]


def _name(value: Any, names: list[str]) -> Any:
    if isinstance(value, list):
        return [_name(item, names) for item in value]
    # Hidden labels of test splits are -1.
    return names[value] if isinstance(value, int) and 0 <= value < len(names) else None
