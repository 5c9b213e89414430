"""A preset's tokenizer as the files of a Hugging Face folder, and back."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.weights.keras_hub.json_file import read_object

_log = logging.getLogger("bert_keras")

_ASSETS = Path("assets", "tokenizer")
_WORDPIECE = ("Bert", "DistilBert", "Electra")
# Of the families with SentencePiece: the model's name and the special tokens in Hugging Face's folders.
_SENTENCEPIECE = {
    "Albert": ("spiece.model", {"pad": "<pad>", "unk": "<unk>", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}),
    "DebertaV3": ("spm.model", {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}),
    "XLMRoberta": (
        "sentencepiece.bpe.model",
        {"pad": "<pad>", "unk": "<unk>", "cls": "<s>", "sep": "</s>", "mask": "<mask>"},
    ),
}
# Hugging Face's names of the classes, and the settings that state what KerasHub's do.
_CLASSES: dict[str, dict[str, Any]] = {
    "Bert": {"tokenizer_class": "BertTokenizer"},
    "DistilBert": {"tokenizer_class": "DistilBertTokenizer"},
    "Electra": {"tokenizer_class": "ElectraTokenizer"},
    "Roberta": {"tokenizer_class": "RobertaTokenizer"},
    "XLMRoberta": {"tokenizer_class": "XLMRobertaTokenizer"},
    # Lower-casing and the like are rules inside the SentencePiece model; KerasHub adds none of its own.
    "Albert": {
        "tokenizer_class": "AlbertTokenizer",
        "do_lower_case": False,
        "keep_accents": True,
        "remove_space": False,
    },
    "DebertaV3": {"tokenizer_class": "DebertaV2Tokenizer", "do_lower_case": False, "split_by_punct": False},
}


def read_tokenizer_files(folder: Path, name: str) -> dict[str, bytes]:
    """Read the tokenizer of a preset under the names of a Hugging Face folder.

    Args:
        folder: the preset.
        name: what the classes of its family begin with, such as `Bert`.

    Returns:
        Name of a file -> its bytes; empty where the preset holds no tokenizer.

    Raises:
        InputError: a file is missing, or the tokenizer works otherwise than Hugging Face's.
    """
    if not (folder / "tokenizer.json").is_file():
        return {}
    settings = read_object(folder / "tokenizer.json")["config"]
    config: dict[str, Any] = dict(_CLASSES[name])
    files: dict[str, bytes]
    if name in _WORDPIECE:
        for key, wanted in {"split": True, "suffix_indicator": "##"}.items():
            if settings.get(key, wanted) != wanted:
                raise InputError(f"{folder}: tokenizer.json has {key} = {settings[key]!r}; only {wanted!r} is known")
        files = {"vocab.txt": _asset(folder, "vocabulary.txt")}
        config |= {
            "do_lower_case": bool(settings.get("lowercase", False)),
            "strip_accents": bool(settings.get("strip_accents", False)),
            "unk_token": settings.get("oov_token", "[UNK]"),
        }
    elif name == "Roberta":
        files = {"vocab.json": _asset(folder, "vocabulary.json"), "merges.txt": _asset(folder, "merges.txt")}
        config["add_prefix_space"] = bool(settings.get("add_prefix_space", False))
    else:
        model, special_tokens = _SENTENCEPIECE[name]
        files = {model: _asset(folder, "vocabulary.spm")}
        config |= {f"{role}_token": token for role, token in special_tokens.items()}
    return {**files, "tokenizer_config.json": (json.dumps(config, indent=2) + "\n").encode()}


def pad_token_id(files: Mapping[str, bytes], default: int) -> int:
    """The id of the padding token where the vocabulary says it, else the family's usual one.

    Args:
        files: as `read_tokenizer_files` gives them.
        default: the usual one.
    """
    try:
        if "vocab.txt" in files:
            return files["vocab.txt"].decode().split("\n").index("[PAD]")
        if "vocab.json" in files:
            ids = json.loads(files["vocab.json"])
            return ids["<pad>"] if ids["<pad>"] in range(len(ids)) else default
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        # A vocabulary without it, or a damaged one, which the tokenizer's own reader names.
        return default
    return default


def keras_hub_tokenizer(models: Any, name: str, files: Mapping[str, bytes]) -> Any:
    """KerasHub's tokenizer from the files of a Hugging Face folder.

    Args:
        models: the module `keras_nlp.models`.
        name: what the classes of its family begin with, such as `Bert`.
        files: name -> bytes.

    Returns:
        The tokenizer, or None where there are no files.

    Raises:
        InputError: the file that KerasHub needs is missing, or its fixed special tokens are not in the vocabulary.
    """
    if not files:
        return None
    settings = json.loads(files.get("tokenizer_config.json", b"{}"))
    make = getattr(models, f"{name}Tokenizer")
    try:
        if name in _WORDPIECE:
            lowercase = bool(settings.get("do_lower_case", True))
            accents = settings.get("strip_accents")
            return make(
                vocabulary=files["vocab.txt"].decode().removesuffix("\n").split("\n"),
                lowercase=lowercase,
                strip_accents=lowercase if accents is None else bool(accents),
                oov_token=settings.get("unk_token", "[UNK]"),
            )
        if name == "Roberta":
            lines = files["merges.txt"].decode().splitlines()
            merges = [line for line in lines if line and not line.startswith("#version")]
            if not merges:
                raise InputError(
                    f"KerasHub's {name}Tokenizer needs merges; this vocabulary of single characters has none"
                )
            return make(
                vocabulary=json.loads(files["vocab.json"]),
                merges=merges,
                add_prefix_space=bool(settings.get("add_prefix_space", False)),
            )
        if settings.get("do_lower_case") or not settings.get("keep_accents", True):
            _log.warning("KerasHub's %sTokenizer neither lower-cases nor deletes accents: do so to its texts", name)
        return make(proto=files[_SENTENCEPIECE[name][0]])
    except KeyError as error:
        raise InputError(f"KerasHub's {name}Tokenizer needs the tokenizer's file {error}, which is missing") from None
    except (ValueError, RuntimeError) as error:
        raise InputError(f"KerasHub's {name}Tokenizer refuses this vocabulary: {error}") from error


def _asset(folder: Path, name: str) -> bytes:
    file = folder / _ASSETS / name
    if not file.is_file():
        raise InputError(f"{file} is missing: the preset has a tokenizer.json but not its vocabulary")
    return file.read_bytes()
