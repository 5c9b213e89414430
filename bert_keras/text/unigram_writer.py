"""Writes the files of a unigram tokenizer, as SentencePiece and Hugging Face's libraries read them."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tokenizers

from bert_keras.text import folder
from bert_keras.text.sentencepiece_model import Piece, PieceType, SentencePieceModel, model_bytes
from bert_keras.text.unigram_folder import Pieces, vocabulary_of
from bert_keras.text.unigram_layouts import LAYOUTS, Layout
from bert_keras.text.unigram_rules import SPACE, Rules, precompiled


def write(
    path: str | os.PathLike,
    force: bool,
    *,
    layout: str,
    pieces: Pieces,
    rules: Rules,
    special_tokens: Mapping[str, str],
    control_tokens: Sequence[str],
    byte_fallback: bool,
    mask_takes_space: bool,
    model_max_length: int | None,
    segments: bool,
    separators: int,
) -> None:
    """Write the tokenizer's files into a folder; see `UnigramTokenizer.save`."""
    family = LAYOUTS[layout]
    saved = tokenizers.Tokenizer(
        tokenizers.models.Unigram(pieces, [piece for piece, _ in pieces].index(special_tokens["unk"]), byte_fallback)
    )
    rules.apply(saved)
    saved.decoder = tokenizers.decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    mask = tokenizers.AddedToken(special_tokens["mask"], lstrip=mask_takes_space, normalized=False, special=True)
    others = [token for role, token in special_tokens.items() if role != "mask"]
    saved.add_special_tokens([*dict.fromkeys([*others, *control_tokens]), mask])
    saved.post_processor = _post_processor(special_tokens, separators, int(segments), saved)

    tokens = folder.named_tokens(special_tokens)
    config: dict[str, Any] = {
        "tokenizer_class": family.tokenizer_class
        if _is_of_class(family, rules, special_tokens, pieces, byte_fallback, separators)
        # It takes tokenizer.json as it is.
        else "PreTrainedTokenizerFast",
        "do_lower_case": rules.lowercase,
        "keep_accents": not rules.strip_accents,
        "split_by_punct": rules.split_by_punctuation,
        "model_input_names": ["input_ids", *(["token_type_ids"] if segments else []), "attention_mask"],
        **tokens,
    }
    if model_max_length is not None:
        config["model_max_length"] = model_max_length
    contents = {
        "tokenizer.json": saved.to_str(pretty=True).encode(),
        "tokenizer_config.json": folder.json_bytes(config),
        "special_tokens_map.json": folder.json_bytes(tokens),
    }
    model = _model(family, pieces, rules, special_tokens, control_tokens, byte_fallback)
    if model is not None:
        contents[family.model_file] = model_bytes(model)
    folder.write_files(path, contents, force)


def _post_processor(
    tokens: Mapping[str, str], separators: int, segment: int, saved: tokenizers.Tokenizer
) -> tokenizers.processors.PostProcessor:
    cls, sep = tokens["cls"], tokens["sep"]
    return tokenizers.processors.TemplateProcessing(
        single=[f"{cls}:0", "$A:0", f"{sep}:0"],
        pair=[f"{cls}:0", "$A:0", *[f"{sep}:0"] * separators, f"$B:{segment}", f"{sep}:{segment}"],
        special_tokens=[(token, saved.token_to_id(token)) for token in (cls, sep)],
    )


def _is_of_class(
    family: Layout,
    rules: Rules,
    special_tokens: Mapping[str, str],
    pieces: Pieces,
    byte_fallback: bool,
    separators: int,
) -> bool:
    """Tell whether transformers' class of the family, which makes its own rules, does as this tokenizer."""
    # DebertaV2Tokenizer of transformers 5 knows no rules of the vocabulary about characters.
    if not family.split_at_white_space or byte_fallback or separators != family.separators:
        return False
    # Only ALBERT's class has options about case and accents.
    lowercase, strip_accents = (rules.lowercase, rules.strip_accents) if family.replace_quotes else (False, False)
    theirs = family.rules(lowercase, strip_accents, characters=precompiled(rules.charsmap))
    first = [family.special_tokens[role] for role in family.first_roles]
    return rules == theirs and special_tokens == family.special_tokens and first == [p for p, _ in pieces[: len(first)]]


def _model(
    family: Layout,
    pieces: Pieces,
    rules: Rules,
    special_tokens: Mapping[str, str],
    control_tokens: Sequence[str],
    byte_fallback: bool,
) -> SentencePieceModel | None:
    """Return what a .model file can hold, None where the ids would not be the same when it is read alone."""
    tokens = dict(special_tokens)
    rows = list(pieces)
    if rows[-1][0] == tokens["mask"]:
        del rows[-1]
    if family.shifted:
        rows = [(tokens[role], 0.0) for role in ("unk", "cls", "sep")] + rows[len(family.first_roles) :]
    control = {*tokens.values(), *control_tokens} - {tokens["unk"]}
    typed = [Piece(text, score, _type(text, tokens["unk"], control, byte_fallback)) for text, score in rows]
    ids = {piece.text: index for index, piece in enumerate(typed)}
    if len(ids) != len(typed) or "" in ids or tokens["unk"] not in ids:
        return None
    model = SentencePieceModel(
        pieces=typed,
        unk_id=ids[tokens["unk"]],
        bos_id=ids.get(tokens["cls"], -1),
        eos_id=ids.get(tokens["sep"], -1),
        pad_id=ids.get(tokens["pad"], -1),
        byte_fallback=byte_fallback,
        charsmap=rules.charsmap,
        normalizer="user_defined" if rules.charsmap else "identity",
    )
    back = vocabulary_of(model, Path(family.model_file), family, tokens, {})
    return model if [piece for piece, _ in back] == [piece for piece, _ in pieces] else None


def _type(text: str, unknown: str, control: set[str], byte_fallback: bool) -> PieceType:
    if text == unknown:
        return PieceType.UNKNOWN
    if text in control:
        return PieceType.CONTROL
    return PieceType.BYTE if byte_fallback and _is_byte(text) else PieceType.NORMAL


def _is_byte(text: str) -> bool:
    return len(text) == 6 and text.startswith("<0x") and text.endswith(">")
