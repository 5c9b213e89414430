"""The tokenizer files of a checkpoint's folder: reading what they say, and writing what others can read."""

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import tokenizers

from bert_keras.errors import InputError
from bert_keras.files import output_file
from bert_keras.text.rules import GOOGLE_WORD_LIMIT, HUGGING_FACE_WORD_LIMIT
from bert_keras.text.vocabulary import SPECIAL_TOKENS, is_cased, piece_ids, read_vocabulary, vocabulary_bytes

# Settings of Hugging Face's tokenizers that BERT's rules fix, and the values that they fix.
_FIXED_SETTINGS = {"tokenize_chinese_chars": True, "do_basic_tokenize": True, "never_split": None}
_FIXED_NORMALIZER = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
_FIXED_PRE_TOKENIZER = {"type": "BertPreTokenizer"}

# Hugging Face writes 1e30 for "no limit".
_NO_LIMIT = 10**9

# Ten times the largest vocabulary of the family; a larger id is a mistake, and its list would fill the memory.
_MAX_PIECES = 5_000_000


def read(path: str | os.PathLike) -> dict[str, Any]:
    """Read the arguments of `Tokenizer` from a folder; see `Tokenizer.from_folder`."""
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"{path}: there is no such folder")
    config = _read_json(path / "tokenizer_config.json")
    _refuse_other_words(config, path)
    _warn_of_settings(config, _FIXED_SETTINGS, path / "tokenizer_config.json")
    saved = _read_saved(path)
    special_tokens = _special_tokens({**_read_json(path / "special_tokens_map.json"), **config})
    vocabulary = _vocabulary(path, saved)
    _warn_of_added_tokens(saved, special_tokens.values(), path)

    normalizer = saved.get("normalizer") or {}
    lowercase = _setting(path, "lowercase", config.get("do_lower_case"), normalizer.get("lowercase"))
    if lowercase is None:
        lowercase = not is_cased(vocabulary, special_tokens.values())

    return {
        "vocabulary": vocabulary,
        "lowercase": lowercase,
        "strip_accents": _setting(path, "strip_accents", config.get("strip_accents"), normalizer.get("strip_accents")),
        "max_characters_per_word": saved.get("model", {}).get("max_input_chars_per_word", _word_limit(path)),
        "special_tokens": special_tokens,
        "model_max_length": _model_max_length(config),
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
    """Write the four tokenizer files into a folder; see `Tokenizer.save`."""
    named_tokens = {f"{role}_token": token for role, token in special_tokens.items()}
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
        "tokenizer_config.json": _json_bytes(config),
        "special_tokens_map.json": _json_bytes(named_tokens),
    }
    with ExitStack() as files:
        for name, content in contents.items():
            files.enter_context(output_file(Path(path) / name, force)).write_bytes(content)


def _post_processor(cls: str, sep: str, ids: Mapping[str, int]) -> tokenizers.processors.PostProcessor:
    return tokenizers.processors.TemplateProcessing(
        single=f"{cls}:0 $A:0 {sep}:0",
        pair=f"{cls}:0 $A:0 {sep}:0 $B:1 {sep}:1",
        special_tokens=[(cls, ids[cls]), (sep, ids[sep])],
    )


