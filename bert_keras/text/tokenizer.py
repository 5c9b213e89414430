"""What all tokenizers share: text to arrays, and pieces with their places in the text."""

import abc
import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from bert_keras.errors import InputError
from bert_keras.text import folder
from bert_keras.text.mask_parts import Part, mask_parts
from bert_keras.text.packing import pack
from bert_keras.text.vocabulary import check_piece, piece_ids
from bert_keras.text.words import check_string

# A piece of a text: the piece, its id, and the place that it comes from, `text[start:end]`.
Piece = tuple[str, int, int, int]

# Texts in work at one time, so that the library's large results do not pile up.
_BATCH = 4096


class Tokenizer(abc.ABC):
    """Turns text into pieces, and rows of pieces into the arrays that models take.

    `from_folder`, `from_vocabulary` and `train` make the kind of tokenizer that is asked for; the kinds are in
    `bert_keras.text.kinds`.

    Text is not trusted: special tokens such as `[CLS]` or `<s>` in a text are ordinary text. With `mask_in_text` the
    mask token alone is understood.

    A subclass has a `kind` and gives `_batch_ids` and `_pieces` (the pieces of texts without mask tokens), `save`,
    `continues_word` and `piece_text`, and three ways to be made: `folder_arguments` and `vocabulary_arguments` return
    the arguments of its constructor, `trained` a tokenizer. Masks in a text, special tokens, checks of strings and
    packing are done here.

    Args:
        vocabulary: the pieces; the index is the id, of duplicates the last one counts.
        special_tokens: the tokens that are `pad`, `unk`, `cls`, `sep` and `mask`.
        mask_in_text: read the mask token in a text as one piece, for fill-mask; it may be set later.
        mask_takes_space: the white space on the left of a mask token gives no pieces.
        model_max_length: the longest row of the model; it is written into saved folders, calls do not use it.
        segments: give `segment_ids`; it may be set later.
        separators: how many `sep` tokens stand between the two texts of a pair.

    Raises:
        InputError: the vocabulary lacks a special token or holds something that is not a string.
    """

    kind: ClassVar[str]

    def __init__(
        self,
        vocabulary: Iterable[str],
        *,
        special_tokens: Mapping[str, str],
        mask_in_text: bool = False,
        mask_takes_space: bool = False,
        model_max_length: int | None = None,
        segments: bool = True,
        separators: int = 1,
    ):
        self.vocabulary = list(vocabulary)
        self.special_tokens = dict(special_tokens)
        self.mask_in_text = mask_in_text
        self.mask_takes_space = mask_takes_space
        self.model_max_length = model_max_length
        self.segments = segments
        self.separators = separators

        for index, piece in enumerate(self.vocabulary):
            check_piece(piece, index)
        ids = piece_ids(self.vocabulary)
        self.pad_id = self._special_id("pad", ids)
        self.unk_id = self._special_id("unk", ids)
        self.cls_id = self._special_id("cls", ids)
        self.sep_id = self._special_id("sep", ids)
        self.mask_id = self._special_id("mask", ids)

    @classmethod
    def from_vocabulary(cls, vocabulary: str | os.PathLike | Iterable[str], **options: Any) -> "Tokenizer":
        """Make a tokenizer from a vocabulary: a `vocab.txt` or a list of pieces is WordPiece's.

        Args:
            vocabulary: the path of the file, or the pieces.
            **options: further arguments of the class, such as `lowercase`.

        Raises:
            InputError: see the class; or the file is missing, empty or not UTF-8.
        """
        maker = cls._this_or(folder.kind_of_vocabulary(vocabulary))
        return maker(**{**maker.vocabulary_arguments(vocabulary), **options})

    @classmethod
    def from_folder(cls, path: str | os.PathLike, **options: Any) -> "Tokenizer":
        """Read the tokenizer of a checkpoint's folder, Hugging Face's or Google's; its files say which kind it is.

        Args:
            path: the folder.
            **options: arguments of the class that win over what the folder says.

        Raises:
            InputError: there is no vocabulary, it is of an unknown kind, a file cannot be read, a special token is
                missing.
        """
        try:
            maker = cls._this_or(folder.kind_of(path))
            return maker(**{**maker.folder_arguments(path), **options})
        except InputError as error:
            if os.fspath(path) in str(error):
                raise
            raise InputError(f"{os.fspath(path)}: {error}") from error
        except (AttributeError, KeyError, OverflowError, TypeError) as error:
            raise InputError(
                f"{os.fspath(path)}: tokenizer.json, tokenizer_config.json or special_tokens_map.json holds a value of "
                f"another kind than a tokenizer's ({error}); the vocabulary's own files are enough"
            ) from error

    @classmethod
    def train(cls, texts: Iterable[str], vocabulary_size: int, kind: str | None = None, **options: Any) -> "Tokenizer":
        """Make a tokenizer whose vocabulary comes from texts; the same texts give the same vocabulary.

        Args:
            texts: any iterable of strings; it is read once.
            vocabulary_size: how many pieces to make, special tokens included.
            kind: a name of `bert_keras.text.kinds.KINDS`; `wordpiece` if it is None.
            **options: what the kind has to choose, such as `lowercase`.

        Raises:
            InputError: another kind, or texts that give fewer pieces than asked for.
        """
        if isinstance(texts, str):
            raise InputError("texts is one string; give a list of strings")
        return cls._this_or(kind or "wordpiece").trained(texts, vocabulary_size, **options)

    def __call__(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        max_length: int | None = None,
        pad: bool = False,
        truncate: bool = True,
    ) -> dict[str, np.ndarray]:
        """Turn texts, or pairs of texts, into the arrays that models take.

        A row is `[CLS] text [SEP]` or `[CLS] text [SEP] pair [SEP]`, in some kinds `<s> text </s></s> pair </s>`.
        Texts without any word give `[CLS] [SEP]`. Without `max_length` nothing is cut. With it, a long text loses its
        end; of a pair the longer text loses pieces first, the second where both are equally long.

        Args:
            texts: B strings.
            pairs: B strings, or None.
            max_length: the longest row, special tokens included.
            pad: make all rows `max_length` long instead of as long as the longest.
            truncate: cut what is too long; with False it is an error.

        Returns:
            `token_ids`, `padding_mask` and, if `segments`, `segment_ids`: int32 [B, L].

        Raises:
            InputError: something is not a string, `pairs` has another length than `texts`, `max_length` leaves no room
                for a piece of each text, or a text is too long and `truncate` is false.
        """
        first = self.ids(texts)
        second = None
        if pairs is not None:
            second = self.ids(pairs, name="pairs")
            if len(first) != len(second):
                raise InputError(f"there are {len(first)} texts but {len(second)} pairs; each text needs one")
        return self.pack_ids(first, second, max_length, pad, truncate)

    def pack_ids(
        self,
        first: Sequence[Sequence[int]],
        second: Sequence[Sequence[int]] | None = None,
        max_length: int | None = None,
        pad: bool = False,
        truncate: bool = True,
    ) -> dict[str, np.ndarray]:
        """Return the arrays of texts whose ids, as `ids` gives them, are known; see `__call__`.

        Args:
            first, second: ids of B texts, and of B second texts or None.
            max_length, pad, truncate: as in `__call__`.

        Raises:
            InputError: `max_length` leaves no room, or a text is too long and `truncate` is false.
        """
        return pack(
            first,
            second,
            cls_id=self.cls_id,
            sep_id=self.sep_id,
            pad_id=self.pad_id,
            separators=self.separators,
            segments=self.segments,
            max_length=max_length,
            pad=pad,
            truncate=truncate,
        )

    def ids(self, texts: Sequence[str], name: str = "texts") -> list[list[int]]:
        """Return the ids of the pieces of each text, without special tokens and uncut.

        Args:
            texts: B strings.
            name: what errors call them.

        Raises:
            InputError: something is not a string.
        """
        if isinstance(texts, str | bytes):
            raise InputError(f"{name} is one string; give a list of strings")
        texts = list(texts)
        for index, text in enumerate(texts):
            check_string(text, f"{name}[{index}]")
        batch_ids = self._batch_ids_around_masks if self.mask_in_text else self._batch_ids
        ids: list[list[int]] = []
        for begin in range(0, len(texts), _BATCH):
            ids += batch_ids(texts[begin : begin + _BATCH])
        return ids

    def tokenize(self, text: str) -> list[Piece]:
        """Return the pieces of a text: (piece, id, start, end), without special tokens.

        `text[start:end]` is what the piece stands for, in the text as given. Where one character becomes several, as
        a hangul syllable or a character of several bytes may, several pieces may span it.

        Args:
            text: a string; offsets count its code points.

        Raises:
            InputError: the text is not a string.
        """
        check_string(text, "text")
        if not self.mask_in_text:
            return self._pieces(text)
        pieces: list[Piece] = []
        for begin, end, is_mask in self._parts(text):
            if is_mask:
                pieces.append((self.special_tokens["mask"], self.mask_id, begin, end))
            else:
                of_part = self._pieces(text[begin:end])
                pieces += [(piece, index, begin + start, begin + stop) for piece, index, start, stop in of_part]
        return pieces

    def with_mask_in_text(self) -> "Tokenizer":
        """Return the same tokenizer, for which the mask token in a text is one piece."""
        other = copy.copy(self)
        other.mask_in_text = True
        return other

    @abc.abstractmethod
    def save(self, path: str | os.PathLike, force: bool = False) -> None:
        """Write the tokenizer's files into a folder; `from_folder` reads them back, and so do Hugging Face's libraries.

        Args:
            path: the folder; it is made if need be.
            force: replace files of these names.

        Raises:
            InputError: a file exists and `force` is false, or the vocabulary cannot be written.
        """

    @abc.abstractmethod
    def continues_word(self, piece: str) -> bool:
        """Tell whether a piece of the vocabulary continues a word, as `##ing` does, instead of beginning one."""

    @abc.abstractmethod
    def piece_text(self, piece: str) -> str:
        """Return a piece of the vocabulary as it stands in a text, with the space before it where it has one."""

    @abc.abstractmethod
    def _batch_ids(self, texts: list[str]) -> list[list[int]]:
        """Return the ids of the pieces of some thousand strings; nothing in them is a special token."""

    @abc.abstractmethod
    def _pieces(self, text: str) -> list[Piece]:
        """Return the pieces of a string; nothing in it is a special token."""

    @classmethod
    @abc.abstractmethod
    def folder_arguments(cls, path: str | os.PathLike) -> dict[str, Any]:
        """Return the constructor's arguments as a checkpoint's folder has them."""

    @classmethod
    @abc.abstractmethod
    def vocabulary_arguments(cls, vocabulary: str | os.PathLike | Iterable[str]) -> dict[str, Any]:
        """Return the constructor's arguments that a vocabulary, or its file, gives."""

    @classmethod
    @abc.abstractmethod
    def trained(cls, texts: Iterable[str], vocabulary_size: int, **options: Any) -> "Tokenizer":
        """Return a tokenizer with a vocabulary made from texts."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.vocabulary)} pieces)"

    @classmethod
    def _this_or(cls, kind: str) -> "type[Tokenizer]":
        """Return this class, but of the base the class of a kind."""
        # Here, because the kinds are subclasses of this class.
        from bert_keras.text.kinds import KINDS

        if cls is not Tokenizer:
            return cls
        if kind not in KINDS:
            raise InputError(f"there is no kind of vocabulary {kind!r}; the kinds are {', '.join(KINDS)}")
        return KINDS[kind]

    def _special_id(self, role: str, ids: Mapping[str, int]) -> int:
        token = self.special_tokens[role]
        if token not in ids:
            raise InputError(f"the vocabulary of {len(self.vocabulary)} pieces lacks the special token {token!r}")
        return ids[token]

    def _parts(self, text: str) -> Iterator[Part]:
        return mask_parts(text, self.special_tokens["mask"], self.mask_takes_space)

    def _batch_ids_around_masks(self, texts: list[str]) -> list[list[int]]:
        parts = [list(self._parts(text)) for text in texts]
        ordinary = [
            text[start:end]
            for text, of_text in zip(texts, parts, strict=True)
            for start, end, is_mask in of_text
            if not is_mask
        ]
        ids = iter(self._batch_ids(ordinary))
        return [
            [index for part in of_text for index in ([self.mask_id] if part.is_mask else next(ids))]
            for of_text in parts
        ]
