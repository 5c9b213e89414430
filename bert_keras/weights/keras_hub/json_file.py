"""Reads the JSON files of a preset."""

from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.json_file import read_json


def read_object(file: Path) -> dict[str, Any]:
    """What a JSON file of KerasHub's holds: an object, in it `config`.

    Args:
        file: the file.

    Raises:
        InputError: it cannot be read, is not JSON, or holds something else.
    """
    values = read_json(file)
    if not isinstance(values.get("config"), dict):
        raise InputError(f"{file} is no file of KerasHub's: it holds no object with a config")
    return values
