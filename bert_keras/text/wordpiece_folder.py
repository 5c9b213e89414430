"""The files of a WordPiece tokenizer: reading what they say, and writing what others can read."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import folder
from bert_keras.text.rules import GOOGLE_WORD_LIMIT, HUGGING_FACE_WORD_LIMIT
from bert_keras.text.vocabulary import SPECIAL_TOKENS, is_cased, piece_ids, read_vocabulary, vocabulary_bytes

# Settings of Hugging Face's tokenizers that BERT's rules fix, and the values that they fix.
_FIXED_SETTINGS = {"tokenize_chinese_chars": True, "do_basic_tokenize": True, "never_split": None}
_FIXED_NORMALIZER = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
_FIXED_PRE_TOKENIZER = {"type": "BertPreTokenizer"}


def read(path: str | os.PathLike) -> dict[str, Any]:
    """Read the arguments of `WordPieceTokenizer` from a folder."""
    path = Path(path)
    config = folder.read_config(path)
    _refuse_other_words(config, path)
    _warn_of_settings(config, _FIXED_SETTINGS, path / "tokenizer_config.json")
    saved = _read_saved(path)
    special_tokens = folder.special_tokens(config, SPECIAL_TOKENS)
    vocabulary = _vocabulary(path, saved)
    folder.warn_of_added_tokens(saved, special_tokens.values(), path)

    normalizer = saved.get("normalizer") or {}
    lowercase = folder.setting(path, "lowercase", config.get("do_lower_case"), normalizer.get("lowercase"))
    if lowercase is None:
        lowercase = not is_cased(vocabulary, special_tokens.values())
    accents = folder.setting(path, "strip_accents", config.get("strip_accents"), normalizer.get("strip_accents"))

    return {
        "vocabulary": vocabulary,
        "lowercase": lowercase,
        "strip_accents": accents,
        "max_characters_per_word": saved.get("model", {}).get("max_input_chars_per_word", _word_limit(path)),
        "special_tokens": special_tokens,
        "model_max_length": folder.model_max_length(config),
    }


def write(
    path: str | os.PathLike,
    force: bool,
    *,
    vocabulary: Sequence[str],
    lowercase: bool,
    strip_accents: bool | None,
    max_characters_per_word: int,
    special_tokens: Mapping[str, str],
    model_max_length: int | None,
) -> None:
    """Write the four tokenizer files into a folder; see `WordPieceTokenizer.save`."""
    named_tokens = folder.named_tokens(special_tokens)
    config: dict[str, Any] = {
        # BertTokenizer knows no other limit than its own; the other class takes tokenizer.json as it is.
        "tokenizer_class": "BertTokenizer"
        if max_characters_per_word == HUGGING_FACE_WORD_LIMIT
        else "PreTrainedTokenizerFast",
        "do_lower_case": lowercase,
        "strip_accents": strip_accents,
        "tokenize_chinese_chars": True,
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
        **named_tokens,
    }
    if model_max_length is not None:
        config["model_max_length"] = model_max_length
    saved = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(
            piece_ids(vocabulary), unk_token=special_tokens["unk"], max_input_chars_per_word=max_characters_per_word
        )
    )
    saved.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lowercase, strip_accents=strip_accents)
    saved.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    saved.decoder = tokenizers.decoders.WordPiece()
    saved.add_special_tokens(list(special_tokens.values()))
    saved.post_processor = _post_processor(special_tokens["cls"], special_tokens["sep"], piece_ids(vocabulary))

    contents = {
        "vocab.txt": vocabulary_bytes(vocabulary),
        "tokenizer.json": saved.to_str(pretty=True).encode(),
        "tokenizer_config.json": folder.json_bytes(config),
        "special_tokens_map.json": folder.json_bytes(named_tokens),
    }
    folder.write_files(path, contents, force)


def _post_processor(cls: str, sep: str, ids: Mapping[str, int]) -> tokenizers.processors.PostProcessor:
    return tokenizers.processors.TemplateProcessing(
        single=f"{cls}:0 $A:0 {sep}:0",
        pair=f"{cls}:0 $A:0 {sep}:0 $B:1 {sep}:1",
        special_tokens=[(cls, ids[cls]), (sep, ids[sep])],
    )


def _read_saved(path: Path) -> dict[str, Any]:
    """Return tokenizer.json, nothing where there is none or where vocab.txt must do without it."""
    file = path / "tokenizer.json"
    saved = folder.read_json(file)
    if not saved:
        return {}
    model = saved.get("model") or {}
    kind = model.get("type", "WordPiece")
    vocabulary = model.get("vocab")
    if kind != "WordPiece" or not isinstance(vocabulary, dict):
        _refuse_or_warn(f"{file} holds a tokenizer of kind {kind}, not WordPiece", path)
        return {}
    prefix = model.get("continuing_subword_prefix", "##")
    if prefix != "##":
        raise InputError(f"{file}: pieces inside words begin with {prefix!r}; only '##' is known")
    _warn_of_settings(saved.get("normalizer") or {"type": None}, _FIXED_NORMALIZER, file)
    _warn_of_settings(saved.get("pre_tokenizer") or {"type": None}, _FIXED_PRE_TOKENIZER, file)
    return saved


def _refuse_or_warn(problem: str, path: Path) -> None:
    if not (path / "vocab.txt").exists():
        raise InputError(problem)
    folder.warn(f"{problem}; vocab.txt is used")


def _refuse_other_words(config: Mapping[str, Any], path: Path) -> None:
    if config.get("word_tokenizer_type", "basic") != "basic":
        raise InputError(
            f"{path}: this vocabulary needs words from {config['word_tokenizer_type']!r}; only BERT's own are known"
        )


def _warn_of_settings(settings: Mapping[str, Any], fixed: Mapping[str, Any], file: Path) -> None:
    others = {name: settings[name] for name in fixed if name in settings and settings[name] != fixed[name]}
    if others:
        listed = ", ".join(f"{name}={value!r}" for name, value in others.items())
        folder.warn(f"{file} asks for {listed}; the rules of google-research/bert are followed instead")


def _vocabulary(path: Path, saved: Mapping[str, Any]) -> list[str]:
    if not saved:
        return read_vocabulary(path / "vocab.txt")
    ids = dict(saved["model"]["vocab"])
    ids.update({token["content"]: token["id"] for token in saved.get("added_tokens", ())})
    if not (path / "vocab.txt").exists():
        return folder.pieces_in_order(ids, path / "tokenizer.json")
    vocabulary = read_vocabulary(path / "vocab.txt")
    different = dict(piece_ids(vocabulary).items() ^ ids.items())
    different.pop("", None)
    if different:
        first = min(different, key=different.__getitem__)
        folder.warn(
            f"{path}: vocab.txt and tokenizer.json differ in {len(different)} pieces, the first of them {first!r}; "
            "vocab.txt is used"
        )
    return vocabulary


def _word_limit(path: Path) -> int:
    is_google = (path / "bert_config.json").exists() or any(path.glob("*.ckpt*"))
    return GOOGLE_WORD_LIMIT if is_google else HUGGING_FACE_WORD_LIMIT
