"""How sentence-transformers' folders say what becomes of the tokens' vectors: modules.json and a folder a module.

Source: `sentence_transformers` 6.2, `base/model.py` and `sentence_transformer/modules/pooling.py`; folders of versions
before 6 have a key for each kind of pooling, and those before 5 other names of the modules' classes.
"""

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.json_file import read_json, read_json_list

MODULES = "modules.json"
SETTINGS = "config_sentence_transformers.json"
# Files of the modules, as patterns of a hub's file names.
PATTERNS = [MODULES, SETTINGS, "sentence_*_config.json", "*_Pooling/config.json"]

_POOLING_FILE = "1_Pooling/config.json"
# Their name of a pooling -> ours.
_POOLINGS = {"mean": "mean", "cls": "first", "max": "max"}
_OLD_KEYS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_ORDERS = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
_KIND = "SentenceTransformer"

_log = logging.getLogger("bert_keras")


def is_sentence_model(folder: Path) -> bool:
    """Whether a folder says that its model gives a vector a text.

    Args:
        folder: of the checkpoint.

    Raises:
        InputError: a file of it is damaged.
    """
    if not (folder / MODULES).is_file():
        return False
    return _settings(folder).get("model_type", _KIND) == _KIND and "Pooling" in [kind for kind, _ in _modules(folder)]


def sentence_options(folder: Path, longest: int, lowercase: bool) -> dict[str, Any]:
    """The options of sentence-similarity that a folder tells; none where it is not one of sentence-transformers.

    Args:
        folder: of the checkpoint.
        longest: the most tokens that the encoder takes.
        lowercase: whether the tokenizer lower-cases.

    Raises:
        InputError: a file of it is damaged, or the vectors are made in a way that this version does not know.
    """
    if not (folder / MODULES).is_file():
        file = folder / _POOLING_FILE
        return {"pooling": _pooling(file)} if file.is_file() else {}
    modules = _modules(folder)
    kinds = [kind for kind, _ in modules]
    if kinds not in _ORDERS:
        raise InputError(
            f"{folder / MODULES}: the model consists of {', '.join(kinds) or 'nothing'}; this version knows "
            f"Transformer, Pooling, Normalize: load it with task='feature-extraction' for the encoder alone"
        )
    file, settings = folder / modules[1][1] / "config.json", _settings(folder)
    _warn_of_prompt(folder, settings)
    options = {
        # Unlike Path.is_file, isfile raises nothing for a name that no file can have.
        "pooling": _pooling(file) if os.path.isfile(file) else _assumed(file),
        "normalize": "Normalize" in kinds,
        "max_length": _max_length(folder, longest, lowercase),
    }
    dimensions = settings.get("truncate_dim")
    if dimensions is None:
        return options
    return {**options, "dimensions": _whole(dimensions, "truncate_dim", folder / SETTINGS)}


def sentence_files(options: Mapping[str, Any], hidden_size: int, max_length: int) -> dict[str, bytes]:
    """The files that make a folder of Hugging Face's one of sentence-transformers, by their names in it.

    Versions from 2 on read them. `dimensions` become `truncate_dim`, by which sentence-transformers cuts a vector after
    it has scaled it: its direction is that of ours, its length is not 1.

    Args:
        options: of the model, as `bert_keras.tasks.options_of` gives them.
        hidden_size: H, of the encoder.
        max_length: tokens that are read of a text.
    """
    pooling = next(theirs for theirs, ours in _POOLINGS.items() if ours == options["pooling"])
    kinds = _ORDERS[bool(options["normalize"])]
    modules = [
        {"idx": i, "name": str(i), "path": f"{i}_{kind}" if i else "", "type": f"sentence_transformers.models.{kind}"}
        for i, kind in enumerate(kinds)
    ]
    settings: dict[str, Any] = {
        "model_type": _KIND,
        # Versions before 5 look into it for their own.
        "__version__": {"sentence_transformers": "2.0.0"},
        "prompts": {},
        "default_prompt_name": None,
        "similarity_fn_name": "cosine",
    }
    if options["dimensions"] is not None:
        settings["truncate_dim"] = options["dimensions"]
    poolings = {key: kind == pooling for key, kind in _OLD_KEYS.items()}
    values: dict[str, Any] = {
        MODULES: modules,
        SETTINGS: settings,
        "sentence_bert_config.json": {"max_seq_length": max_length, "do_lower_case": False},
        _POOLING_FILE: {"word_embedding_dimension": hidden_size, **poolings, "include_prompt": True},
    }
    if options["normalize"]:
        # Older versions download a folder that they do not find.
        values["2_Normalize/config.json"] = {}
    return {name: (json.dumps(value, indent=2) + "\n").encode() for name, value in values.items()}


