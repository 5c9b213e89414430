"""How sentence-transformers' folders say what becomes of the tokens' vectors: modules.json and a folder a module."""

from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.json_file import read_json

POOLING_FILE = "1_Pooling/config.json"


def pooling_of(folder: Path) -> dict[str, Any]:
    """The options of sentence-similarity that a folder tells; none where it is not one of sentence-transformers.

    Args:
        folder: of the checkpoint.

    Raises:
        InputError: the vectors are made in a way that this version does not know.
    """
    file = folder / POOLING_FILE
    if file.is_file() and not read_json(file).get("pooling_mode_mean_tokens", True):
        raise InputError(
            f"{file}: the model's sentence vectors are not the mean of its tokens, the only kind of this version; "
            f"load it with task='feature-extraction' and pool its outputs"
        )
    return {}
