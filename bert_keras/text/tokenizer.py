"""The WordPiece tokenizer of BERT: text to arrays, and pieces with their places in the text."""

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import folder
from bert_keras.text.packing import pack
from bert_keras.text.rules import GOOGLE_WORD_LIMIT, HUGGING_FACE_WORD_LIMIT
from bert_keras.text.train import train_wordpiece
from bert_keras.text.vocabulary import SPECIAL_TOKENS, check_piece, is_cased, piece_ids, read_vocabulary
from bert_keras.text.words import WordSplitter, check_string, is_plain

# Texts in work at one time, so that the library's large results do not pile up.
_BATCH = 4096


class Tokenizer:
    """Turns text into pieces by the rules of google-research/bert (tokenization.py).

    Where the rules of Hugging Face's tokenizers differ, Google's are followed: a capital sigma at the end of a word
    becomes `ς`, private-use and unassigned characters stay in their word, U+2B820 to U+2B91F are CJK, and punctuation
    newer than Unicode 8 is punctuation.

    Text is not trusted: `[CLS]`, `[MASK]` and the like in a text are three pieces, `[`, `mask` and `]`, as with
    Google's tokenizer and unlike Hugging Face's. With `mask_in_text` the mask token alone is understood.

    Args:
        vocabulary: the pieces; the index is the id, of duplicates the last one counts.
        lowercase: lower-case texts, for an uncased vocabulary.
        strip_accents: delete accents (NFD, then nonspacing marks); None to do as `lowercase` does.
        max_characters_per_word: longer words are one `[UNK]`. Google's checkpoints have 200, Hugging Face's 100.
        special_tokens: the names of `pad`, `unk`, `cls`, `sep`, `mask` where they are not `[PAD]`, `[UNK]`, ….
        mask_in_text: read the mask token in a text as one piece, for fill-mask.
        model_max_length: the longest row of the model; it is written into saved folders, calls do not use it.

    Raises:
        InputError: the vocabulary lacks a special token or holds something that is not a string.
    """

    def __init__(
        self,
        vocabulary: Iterable[str],
        lowercase: bool = True,
        strip_accents: bool | None = None,
        max_characters_per_word: int = GOOGLE_WORD_LIMIT,
        special_tokens: Mapping[str, str] | None = None,
        mask_in_text: bool = False,
        model_max_length: int | None = None,
    ):
        self.vocabulary = list(vocabulary)
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.max_characters_per_word = max_characters_per_word
        self.special_tokens = {**SPECIAL_TOKENS, **(special_tokens or {})}
        self.model_max_length = model_max_length

        for index, piece in enumerate(self.vocabulary):
            check_piece(piece, index)
        ids = piece_ids(self.vocabulary)
        self.pad_id = self._special_id("pad", ids)
        self.unk_id = self._special_id("unk", ids)
        self.cls_id = self._special_id("cls", ids)
        self.sep_id = self._special_id("sep", ids)
        self.mask_id = self._special_id("mask", ids)
        if lowercase and is_cased(self.vocabulary, self.special_tokens.values()):
            warnings.warn(
                "the vocabulary is cased but lowercase=True: its pieces with capitals can never be used; "
                "pass lowercase=False",
                stacklevel=2,
            )

        model = tokenizers.models.WordPiece(
            ids, unk_token=self.special_tokens["unk"], max_input_chars_per_word=max_characters_per_word
        )
        # Two ways through the same model: whole texts where the library's rules are Google's, words everywhere else.
        self._texts = tokenizers.Tokenizer(model)
        self._texts.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lowercase, strip_accents=strip_accents)
        self._texts.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        self._words = tokenizers.Tokenizer(model)
        self._words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
        self._mask_token = self.special_tokens["mask"] if mask_in_text else None
        self._splitter = WordSplitter(
            lowercase, lowercase if strip_accents is None else strip_accents, kept_token=self._mask_token
        )

    @classmethod
    def from_vocabulary(
        cls, vocabulary: str | os.PathLike | Iterable[str], lowercase: bool = True, **options
    ) -> "Tokenizer":
        """Make a tokenizer from a `vocab.txt` or from a list of pieces.

        Args:
            vocabulary: the path of the file, or the pieces.
            lowercase: lower-case texts, for an uncased vocabulary.
            **options: further arguments of the class.

        Raises:
            InputError: see `Tokenizer`; or the file is missing, empty or not UTF-8.
        """
        if isinstance(vocabulary, str | os.PathLike):
            vocabulary = read_vocabulary(vocabulary)
        return cls(vocabulary, lowercase=lowercase, **options)

    @classmethod
    def from_folder(cls, path: str | os.PathLike, **options) -> "Tokenizer":
        """Read the tokenizer of a checkpoint's folder, Hugging Face's or Google's.

        `vocab.txt` is the vocabulary, `tokenizer.json` where there is none. `tokenizer_config.json` says the case,
        then `tokenizer.json`; where neither does, a vocabulary with capitals is cased. A warning tells where the
        files contradict each other or ask for something that BERT's rules do not do.

        Args:
            path: the folder.
            **options: arguments of the class that win over what the folder says.

        Raises:
            InputError: there is no vocabulary, it is not WordPiece, a file cannot be read, a special token is missing.
        """
        try:
            return cls(**{**folder.read(path), **options})
        except (AttributeError, KeyError, OverflowError, TypeError) as error:
            raise InputError(
                f"{os.fspath(path)}: tokenizer.json, tokenizer_config.json or special_tokens_map.json holds a value of "
                f"another kind than a tokenizer's ({error}); vocab.txt alone is enough"
            ) from error

    @classmethod
    def train(
        cls, texts: Iterable[str], vocabulary_size: int, kind: str = "wordpiece", lowercase: bool = True
    ) -> "Tokenizer":
        """Make a tokenizer whose vocabulary comes from texts; the same texts give the same vocabulary.

        The special tokens come first, `[PAD]` has id 0. See `bert_keras.text.train.train_wordpiece`.

        Args:
            texts: any iterable of strings; it is read once.
            vocabulary_size: how many pieces to make, special tokens included.
            kind: `wordpiece`.
            lowercase: lower-case texts and strip accents.

        Raises:
            InputError: another kind, or texts that give fewer pieces than asked for.
        """
        if kind != "wordpiece":
            raise InputError(f"there is no kind of vocabulary {kind!r}; there is 'wordpiece'")
        if isinstance(texts, str):
            raise InputError("texts is one string; give a list of strings")
        vocabulary = train_wordpiece(texts, vocabulary_size, lowercase)
        return cls(vocabulary, lowercase=lowercase, max_characters_per_word=HUGGING_FACE_WORD_LIMIT)

    def __call__(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        max_length: int | None = None,
        pad: bool = False,
        truncate: bool = True,
    ) -> dict[str, np.ndarray]:
        """Turn texts, or pairs of texts, into the arrays that models take.

        A row is `[CLS] text [SEP]` or `[CLS] text [SEP] pair [SEP]`. Texts without any word give `[CLS] [SEP]`.
        Without `max_length` nothing is cut. With it, a long text loses its end; of a pair the longer text loses
        pieces first, the second where both are equally long.

        Args:
            texts: B strings.
            pairs: B strings, or None.
            max_length: the longest row, special tokens included.
            pad: make all rows `max_length` long instead of as long as the longest.
            truncate: cut what is too long; with False it is an error.

        Returns:
            `token_ids`, `segment_ids`, `padding_mask`: int32 [B, L].

        Raises:
            InputError: something is not a string, `pairs` has another length than `texts`, `max_length` is less than
                3 (pairs: 5), or a text is too long and `truncate` is false.
        """
        first = self.ids(texts)
        second = None
        if pairs is not None:
            second = self.ids(pairs, name="pairs")
            if len(first) != len(second):
                raise InputError(f"there are {len(first)} texts but {len(second)} pairs; each text needs one")
        return pack(
            first,
            second,
            cls_id=self.cls_id,
            sep_id=self.sep_id,
            pad_id=self.pad_id,
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
        ids: list[list[int]] = []
        texts = list(texts)
        for begin in range(0, len(texts), _BATCH):
            ids += self._batch_ids(texts[begin : begin + _BATCH], begin, name)
        return ids

    def tokenize(self, text: str) -> list[tuple[str, int, int, int]]:
        """Return the pieces of a text: (piece, id, start, end), without special tokens.

        `text[start:end]` is what the piece stands for, in the text as given: a letter spans its accents, an `[UNK]`
        its whole word. Where one character becomes several, as a hangul syllable does, several pieces may span it.

        Args:
            text: a string; offsets count its code points.

        Raises:
            InputError: the text is not a string.
        """
        check_string(text, "text")
        if self._is_plain(text):
            encoding = self._texts.encode(text, add_special_tokens=False)
            spans: Iterable[tuple[int, int]] = encoding.offsets
        else:
            words = self._splitter.split(text)
            encoding = self._words.encode(words.joined, add_special_tokens=False)
            spans = [(words.starts[start], words.ends[end - 1]) for start, end in encoding.offsets]
        return [
            (piece, index, start, end)
            for piece, index, (start, end) in zip(encoding.tokens, encoding.ids, spans, strict=True)
        ]

    def save(self, path: str | os.PathLike, force: bool = False) -> None:
        """Write `vocab.txt`, `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json` into a folder.

        `from_folder` reads them back, and so do the libraries of Hugging Face, with their own rules for the rare
        characters named above and for special tokens in a text.

        Args:
            path: the folder; it is made if need be.
            force: replace files of these names.

        Raises:
            InputError: a file exists and `force` is false, or a piece cannot stand on one line of `vocab.txt`.
        """
        folder.write(
            path,
            force,
            vocabulary=self.vocabulary,
            lowercase=self.lowercase,
            strip_accents=self.strip_accents,
            max_characters_per_word=self.max_characters_per_word,
            special_tokens=self.special_tokens,
            model_max_length=self.model_max_length,
        )

    def __repr__(self) -> str:
        return f"Tokenizer({len(self.vocabulary)} pieces, {'uncased' if self.lowercase else 'cased'})"

    def _special_id(self, role: str, ids: Mapping[str, int]) -> int:
        token = self.special_tokens[role]
        if token not in ids:
            raise InputError(f"the vocabulary of {len(self.vocabulary)} pieces lacks the special token {token!r}")
        return ids[token]

    def _is_plain(self, text: str) -> bool:
        return is_plain(text) and not (self._mask_token and self._mask_token in text)

    def _batch_ids(self, texts: Sequence[str], offset: int, name: str) -> list[list[int]]:
        for index, text in enumerate(texts, start=offset):
            check_string(text, f"{name}[{index}]")
        is_plain = [self._is_plain(text) for text in texts]
        plain = [text for text, whole in zip(texts, is_plain, strict=True) if whole]
        words = [self._splitter.split(text).joined for text, whole in zip(texts, is_plain, strict=True) if not whole]
        from_texts = iter(self._texts.encode_batch_fast(plain, add_special_tokens=False))
        from_words = iter(self._words.encode_batch_fast(words, add_special_tokens=False))
        return [next(from_texts if whole else from_words).ids for whole in is_plain]
