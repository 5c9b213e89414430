"""What happens to a text before a unigram model cuts it: its characters are changed, and its words get a leading `▁`.

The rules are those of the `tokenizers` library, as tokenizer.json writes them.
"""

import base64
import binascii
import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text.charsmap import is_charsmap

# What SentencePiece writes for a space.
SPACE = "▁"

_QUOTES = [{"type": "Replace", "pattern": {"String": quotes}, "content": '"'} for quotes in ("``", "''")]
_NO_ACCENTS = [{"type": "NFKD"}, {"type": "StripAccents"}]
_STRIP = {"type": "Strip", "strip_left": True, "strip_right": True}
_ONE_SPACE = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
_PUNCTUATION = {"type": "Punctuation", "behavior": "Isolated"}
_SPACES = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True}

NFKC = {"type": "NFKC"}


@dataclasses.dataclass(frozen=True)
class Rules:
    """How texts are changed and split.

    Args:
        normalizer: how characters are changed, None for not at all.
        pre_tokenizer: how words are split and spaces written.
    """

    normalizer: Mapping[str, Any] | None
    pre_tokenizer: Mapping[str, Any]

    @property
    def lowercase(self) -> bool:
        """Whether texts are lower-cased."""
        return any(step["type"] == "Lowercase" for step in _steps(self.normalizer, "normalizers"))

    @property
    def strip_accents(self) -> bool:
        """Whether accents are deleted."""
        return any(step["type"] == "StripAccents" for step in _steps(self.normalizer, "normalizers"))

    @property
    def split_by_punctuation(self) -> bool:
        """Whether each punctuation character is a word."""
        return any(step["type"] == "Punctuation" for step in _steps(self.pre_tokenizer, "pretokenizers"))

    @property
    def characters(self) -> Mapping[str, Any] | None:
        """The step that maps characters to the usual ones, `precompiled` or `NFKC`; None where there is none."""
        for step in _steps(self.normalizer, "normalizers"):
            if step["type"] in ("Precompiled", "NFKC"):
                return step
        return None

    @property
    def charsmap(self) -> bytes:
        """SentencePiece's own rules about characters; empty where there are none."""
        return base64.b64decode((self.characters or {}).get("precompiled_charsmap", ""))

    def apply(self, tokenizer: tokenizers.Tokenizer) -> None:
        """Give a tokenizer of the library these rules."""
        parsed = _parse(self.normalizer, self.pre_tokenizer)
        if self.normalizer is not None:
            tokenizer.normalizer = parsed.normalizer
        tokenizer.pre_tokenizer = parsed.pre_tokenizer


def saved_rules(saved: Mapping[str, Any], source: object) -> Rules:
    """Return the rules that tokenizer.json states.

    Args:
        saved: its content.
        source: the file, for errors.

    Raises:
        InputError: the rules are unknown, or leave spaces in the words, where SentencePiece writes `▁`.
    """
    normalizer, pre_tokenizer = saved.get("normalizer"), saved.get("pre_tokenizer")
    kinds = [step.get("type") for step in _steps(pre_tokenizer, "pretokenizers")]
    if "Metaspace" not in kinds:
        listed = ", ".join(map(str, kinds)) or "nothing"
        raise InputError(f"{source}: its words are split by {listed}; a SentencePiece vocabulary needs Metaspace")
    for step in _steps(normalizer, "normalizers"):
        if step.get("type") == "Precompiled" and not _is_precompiled(step.get("precompiled_charsmap")):
            raise InputError(f"{source}: its rules about characters (precompiled_charsmap) are damaged")
    return _canonical(normalizer, pre_tokenizer, source)


def family_rules(
    *,
    lowercase: bool,
    strip_accents: bool,
    characters: Mapping[str, Any] | None,
    replace_quotes: bool,
    split_at_white_space: bool,
    split_by_punctuation: bool,
) -> Rules:
    """Return rules in the order of Hugging Face's converters (convert_slow_tokenizer.py).

    Args:
        lowercase: lower-case texts.
        strip_accents: decompose characters (NFKD) and delete accents.
        characters: the step that changes characters last: `precompiled`, `NFKC`, or None.
        replace_quotes: write ```` `` ```` and `''` as `"`.
        split_at_white_space: words end at any white space, instead of at spaces only.
        split_by_punctuation: punctuation is a word by itself.
    """
    normalizers: list[Mapping[str, Any]] = []
    normalizers += _QUOTES if replace_quotes else []
    normalizers += _NO_ACCENTS if strip_accents else []
    normalizers += [{"type": "Lowercase"}] if lowercase else []
    normalizers += [] if split_at_white_space else [_STRIP]
    normalizers += [] if characters is None else [characters]
    normalizers += [] if split_at_white_space else [_ONE_SPACE]
    pre_tokenizers = [
        *([{"type": "WhitespaceSplit"}] if split_at_white_space else []),
        *([_PUNCTUATION] if split_by_punctuation else []),
        _SPACES,
    ]
    return _canonical(
        {"type": "Sequence", "normalizers": normalizers} if normalizers else None,
        {"type": "Sequence", "pretokenizers": pre_tokenizers},
        "the rules of the family",
    )


def precompiled(charsmap: bytes) -> Mapping[str, Any] | None:
    """Return the step for SentencePiece's own rules about characters, None where there are none."""
    if not charsmap:
        return None
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()}


def _steps(part: Mapping[str, Any] | None, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield the steps of a normalizer or pre-tokenizer, those within sequences too."""
    if part is None:
        return
    if part.get("type") != "Sequence":
        yield part
        return
    for step in part[name]:
        yield from _steps(step, name)


def _is_precompiled(charsmap: object) -> bool:
    try:
        return isinstance(charsmap, str) and is_charsmap(base64.b64decode(charsmap, validate=True))
    except binascii.Error:
        return False


def _canonical(normalizer: Any, pre_tokenizer: Any, source: object) -> Rules:
    """Return rules as the library writes them, whatever version of it wrote these."""
    try:
        written = json.loads(_parse(normalizer, pre_tokenizer).to_str())
    # The library raises nothing more precise.
    except Exception as error:
        raise InputError(f"{source}: unknown rules for splitting text ({error})") from None
    return Rules(written["normalizer"], written["pre_tokenizer"])


def _parse(normalizer: Any, pre_tokenizer: Any) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_str(
        json.dumps(
            {
                "version": "1.0",
                "truncation": None,
                "padding": None,
                "added_tokens": [],
                "normalizer": normalizer,
                "pre_tokenizer": pre_tokenizer,
                "post_processor": None,
                "decoder": None,
                "model": {"type": "Unigram", "unk_id": 0, "vocab": [[SPACE, 0.0]], "byte_fallback": False},
            }
        )
    )