def _json_bytes(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _read_json(file: Path) -> dict[str, Any]:
    """Return what a JSON file holds, nothing where there is none."""
    if not file.exists():
        return {}
    try:
        value = json.loads(file.read_bytes())
    except json.JSONDecodeError as error:
        raise InputError(f"{file}, line {error.lineno}: not JSON ({error.msg})") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not UTF-8") from None
    if not isinstance(value, dict):
        raise InputError(f"{file} holds a {type(value).__name__}; it should hold an object with names and values")
    return value


def _read_saved(path: Path) -> dict[str, Any]:
    """Return tokenizer.json, nothing where there is none or where vocab.txt must do without it."""
    file = path / "tokenizer.json"
    saved = _read_json(file)
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
    _warn(f"{problem}; vocab.txt is used")


def _refuse_other_words(config: Mapping[str, Any], path: Path) -> None:
    if config.get("word_tokenizer_type", "basic") != "basic":
        raise InputError(
            f"{path}: this vocabulary needs words from {config['word_tokenizer_type']!r}; only BERT's own are known"
        )


def _warn_of_settings(settings: Mapping[str, Any], fixed: Mapping[str, Any], file: Path) -> None:
    others = {name: settings[name] for name in fixed if name in settings and settings[name] != fixed[name]}
    if others:
        listed = ", ".join(f"{name}={value!r}" for name, value in others.items())
        _warn(f"{file} asks for {listed}; the rules of google-research/bert are followed instead")


def _setting(path: Path, name: str, configured: bool | None, saved: bool | None) -> bool | None:
    """Return what tokenizer_config.json says, or else tokenizer.json."""
    if None not in (configured, saved) and configured != saved:
        _warn(f"{path}: tokenizer.json says {name}={saved}, tokenizer_config.json {configured}, which is used")
    return saved if configured is None else configured


def _warn_of_added_tokens(saved: Mapping[str, Any], special_tokens: Iterable[str], path: Path) -> None:
    added = {token["content"] for token in saved.get("added_tokens", ())}.difference(special_tokens)
    if added:
        listed = ", ".join(sorted(added)[:5])
        _warn(f"{path}: tokenizer.json adds {len(added)} tokens ({listed}); in a text they are ordinary text here")


def _vocabulary(path: Path, saved: Mapping[str, Any]) -> list[str]:
    if not saved and not (path / "vocab.txt").exists():
        raise InputError(f"{path} holds neither vocab.txt nor tokenizer.json")
    if not saved:
        return read_vocabulary(path / "vocab.txt")
    ids = dict(saved["model"]["vocab"])
    ids.update({token["content"]: token["id"] for token in saved.get("added_tokens", ())})
    if not (path / "vocab.txt").exists():
        return _in_order(ids, path / "tokenizer.json")
    vocabulary = read_vocabulary(path / "vocab.txt")
    different = dict(piece_ids(vocabulary).items() ^ ids.items())
    different.pop("", None)
    if different:
        first = min(different, key=different.__getitem__)
        _warn(
            f"{path}: vocab.txt and tokenizer.json differ in {len(different)} pieces, the first of them {first!r}; "
            "vocab.txt is used"
        )
    return vocabulary


def _in_order(ids: Mapping[str, int], file: Path) -> list[str]:
    """Return the pieces by id; an id without a piece gives an empty one, as a blank line in vocab.txt does."""
    for piece, index in ids.items():
        if not isinstance(index, int) or not 0 <= index < _MAX_PIECES:
            raise InputError(f"{file}: piece {piece!r} has the id {index!r}; ids count from 0")
    pieces = {index: piece for piece, index in ids.items()}
    return [pieces.get(index, "") for index in range(max(pieces, default=-1) + 1)]


def _special_tokens(named: Mapping[str, Any]) -> dict[str, str]:
    tokens = {role: named.get(f"{role}_token") or default for role, default in SPECIAL_TOKENS.items()}
    # A token is a string, or an object that says more about it.
    return {role: token["content"] if isinstance(token, dict) else token for role, token in tokens.items()}


def _word_limit(path: Path) -> int:
    is_google = (path / "bert_config.json").exists() or any(path.glob("*.ckpt*"))
    return GOOGLE_WORD_LIMIT if is_google else HUGGING_FACE_WORD_LIMIT


def _model_max_length(config: Mapping[str, Any]) -> int | None:
    length = config.get("model_max_length")
    return length if isinstance(length, int) and length < _NO_LIMIT else None


def _warn(message: str) -> None:
    # Up to the caller of Tokenizer.from_folder, roughly: the folder matters, not the line.
    warnings.warn(message, stacklevel=4)
