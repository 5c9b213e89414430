"""The unigram tokenizer of SentencePiece, as ALBERT, XLM-RoBERTa and DeBERTa v2 and v3 use it."""

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import unigram_folder, unigram_writer
from bert_keras.text.surrogates import without_surrogates
from bert_keras.text.tokenizer import Piece, Tokenizer
from bert_keras.text.train_unigram import train_unigram
from bert_keras.text.unigram_layouts import LAYOUTS
from bert_keras.text.unigram_rules import NFKC, SPACE, Rules


class UnigramTokenizer(Tokenizer):
    """Cuts texts into the most probable pieces, the pieces being independent of each other.

    Ids and places are those of Hugging Face's fast tokenizers, except:

    - Special tokens in a text are ordinary text, as everywhere in this package and in SentencePiece itself. With
      `mask_in_text` the mask token alone is understood; its place does not hold the space on its left.
    - Where a folder has no tokenizer.json, DeBERTa's texts are changed as its `.model` file says, as DeBERTa's authors
      and transformers 4 do: `ﬁne` becomes `fine`. transformers 5 passes that over and makes an unknown piece of `ﬁ`.
    - Symbols that a `.model` file calls user-defined are ordinary pieces; transformers 5 begins a new word behind each
      where there is no tokenizer.json.
    - Of Google's ALBERT checkpoints (those without files of Hugging Face), pieces such as `▁1,` are avoided, as
      Google's code splits them. The tokenizer.json files that were released avoid them as well, and are followed;
      transformers 5 does not where it reads a `.model` file itself, and neither is it done here then.
    - Half a character (a lone surrogate) is read as U+FFFD, where transformers raises an error.
    - Places are right behind characters that the rules delete at the beginning of a text; tokenizers 0.23 shifts them.

    As these tokenizers, and unlike SentencePiece, it drops a `▁` that stands in a text for itself in some places, and
    follows rules for several characters only where they are written as one. What a `.model` file says of white space
    is not read: each family has its way.

    A piece's place has no `▁` where words are split at white space (ALBERT, XLM-RoBERTa), and holds the space before
    the word where they are not (DeBERTa), as in Hugging Face's tokenizers. A place may be shared: `▁` that stands
    alone has that of the character behind it.

    Source: Kudo 2018, Subword Regularization; google/sentencepiece; transformers, convert_slow_tokenizer.py.

    Args:
        pieces: (piece, logarithm of its probability); the index is the id.
        layout: whose files and special tokens: `albert`, `xlm-roberta` or `deberta-v2`.
        lowercase: lower-case texts; None for what the rules or the family do.
        strip_accents: delete accents (NFKD, then nonspacing marks); None for what the rules or the family do.
        split_by_punctuation: make each punctuation character a word, as `split_by_punct` of DeBERTa's files does; None
            for what the rules do.
        rules: how texts are changed and split; None for the family's way, without changing characters. Where one of
            the three options above is given as well, the family's way with the characters of these rules.
        control_tokens: further pieces that no text becomes.
        byte_fallback: spell unknown characters in bytes, for a vocabulary with the pieces `<0x00>` to `<0xFF>`.
        special_tokens: the names of `pad`, `unk`, `cls`, `sep`, `mask` where they are not the family's.
        mask_in_text: read the mask token in a text as one piece, for fill-mask; it may be set later.
        mask_takes_space: the white space on the left of a mask token is part of it; None for the family's way.
        model_max_length: the longest row of the model; it is written into saved folders, calls do not use it.
        segments: give `segment_ids`; it may be set later. None for the family's way.
        separators: how many `sep` tokens stand between the two texts of a pair; None for the family's way.

    Raises:
        InputError: there is no such layout, a special token is missing, or a piece is not one.
    """

    kind = "unigram"

    def __init__(
        self,
        pieces: Iterable[tuple[str, float]],
        layout: str = "albert",
        lowercase: bool | None = None,
        strip_accents: bool | None = None,
        split_by_punctuation: bool | None = None,
        rules: Rules | None = None,
        control_tokens: Iterable[str] = (),
        byte_fallback: bool = False,
        special_tokens: Mapping[str, str] | None = None,
        mask_in_text: bool = False,
        mask_takes_space: bool | None = None,
        model_max_length: int | None = None,
        segments: bool | None = None,
        separators: int | None = None,
    ):
        if layout not in LAYOUTS:
            raise InputError(f"there is no layout {layout!r}; the layouts are {', '.join(LAYOUTS)}")
        family = LAYOUTS[layout]
        pieces = list(pieces)
        _check_scores(pieces)
        super().__init__(
            [piece for piece, _ in pieces],
            special_tokens={**family.special_tokens, **(special_tokens or {})},
            mask_in_text=mask_in_text,
            mask_takes_space=family.mask_takes_space if mask_takes_space is None else mask_takes_space,
            model_max_length=model_max_length,
            segments=family.segments if segments is None else segments,
            separators=family.separators if separators is None else separators,
        )
        self.layout = layout
        self.scores = [score for _, score in pieces]
        self.control_tokens = list(control_tokens)
        self.byte_fallback = byte_fallback
        if rules is None:
            rules = family.rules(lowercase, strip_accents, split_by_punctuation)
        elif (lowercase, strip_accents, split_by_punctuation) != (None, None, None):
            rules = family.rules(
                rules.lowercase if lowercase is None else lowercase,
                rules.strip_accents if strip_accents is None else strip_accents,
                rules.split_by_punctuation if split_by_punctuation is None else split_by_punctuation,
                rules.characters,
            )
        self.rules = rules
        self.lowercase = rules.lowercase
        self.strip_accents = rules.strip_accents

        # No text holds a space when it comes to the model, so these pieces are never found in one.
        hidden = {*self.special_tokens.values(), *self.control_tokens, ""}
        known = [(f" {piece}" if piece in hidden else piece, score) for piece, score in pieces]
        self._texts = tokenizers.Tokenizer(tokenizers.models.Unigram(known, self.unk_id, byte_fallback))
        rules.apply(self._texts)

    def save(self, path: str | os.PathLike, force: bool = False) -> None:
        """Write a `.model` file, `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json` into a folder.

        `from_folder` reads them back, and so do the libraries of Hugging Face, for which special tokens in a text are
        special. A `.model` file cannot tell everything: case, accents and NFKC are in tokenizer.json alone.

        Args:
            path: the folder; it is made if need be.
            force: replace files of these names.

        Raises:
            InputError: a file exists and `force` is false.
        """
        unigram_writer.write(
            path,
            force,
            layout=self.layout,
            pieces=list(zip(self.vocabulary, self.scores, strict=True)),
            rules=self.rules,
            special_tokens=self.special_tokens,
            control_tokens=self.control_tokens,
            byte_fallback=self.byte_fallback,
            mask_takes_space=self.mask_takes_space,
            model_max_length=self.model_max_length,
            segments=self.segments,
            separators=self.separators,
        )

    def continues_word(self, piece: str) -> bool:
        """Tell whether a piece of the vocabulary continues a word: it does not begin with `▁`."""
        return not piece.startswith(SPACE)

    def piece_text(self, piece: str) -> str:
        return piece.replace(SPACE, " ")

    def __repr__(self) -> str:
        case = "uncased" if self.lowercase else "cased"
        return f"UnigramTokenizer({len(self.vocabulary)} pieces, {case}, as {self.layout})"

    def _batch_ids(self, texts: list[str]) -> list[list[int]]:
        encodings = self._texts.encode_batch_fast(
            [without_surrogates(text) for text in texts], add_special_tokens=False
        )
        return [encoding.ids for encoding in encodings]

    def _pieces(self, text: str) -> list[Piece]:
        text = without_surrogates(text)
        encoding, begin = self._texts.encode(text, add_special_tokens=False), self._first_kept(text)
        if begin:
            # The library shifts all places of such a text.
            rest = self._texts.encode(text[begin:], add_special_tokens=False)
            encoding, begin = (rest, begin) if rest.ids == encoding.ids else (encoding, 0)
        return [
            (self.vocabulary[index], index, begin + start, begin + end)
            for index, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
        ]

    def _first_kept(self, text: str) -> int:
        """The place of the first character that the rules do not delete."""
        normalizer = self._texts.normalizer
        if normalizer is None:
            return 0
        kept = (
            place for place, character in enumerate(text) if character.isalnum() or normalizer.normalize_str(character)
        )
        return next(kept, 0)

    @classmethod
    def folder_arguments(cls, path: str | os.PathLike) -> dict[str, Any]:
        """Return what the files say.

        `tokenizer.json` is the vocabulary, the `.model` file where there is none. The family is that of the class that
        tokenizer_config.json names, of config.json, or of the files. A warning tells where the files contradict each
        other.
        """
        return unigram_folder.read(path)

    @classmethod
    def vocabulary_arguments(cls, vocabulary: str | os.PathLike | Iterable[Any]) -> dict[str, Any]:
        if isinstance(vocabulary, str | os.PathLike):
            return unigram_folder.read_file(Path(vocabulary))
        return {"pieces": vocabulary}

    @classmethod
    def trained(
        cls, texts: Iterable[str], vocabulary_size: int, lowercase: bool = True, layout: str = "albert", **options: Any
    ) -> "UnigramTokenizer":
        """Return a tokenizer with NFKC characters; without case its texts lose their accents too."""
        if layout not in LAYOUTS:
            raise InputError(f"there is no layout {layout!r}; the layouts are {', '.join(LAYOUTS)}")
        rules = LAYOUTS[layout].rules(lowercase, lowercase, characters=NFKC)
        family = LAYOUTS[layout]
        tokens = family.special_tokens
        first = [tokens[role] for role in family.first_roles]
        last = [token for token in tokens.values() if token not in first]
        pieces = train_unigram(texts, vocabulary_size, rules, first, last)
        return cls(pieces, layout, rules=rules, **options)


def _check_scores(pieces: list[tuple[str, float]]) -> None:
    for index, piece in enumerate(pieces):
        if not (isinstance(piece, tuple | list) and len(piece) == 2 and isinstance(piece[1], int | float)):
            raise InputError(f"piece {index} is {piece!r}; it should be a piece and a number, its score")
        if not math.isfinite(piece[1]):
            raise InputError(f"piece {index} ({piece[0]!r}) has the score {piece[1]}; scores are finite")