def _modules(folder: Path) -> list[tuple[str, str]]:
    """The name of the class and the folder of each module."""
    file = folder / MODULES
    found = []
    for module in read_json_list(file):
        kind, path = (module.get(key) if isinstance(module, dict) else None for key in ("type", "path"))
        if not isinstance(kind, str) or not isinstance(path, str):
            raise InputError(f"{file}: {module!r} is no module with a type and a path")
        if PurePosixPath(path).is_absolute() or ".." in path.replace("\\", "/").split("/"):
            raise InputError(f"{file}: the path {path!r} leads out of the folder; it must name one in it")
        found.append((kind.rsplit(".", 1)[-1], path))
    return found


def _settings(folder: Path) -> dict[str, Any]:
    file = folder / SETTINGS
    return read_json(file) if file.is_file() else {}


def _pooling(file: Path) -> str:
    values = read_json(file)
    modes = values.get("pooling_mode", [mode for key, mode in _OLD_KEYS.items() if values.get(key)] or "mean")
    modes = modes if isinstance(modes, list) else [modes]
    if len(modes) != 1 or not isinstance(modes[0], str) or modes[0] not in _POOLINGS:
        raise InputError(
            f"{file}: the vectors of the tokens are pooled by {' + '.join(map(str, modes)) or 'nothing'}; this version "
            f"pools by one of {', '.join(_POOLINGS)}: load it with task='feature-extraction' and pool its outputs"
        )
    return _POOLINGS[modes[0]]


def _assumed(file: Path) -> str:
    _log.warning("%s is missing: the mean of the tokens is taken, sentence-transformers' default", file)
    return "mean"


def _max_length(folder: Path, longest: int, lowercase: bool) -> int | None:
    """Where sentence-transformers cuts a text; None where it is as long as the encoder takes."""
    found = None
    for file in sorted(folder.glob("sentence_*_config.json")):
        values = read_json(file)
        if values.get("do_lower_case") and not lowercase:
            raise InputError(
                f"{file}: do_lower_case is true, and the folder's tokenizer does not lower-case: set it there"
            )
        if values.get("max_seq_length") is not None:
            found = _whole(values["max_seq_length"], "max_seq_length", file)
    file = folder / "tokenizer_config.json"
    if found is None and file.is_file():
        # Version 6 writes no other. Where a tokenizer has no limit, it is a number of 31 digits.
        told = read_json(file).get("model_max_length")
        found = int(told) if isinstance(told, int | float) and 0 < told < longest else None
    return None if found is None or found >= longest else found


def _whole(value: Any, name: str, file: Path) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{file}: {name} is {value!r}; it must be a whole number, 1 or more")
    return value


def _warn_of_prompt(folder: Path, settings: Mapping[str, Any]) -> None:
    name, prompts = settings.get("default_prompt_name"), settings.get("prompts")
    prompt = prompts.get(name) if isinstance(prompts, dict) and isinstance(name, str) else None
    if prompt:
        _log.warning(
            "%s: sentence-transformers begins every text with %r (default_prompt_name): begin yours with it too",
            folder / SETTINGS,
            prompt,
        )
