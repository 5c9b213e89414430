"""Reads the JSON files of a preset."""

import json
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError


def read_object(file: Path) -> dict[str, Any]:
    """What a JSON file of KerasHub's holds: an object, in it `config`.

    Args:
        file: the file.

    Raises:
        InputError: it cannot be read, is not JSON, or holds something else.
    """
    try:
        values = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not isinstance(values, dict) or not isinstance(values.get("config"), dict):
        raise InputError(f"{file} is no file of KerasHub's: it holds no object with a config")
    return values
