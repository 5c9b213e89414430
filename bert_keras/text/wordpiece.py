"""The WordPiece tokenizer of BERT."""

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import tokenizers

from bert_keras.text import wordpiece_folder
from bert_keras.text.rules import GOOGLE_WORD_LIMIT, HUGGING_FACE_WORD_LIMIT
from bert_keras.text.tokenizer import Piece, Tokenizer
from bert_keras.text.train import train_wordpiece
from bert_keras.text.vocabulary import SPECIAL_TOKENS, is_cased, piece_ids, read_vocabulary
from bert_keras.text.words import WordSplitter, is_plain


class WordPieceTokenizer(Tokenizer):
    """Turns text into pieces by the rules of google-research/bert (tokenization.py).

    Where the rules of Hugging Face's tokenizers differ, Google's are followed: a capital sigma at the end of a word
    becomes `ς`, private-use and unassigned characters stay in their word, U+2B820 to U+2B91F are CJK, and punctuation
    newer than Unicode 8 is punctuation.

    Text is not trusted: `[CLS]`, `[MASK]` and the like in a text are three pieces, `[`, `mask` and `]`, as with
    Google's tokenizer and unlike Hugging Face's. With `mask_in_text` the mask token alone is understood.

    Of an `[UNK]`, `tokenize` gives the whole word as its place; a letter spans its accents.

    Args:
        vocabulary: the pieces; the index is the id, of duplicates the last one counts.
        lowercase: lower-case texts, for an uncased vocabulary.
        strip_accents: delete accents (NFD, then nonspacing marks); None to do as `lowercase` does.
        max_characters_per_word: longer words are one `[UNK]`. Google's checkpoints have 200, Hugging Face's 100.
        special_tokens: the names of `pad`, `unk`, `cls`, `sep`, `mask` where they are not `[PAD]`, `[UNK]`, ….
        mask_in_text: read the mask token in a text as one piece, for fill-mask; it may be set later.
        model_max_length: the longest row of the model; it is written into saved folders, calls do not use it.
        segments: give `segment_ids`; it may be set later.

    Raises:
        InputError: the vocabulary lacks a special token or holds something that is not a string.
    """

    kind = "wordpiece"

    def __init__(
        self,
        vocabulary: Iterable[str],
        lowercase: bool = True,
        strip_accents: bool | None = None,
        max_characters_per_word: int = GOOGLE_WORD_LIMIT,
        special_tokens: Mapping[str, str] | None = None,
        mask_in_text: bool = False,
        model_max_length: int | None = None,
        segments: bool = True,
    ):
        super().__init__(
            vocabulary,
            special_tokens={**SPECIAL_TOKENS, **(special_tokens or {})},
            mask_in_text=mask_in_text,
            model_max_length=model_max_length,
            segments=segments,
        )
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.max_characters_per_word = max_characters_per_word
        if lowercase and is_cased(self.vocabulary, self.special_tokens.values()):
            warnings.warn(
                "the vocabulary is cased but lowercase=True: its pieces with capitals can never be used; "
                "pass lowercase=False",
                stacklevel=2,
            )

        model = tokenizers.models.WordPiece(
            piece_ids(self.vocabulary),
            unk_token=self.special_tokens["unk"],
            max_input_chars_per_word=max_characters_per_word,
        )
        # Two ways through the same model: whole texts where the library's rules are Google's, words everywhere else.
        self._texts = tokenizers.Tokenizer(model)
        self._texts.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lowercase, strip_accents=strip_accents)
        self._texts.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        self._words = tokenizers.Tokenizer(model)
        self._words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
        self._splitter = WordSplitter(lowercase, lowercase if strip_accents is None else strip_accents)

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
        wordpiece_folder.write(
            path,
            force,
            vocabulary=self.vocabulary,
            lowercase=self.lowercase,
            strip_accents=self.strip_accents,
            max_characters_per_word=self.max_characters_per_word,
            special_tokens=self.special_tokens,
            model_max_length=self.model_max_length,
        )

    def continues_word(self, piece: str) -> bool:
        """Tell whether a piece of the vocabulary continues a word: it begins with `##`."""
        return piece.startswith("##")

    def piece_text(self, piece: str) -> str:
        return piece.removeprefix("##")

    def __repr__(self) -> str:
        return f"WordPieceTokenizer({len(self.vocabulary)} pieces, {'uncased' if self.lowercase else 'cased'})"

    def _batch_ids(self, texts: list[str]) -> list[list[int]]:
        plain_ones = [is_plain(text) for text in texts]
        plain = [text for text, whole in zip(texts, plain_ones, strict=True) if whole]
        words = [self._splitter.split(text).joined for text, whole in zip(texts, plain_ones, strict=True) if not whole]
        from_texts = iter(self._texts.encode_batch_fast(plain, add_special_tokens=False))
        from_words = iter(self._words.encode_batch_fast(words, add_special_tokens=False))
        return [next(from_texts if whole else from_words).ids for whole in plain_ones]

    def _pieces(self, text: str) -> list[Piece]:
        if is_plain(text):
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

    @classmethod
    def folder_arguments(cls, path: str | os.PathLike) -> dict[str, Any]:
        """Return what the files say.

        `vocab.txt` is the vocabulary, `tokenizer.json` where there is none. `tokenizer_config.json` says the case,
        then `tokenizer.json`; where neither does, a vocabulary with capitals is cased. A warning tells where the
        files contradict each other or ask for something that BERT's rules do not do.
        """
        return wordpiece_folder.read(path)

    @classmethod
    def vocabulary_arguments(cls, vocabulary: str | os.PathLike | Iterable[str]) -> dict[str, Any]:
        if isinstance(vocabulary, str | os.PathLike):
            vocabulary = read_vocabulary(vocabulary)
        return {"vocabulary": vocabulary}

    @classmethod
    def trained(
        cls, texts: Iterable[str], vocabulary_size: int, lowercase: bool = True, **options: Any
    ) -> "WordPieceTokenizer":
        """Return a tokenizer; the special tokens come first, `[PAD]` has id 0. See `train_wordpiece`."""
        vocabulary = train_wordpiece(texts, vocabulary_size, lowercase)
        options = {"max_characters_per_word": HUGGING_FACE_WORD_LIMIT, **options}
        return cls(vocabulary, lowercase=lowercase, **options)
