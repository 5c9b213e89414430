"""Reads what the files of a folder say about a unigram tokenizer."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bert_keras.errors import InputError
from bert_keras.text import folder
from bert_keras.text.sentencepiece_model import PieceType, SentencePieceModel, read_model
from bert_keras.text.unigram_layouts import LAYOUTS, Layout
from bert_keras.text.unigram_rules import Rules, precompiled, saved_rules

# Classes of Hugging Face that stand for any tokenizer.
_ANY_CLASS = {"", "PreTrainedTokenizer", "TokenizersBackend"}

# What makes a piece that is to be avoided worse than any other way through its text.
_AVOIDED = -100.0

_NO_TEXT = {PieceType.UNKNOWN, PieceType.CONTROL, PieceType.UNUSED}

# (piece, score) by id.
Pieces = list[tuple[str, float]]


def read(path: str | os.PathLike) -> dict[str, Any]:
    """Read the arguments of `UnigramTokenizer` from a folder."""
    path = Path(path)
    config = folder.read_config(path)
    saved = _read_saved(path)
    file = _model_file(path)
    model = read_model(file) if file else None
    layout = _layout(path, config, saved, file, model)
    if saved:
        arguments = _from_saved(saved, path / "tokenizer.json", layout, config)
    elif file and model:
        arguments = _from_model(model, file, layout, config)
        if _is_google(path):
            arguments["pieces"] = _avoid_numbers_with_commas(arguments["pieces"])
    else:
        raise InputError(f"{path} holds neither a SentencePiece .model nor tokenizer.json")
    if saved and file and model:
        _warn_of_differences(arguments, _from_model(model, file, layout, config), file)
    rules: Rules = arguments["rules"]
    lowercase = folder.setting(path, "lowercase", config.get("do_lower_case"), rules.lowercase)
    keep_accents = folder.setting(path, "keep_accents", config.get("keep_accents"), not rules.strip_accents)
    return {
        **arguments,
        # An option makes the family's rules anew: only where the files differ.
        "lowercase": None if lowercase == rules.lowercase else lowercase,
        "strip_accents": None if keep_accents != rules.strip_accents else not keep_accents,
        "model_max_length": folder.model_max_length(config),
    }


def read_file(file: Path) -> dict[str, Any]:
    """Read the arguments of `UnigramTokenizer` from a `.model` file alone."""
    model = read_model(file)
    return _from_model(model, file, _layout_of_model(file, model), {})


def _read_saved(path: Path) -> dict[str, Any]:
    """Return tokenizer.json, nothing where there is none or where the .model must do without it."""
    file = path / "tokenizer.json"
    saved = folder.read_json(file)
    kind = (saved.get("model") or {}).get("type", "WordPiece")
    if saved and kind != "Unigram":
        folder.warn(f"{file} holds a tokenizer of kind {kind}, not Unigram; the .model file is used")
        return {}
    return saved


def _model_file(path: Path) -> Path | None:
    """Return the .model file of a folder, the one with a family's name where there are several."""
    files = sorted(path.glob("*.model"))
    named = [path / layout.model_file for layout in LAYOUTS.values() if path / layout.model_file in files]
    if len(named or files) > 1:
        listed = ", ".join(file.name for file in named or files)
        raise InputError(f"{path} holds {listed}; a folder has one SentencePiece file")
    return next(iter(named or files), None)


def _is_google(path: Path) -> bool:
    return (path / "albert_config.json").exists() or any(path.glob("*.ckpt*"))


def _layout(
    path: Path,
    config: Mapping[str, Any],
    saved: Mapping[str, Any],
    file: Path | None,
    model: SentencePieceModel | None,
) -> str:
    named = (config.get("tokenizer_class") or "").removesuffix("Fast")
    for name, layout in LAYOUTS.items():
        if layout.tokenizer_class == named:
            return name
    model_type = folder.read_json(path / "config.json").get("model_type")
    if model_type in LAYOUTS:
        return model_type
    if named not in _ANY_CLASS and not saved:
        known = ", ".join(layout.tokenizer_class for layout in LAYOUTS.values())
        raise InputError(f"{path}: the tokenizer is a {named}, which is not known; known are {known}")
    if _is_google(path):
        return "albert"
    if file and model:
        return _layout_of_model(file, model)
    return _layout_of_pieces([piece for piece, _ in saved["model"]["vocab"]])


