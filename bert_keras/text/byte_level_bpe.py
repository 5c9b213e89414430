"""The byte-level BPE tokenizer of RoBERTa and the first DeBERTa."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import byte_level_bpe_folder
from bert_keras.text.byte_level_bpe_folder import SPECIAL_TOKENS, Merge
from bert_keras.text.surrogates import without_surrogates
from bert_keras.text.tokenizer import Piece, Tokenizer
from bert_keras.text.train_byte_level_bpe import train_byte_level_bpe
from bert_keras.text.vocabulary import piece_ids


class ByteLevelBpeTokenizer(Tokenizer):
    """Turns text into pieces of its UTF-8 bytes, as GPT-2 and RoBERTa do: nothing is lost, nothing is cleaned.

    A piece is written with one character a byte; `Ġ` is the space, which belongs to the word behind it. So `Hello` at
    the beginning of a text and ` Hello` behind another word are two pieces; `add_prefix_space` gives every text a
    space in front, if it begins with none.

    The ids and places are those of transformers' fast tokenizers (`trim_offsets=True`), except that

    - special tokens in a text, such as `<s>`, are ordinary text, as text is not trusted; with `mask_in_text` the mask
      token alone is understood;
    - behind a mask token `add_prefix_space` shifts no places: transformers 5.24 gives `Ġb` of `a<mask>b` the empty
      place (8, 8), here it is (7, 8);
    - bytes that a small vocabulary lacks are `<unk>`, where transformers drops them;
    - half a character (a lone surrogate) is read as U+FFFD, where transformers raises an error;
    - a pair has one `[SEP]` in the middle where the vocabulary has `[CLS]` and `[SEP]` and no file says otherwise, as
      in microsoft/DeBERTa; transformers 5.24 puts two.

    The places that `tokenize` gives leave out the space in front; pieces of one character of several bytes all have
    the place of that character.

    Source: Radford et al. 2019; Liu et al. 2019; openai/gpt-2, encoder.py.

    Args:
        vocabulary: the pieces; the index is the id, of duplicates the last one counts.
        merges: which two pieces become one, the most important first.
        add_prefix_space: begin every text with a space.
        special_tokens: the names of `pad`, `unk`, `cls`, `sep`, `mask` where they are not `<pad>`, `<unk>`, `<s>`, ….
        mask_in_text: read the mask token in a text as one piece, for fill-mask; it may be set later.
        mask_takes_space: the white space on the left of a mask token gives no pieces, as in the released files.
        model_max_length: the longest row of the model; it is written into saved folders, calls do not use it.
        segments: give `segment_ids`; it may be set later.
        separators: how many `sep` tokens stand between the two texts of a pair: RoBERTa 2, DeBERTa 1.

    Raises:
        InputError: the vocabulary lacks a special token or a piece of a merge, or holds something that is not a string.
    """

    kind = "byte-level-bpe"

    def __init__(
        self,
        vocabulary: Iterable[str],
        merges: Iterable[Merge],
        add_prefix_space: bool = False,
        special_tokens: Mapping[str, str] | None = None,
        mask_in_text: bool = False,
        mask_takes_space: bool = True,
        model_max_length: int | None = None,
        segments: bool = False,
        separators: int = 2,
    ):
        super().__init__(
            vocabulary,
            special_tokens={**SPECIAL_TOKENS, **(special_tokens or {})},
            mask_in_text=mask_in_text,
            mask_takes_space=mask_takes_space,
            model_max_length=model_max_length,
            segments=segments,
            separators=separators,
        )
        self.merges = [(left, right) for left, right in merges]
        self.add_prefix_space = add_prefix_space

        ids = piece_ids(self.vocabulary)
        for index, merge in enumerate(self.merges):
            _check_merge(merge, index, ids)
        specials = set(self.special_tokens.values())
        model = tokenizers.models.BPE(
            ids,
            # Text never becomes a special token, not even by a merge.
            [(left, right) for left, right in self.merges if left + right not in specials],
            unk_token=self.special_tokens["unk"],
        )
        self._library = tokenizers.Tokenizer(model)
        self._bytes = tokenizers.decoders.ByteLevel()
        self._library.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
        self._library.post_processor = tokenizers.processors.ByteLevel(
            add_prefix_space=add_prefix_space, trim_offsets=True
        )

    def save(self, path: str | os.PathLike, force: bool = False) -> None:
        """Write the files of a byte-level BPE tokenizer into a folder.

        They are `vocab.json`, `merges.txt`, `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json`.
        `from_folder` reads them back, and so do the libraries of Hugging Face, to which special tokens in a text are
        special.

        Args:
            path: the folder; it is made if need be.
            force: replace files of these names.

        Raises:
            InputError: a file exists and `force` is false, or a merge cannot stand on one line of `merges.txt`.
        """
        byte_level_bpe_folder.write(
            path,
            force,
            vocabulary=self.vocabulary,
            merges=self.merges,
            add_prefix_space=self.add_prefix_space,
            special_tokens=self.special_tokens,
            mask_takes_space=self.mask_takes_space,
            model_max_length=self.model_max_length,
            segments=self.segments,
            separators=self.separators,
        )

    def continues_word(self, piece: str) -> bool:
        """Tell whether a piece of the vocabulary continues a word: it does not begin with a space.

        Source: facebookresearch/fairseq, gpt2_bpe.py (`is_beginning_of_word`).
        """
        return not piece.startswith("Ġ")

    def piece_text(self, piece: str) -> str:
        """Return the bytes of a piece as text; U+FFFD stands for a character of which it has a part only."""
        return piece if piece in self.special_tokens.values() else self._bytes.decode([piece])

    def _batch_ids(self, texts: list[str]) -> list[list[int]]:
        encodings = self._library.encode_batch_fast(list(map(without_surrogates, texts)), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def _pieces(self, text: str) -> list[Piece]:
        encoding = self._library.encode(without_surrogates(text), add_special_tokens=False)
        return [
            (piece, index, start, end)
            for piece, index, (start, end) in zip(encoding.tokens, encoding.ids, encoding.offsets, strict=True)
        ]

    @classmethod
    def folder_arguments(cls, path: str | os.PathLike) -> dict[str, Any]:
        return byte_level_bpe_folder.read(path)

    @classmethod
    def vocabulary_arguments(cls, vocabulary: str | os.PathLike | Iterable[str]) -> dict[str, Any]:
        """Return what a `vocab.json` and the `merges.txt` beside it say; merges of a list of pieces are an option."""
        if isinstance(vocabulary, str | os.PathLike):
            return byte_level_bpe_folder.read_vocabulary(vocabulary)
        return {"vocabulary": vocabulary}

    @classmethod
    def trained(cls, texts: Iterable[str], vocabulary_size: int, **options: Any) -> "ByteLevelBpeTokenizer":
        """Return a tokenizer; `<s>`, `<pad>`, `</s>` and `<unk>` come first and `<mask>` last, as in RoBERTa."""
        add_prefix_space = options.get("add_prefix_space", False)
        return cls(*train_byte_level_bpe(texts, vocabulary_size, add_prefix_space), **options)


def _check_merge(merge: Merge, index: int, ids: Mapping[str, int]) -> None:
    for piece in (*merge, "".join(merge)):
        if piece not in ids:
            raise InputError(f"merges[{index}] is {merge!r}, but the vocabulary lacks {piece!r}")
