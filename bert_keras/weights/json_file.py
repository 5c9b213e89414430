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
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise InputError(f"{file} holds no JSON object")
    return values
