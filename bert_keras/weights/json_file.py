"""Reads the JSON files that stand beside weights."""

import json
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError


def read_json(file: Path) -> dict[str, Any]:
    """What a JSON file holds.

    Args:
        file: the file.

    Raises:
        InputError: it cannot be read, is not JSON, or holds no object.
    """
    values = _read(file)
    if not isinstance(values, dict):
        raise InputError(f"{file} holds no JSON object")
    return values


def read_json_list(file: Path) -> list[Any]:
    """The list that a JSON file holds.

    Args:
        file: the file.

    Raises:
        InputError: it cannot be read, is not JSON, or holds no list.
    """
    values = _read(file)
    if not isinstance(values, list):
        raise InputError(f"{file} holds no JSON list")
    return values


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}") from error