def _layout_of_model(file: Path, model: SentencePieceModel) -> str:
    by_file = {layout.model_file: name for name, layout in LAYOUTS.items()}
    return by_file.get(file.name) or _layout_of_pieces([piece.text for piece in model.pieces])


def _layout_of_pieces(pieces: Iterable[str]) -> str:
    """Return the layout whose first special tokens a vocabulary holds, fairseq's where none does."""
    known = set(pieces)
    for name, layout in LAYOUTS.items():
        if not layout.shifted and all(layout.special_tokens[role] in known for role in layout.first_roles):
            return name
    return "xlm-roberta"


def _from_saved(saved: Mapping[str, Any], file: Path, layout: str, config: Mapping[str, Any]) -> dict[str, Any]:
    family = LAYOUTS[layout]
    model = saved["model"]
    vocabulary = [_row(row, file) for row in model["vocab"]]
    unknown = model.get("unk_id")
    if not isinstance(unknown, int) or not 0 <= unknown < len(vocabulary):
        raise InputError(f"{file}: unk_id is {unknown!r}; it should be the id of one of {len(vocabulary)} pieces")
    defaults = {**family.special_tokens, "unk": vocabulary[unknown][0]}
    special_tokens = folder.special_tokens(config, defaults)
    added = saved.get("added_tokens") or []
    folder.warn_of_added_tokens(saved, special_tokens.values(), file.parent)
    pieces = _with_added(vocabulary, {token["id"]: token["content"] for token in added}, file)
    beyond = [token["content"] for token in added if token["special"] or token["id"] >= len(vocabulary)]
    mask = [token["lstrip"] for token in added if token["content"] == special_tokens["mask"]]
    return {
        "pieces": pieces,
        "layout": layout,
        "rules": saved_rules(saved, file),
        "control_tokens": _without(beyond, special_tokens),
        "byte_fallback": bool(model.get("byte_fallback")),
        "special_tokens": special_tokens,
        "mask_takes_space": _mask_takes_space(config, next(iter(mask), family.mask_takes_space)),
        "separators": _separators(saved.get("post_processor"), family.separators),
    }


def _row(row: Any, file: Path) -> tuple[str, float]:
    if not isinstance(row, list) or len(row) != 2:
        raise InputError(f"{file}: the vocabulary holds {row!r}; it should hold pieces, each with a number, its score")
    return row[0], row[1]


def _from_model(model: SentencePieceModel, file: Path, layout: str, config: Mapping[str, Any]) -> dict[str, Any]:
    family = LAYOUTS[layout]
    _warn_of_settings(model, file)
    # fairseq has its own names for the first pieces.
    named = {} if family.shifted else {"unk": model.pieces[model.unk_id].text}
    special_tokens = folder.special_tokens(config, {**family.special_tokens, **named})
    added = _added_tokens(config, file.parent)
    pieces = _with_added(vocabulary_of(model, file, family, special_tokens, added), added, file)
    beyond = [piece.text for piece in model.pieces if piece.type in _NO_TEXT]
    beyond += [token for index, token in added.items() if index >= len(model.pieces)]
    return {
        "pieces": pieces,
        "layout": layout,
        "rules": family.rules(
            config.get("do_lower_case"),
            None if config.get("keep_accents") is None else not config["keep_accents"],
            config.get("split_by_punct"),
            precompiled(model.charsmap),
        ),
        "control_tokens": _without(beyond, special_tokens),
        "byte_fallback": model.byte_fallback,
        "special_tokens": special_tokens,
        "mask_takes_space": _mask_takes_space(config, family.mask_takes_space),
    }


