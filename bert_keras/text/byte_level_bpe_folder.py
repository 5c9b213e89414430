"""The files of a byte-level BPE tokenizer: reading what they say, and writing what others can read."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import folder
from bert_keras.text import vocabulary as wordpiece
from bert_keras.text.vocabulary import piece_ids

Merge = tuple[str, str]

SPECIAL_TOKENS = {"pad": "<pad>", "unk": "<unk>", "cls": "<s>", "sep": "</s>", "mask": "<mask>"}

# What Hugging Face's tokenizers can do beside byte-level BPE; a file that asks for it is refused.
_FIXED_MODEL = {
    "type": "BPE",
    "dropout": None,
    "continuing_subword_prefix": "",
    "end_of_word_suffix": "",
    "byte_fallback": False,
    "ignore_merges": False,
}


def read(path: str | os.PathLike) -> dict[str, Any]:
    """Read the arguments of `ByteLevelBpeTokenizer` from a folder.

    `vocab.json` and `merges.txt` are the vocabulary, tokenizer.json where they are not. Special tokens come from
    tokenizer_config.json and special_tokens_map.json; where these do not name them, the vocabulary tells by its `<s>`
    or `[CLS]`.
    """
    path = Path(path)
    config = folder.read_config(path)
    file = path / "tokenizer.json"
    saved = folder.read_json(file)
    has_own_files = not saved or all((path / name).exists() for name in ("vocab.json", "merges.txt"))
    if saved and (problem := _problem(saved, file)):
        if not has_own_files:
            raise InputError(problem)
        folder.warn(f"{problem}; vocab.json and merges.txt are used")
        saved = {}
    added = {token["content"]: token["id"] for token in saved.get("added_tokens", ())}
    if has_own_files:
        arguments = read_vocabulary(path / "vocab.json", {**folder.read_json(path / "added_tokens.json"), **added})
    else:
        arguments = _saved_vocabulary(saved["model"], added, file)

    special_tokens = folder.special_tokens(config, arguments["special_tokens"])
    folder.warn_of_added_tokens(saved, special_tokens.values(), path)
    prefixes = [step["add_prefix_space"] for step in _steps(saved.get("pre_tokenizer")) if "add_prefix_space" in step]
    prefix = folder.setting(path, "add_prefix_space", config.get("add_prefix_space"), prefixes[0] if prefixes else None)
    return {
        **arguments,
        "add_prefix_space": prefix or False,
        "special_tokens": special_tokens,
        "mask_takes_space": _mask_takes_space(config, saved, special_tokens["mask"]),
        "model_max_length": folder.model_max_length(config),
        "separators": _separators(saved) or arguments["separators"],
    }


def read_vocabulary(path: str | os.PathLike, added: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Read a `vocab.json` and the `merges.txt` beside it.

    Args:
        path: vocab.json.
        added: further pieces and their ids.

    Raises:
        InputError: one is missing or cannot be read; the message names the line.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such vocabulary file")
    vocabulary = folder.pieces_in_order({**folder.read_json(path), **(added or {})}, path)
    return _with_layout(vocabulary, _read_merges(path.with_name("merges.txt")))


def write(
    path: str | os.PathLike,
    force: bool,
    *,
    vocabulary: Sequence[str],
    merges: Sequence[Merge],
    add_prefix_space: bool,
    special_tokens: Mapping[str, str],
    mask_takes_space: bool,
    model_max_length: int | None,
    segments: bool,
    separators: int,
) -> None:
    """Write the tokenizer files into a folder; see `ByteLevelBpeTokenizer.save`."""
    ids = piece_ids(vocabulary)
    named_tokens = folder.named_tokens(special_tokens)
    inputs = ["input_ids", "token_type_ids", "attention_mask"] if segments else ["input_ids", "attention_mask"]
    config: dict[str, Any] = {
        # RobertaTokenizer makes its own rows; the other class makes those that tokenizer.json says.
        "tokenizer_class": "RobertaTokenizer" if separators == 2 and not segments else "PreTrainedTokenizerFast",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": True,
        "model_input_names": inputs,
        # Without these names, RobertaTokenizer would add its own to the vocabulary.
        "bos_token": special_tokens["cls"],
        "eos_token": special_tokens["sep"],
        **named_tokens,
    }
    if model_max_length is not None:
        config["model_max_length"] = model_max_length

    saved = tokenizers.Tokenizer(tokenizers.models.BPE(ids, list(merges), unk_token=special_tokens["unk"]))
    saved.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    saved.decoder = tokenizers.decoders.ByteLevel()
    saved.add_special_tokens(
        [
            tokenizers.AddedToken(token, special=True, normalized=False, lstrip=role == "mask" and mask_takes_space)
            for role, token in special_tokens.items()
        ]
    )
    saved.post_processor = tokenizers.processors.Sequence(
        [
            tokenizers.processors.ByteLevel(add_prefix_space=add_prefix_space, trim_offsets=True),
            _rows(special_tokens["cls"], special_tokens["sep"], ids, segments, separators),
        ]
    )
    contents = {
        "vocab.json": folder.json_bytes(ids),
        "merges.txt": _merges_bytes(merges),
        "tokenizer.json": saved.to_str(pretty=True).encode(),
        "tokenizer_config.json": folder.json_bytes(config),
        "special_tokens_map.json": folder.json_bytes(named_tokens),
    }
    folder.write_files(path, contents, force)


def _rows(
    cls: str, sep: str, ids: Mapping[str, int], segments: bool, separators: int
) -> tokenizers.processors.PostProcessor:
    between = " ".join([f"{sep}:0"] * separators)
    second = 1 if segments else 0
    return tokenizers.processors.TemplateProcessing(
        single=f"{cls}:0 $A:0 {sep}:0",
        pair=f"{cls}:0 $A:0 {between} $B:{second} {sep}:{second}",
        special_tokens=[(cls, ids[cls]), (sep, ids[sep])],
    )


def _merges_bytes(merges: Iterable[Merge]) -> bytes:
    for index, (left, right) in enumerate(merges):
        if any(character.isspace() for character in left + right):
            raise InputError(f"merge {index} ({left!r}, {right!r}) holds white space, so merges.txt cannot hold it")
    return "".join(["#version: 0.2\n", *(f"{left} {right}\n" for left, right in merges)]).encode()


def _read_merges(file: Path) -> list[Merge]:
    if not file.is_file():
        raise InputError(f"{file}: there is no such file; it belongs to vocab.json")
    try:
        lines = file.read_bytes().decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{file}, line {number}: not UTF-8") from None
    # Only the first line can be a comment: a merge may begin with `#` too.
    skipped = 1 if lines[0].startswith("#version") else 0
    numbered = [(number, line.removesuffix("\r")) for number, line in enumerate(lines, start=1)][skipped:]
    return [_merge(line, f"{file}, line {number}") for number, line in numbered if line]


def _merge(value: Any, place: str) -> Merge:
    """Return a merge that is written as one string with a space in it, or as a list."""
    pieces = value.split(" ") if isinstance(value, str) else value
    if len(pieces) != 2 or not all(pieces):
        raise InputError(f"{place}: {value!r} is no merge; it should hold two pieces with a space between them")
    return (pieces[0], pieces[1])


def _saved_vocabulary(model: Mapping[str, Any], added: Mapping[str, int], file: Path) -> dict[str, Any]:
    merges = [_merge(merge, f"{file}, merge {index}") for index, merge in enumerate(model["merges"])]
    return _with_layout(folder.pieces_in_order({**model["vocab"], **added}, file), merges)


def _with_layout(vocabulary: list[str], merges: list[Merge]) -> dict[str, Any]:
    """Return the arguments with the special tokens and rows that belong to such a vocabulary."""
    is_deberta = SPECIAL_TOKENS["cls"] not in vocabulary and wordpiece.SPECIAL_TOKENS["cls"] in vocabulary
    return {
        "vocabulary": vocabulary,
        "merges": merges,
        "special_tokens": wordpiece.SPECIAL_TOKENS if is_deberta else SPECIAL_TOKENS,
        "separators": 1 if is_deberta else 2,
    }


def _problem(saved: Mapping[str, Any], file: Path) -> str | None:
    """Tell why tokenizer.json does not hold a byte-level BPE tokenizer that is known here, None if it does."""
    model = saved.get("model") or {}
    others = {
        name: model[name] for name, value in _FIXED_MODEL.items() if model.get(name, value) not in (value, None, 0)
    }
    if others:
        listed = ", ".join(f"{name}={value!r}" for name, value in others.items())
        return f"{file} asks for {listed}, which byte-level BPE does not have"
    if saved.get("normalizer"):
        return f"{file} changes texts by {saved['normalizer'].get('type')}; byte-level BPE reads them as they are"
    steps = _steps(saved.get("pre_tokenizer"))
    if [step["type"] for step in steps] != ["ByteLevel"] or not steps[0].get("use_regex", True):
        names = ", ".join(str(step["type"]) for step in steps)
        return f"{file} splits texts by {names or 'nothing'}; only ByteLevel with its own pattern is known"
    return None


def _steps(part: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the steps of a part of tokenizer.json, which may be one step or a sequence."""
    if not part:
        return []
    return part.get("pretokenizers") or part.get("processors") or [part]


def _mask_takes_space(config: Mapping[str, Any], saved: Mapping[str, Any], mask: str) -> bool:
    """Return what the files say of the mask's left side, or else True, as in the released files."""
    tokens = [token for token in saved.get("added_tokens", ()) if token["content"] == mask]
    tokens += [config["mask_token"]] if isinstance(config.get("mask_token"), dict) else []
    return bool(tokens[0].get("lstrip", True)) if tokens else True


def _separators(saved: Mapping[str, Any]) -> int | None:
    """Return how many tokens tokenizer.json puts between the texts of a pair, None if it does not say."""
    for step in _steps(saved.get("post_processor")):
        if step["type"] == "RobertaProcessing":
            return 2
        if step["type"] == "BertProcessing":
            return 1
        if step["type"] == "TemplateProcessing":
            texts = [place for place, item in enumerate(step["pair"]) if "Sequence" in item]
            return texts[1] - texts[0] - 1 if len(texts) == 2 else None
    return None