def vocabulary_of(
    model: SentencePieceModel, file: Path, family: Layout, tokens: Mapping[str, str], added: Mapping[int, str]
) -> Pieces:
    """Return the pieces of a .model file by the ids that the family gives them, the mask among them."""
    pieces = [(piece.text, piece.score) for piece in model.pieces]
    mask = (tokens["mask"], 0.0)
    if not family.shifted:
        has_mask = any(piece == tokens["mask"] for piece, _ in pieces) or tokens["mask"] in added.values()
        return pieces if has_mask else [*pieces, mask]
    if {model.unk_id, model.bos_id, model.eos_id} != {0, 1, 2}:
        raise InputError(
            f"{file}: the pieces for unknown, beginning and end have the ids {model.unk_id}, {model.bos_id} and "
            f"{model.eos_id}; fairseq's ids need 0, 1 and 2"
        )
    return [(tokens[role], 0.0) for role in family.first_roles] + pieces[3:] + [mask]


def _added_tokens(config: Mapping[str, Any], path: Path) -> dict[int, str]:
    """Return the tokens by id that tokenizer_config.json or added_tokens.json add to a .model file's."""
    listed = (config.get("added_tokens_decoder") or {}).items()
    for index, _ in listed:
        if not index.isdecimal():
            raise InputError(f"{path / 'tokenizer_config.json'}: an added token has the id {index!r}; ids count from 0")
    by_id = {int(index): token["content"] for index, token in listed}
    return by_id or {index: token for token, index in folder.read_json(path / "added_tokens.json").items()}


def _with_added(vocabulary: Pieces, added: Mapping[int, str], file: Path) -> Pieces:
    """Return the pieces with added tokens behind them; an id without a token gives an empty piece."""
    behind = {token: index for index, token in added.items() if index >= len(vocabulary)}
    tokens = folder.pieces_in_order(behind, file)[len(vocabulary) :]
    return vocabulary + [(token, 0.0) for token in tokens]


def _without(tokens: Iterable[str], special_tokens: Mapping[str, str]) -> list[str]:
    return [token for token in dict.fromkeys(tokens) if token not in special_tokens.values()]


def _mask_takes_space(config: Mapping[str, Any], default: bool) -> bool:
    token = config.get("mask_token")
    return bool(token.get("lstrip", default)) if isinstance(token, dict) else default


def _separators(processor: Mapping[str, Any] | None, default: int) -> int:
    """Return how many separators tokenizer.json puts between the texts of a pair."""
    kind = (processor or {}).get("type")
    if kind == "RobertaProcessing":
        return 2
    if processor is None or kind != "TemplateProcessing":
        return default
    parts = [part.get("Sequence", {}).get("id") for part in processor["pair"]]
    return parts.index("B") - parts.index("A") - 1 if {"A", "B"} <= set(parts) else default


def _avoid_numbers_with_commas(pieces: Pieces) -> Pieces:
    """Return pieces among which `1,` and the like are avoided, as Google's ALBERT splits them.

    Source: google-research/albert, tokenization.py (`encode_pieces`); transformers, `AlbertConverter`.
    """
    return [(piece, score + _AVOIDED if _is_number_with_comma(piece) else score) for piece, score in pieces]


def _is_number_with_comma(piece: str) -> bool:
    return piece.endswith(",") and piece[-2:-1].isdigit()


def _warn_of_settings(model: SentencePieceModel, file: Path) -> None:
    names = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")
    others = [f"{name}=False" for name in names if not getattr(model, name)]
    if others:
        folder.warn(f"{file} asks for {', '.join(others)}; the rules of its family are followed instead")


def _warn_of_differences(saved: Mapping[str, Any], other: Mapping[str, Any], file: Path) -> None:
    """Warn where tokenizer.json, which is used, contradicts the .model file beside it."""
    ids = {piece: index for index, (piece, _) in enumerate(saved["pieces"])}
    different = [piece for index, (piece, _) in enumerate(other["pieces"]) if ids.get(piece) != index]
    if different:
        folder.warn(
            f"{file.parent}: {file.name} and tokenizer.json differ in {len(different)} pieces, the first of them "
            f"{different[0]!r}; tokenizer.json is used"
        )
    if other["rules"].charsmap and saved["rules"].charsmap != other["rules"].charsmap:
        folder.warn(
            f"{file.parent}: tokenizer.json does not change characters as {file.name} does; tokenizer.json is used"
        )
