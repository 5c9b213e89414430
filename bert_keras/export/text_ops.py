"""WordPiece as TensorFlow operations, so that an exported graph takes raw text.

Only core operations: a SavedModel with them loads in any TensorFlow, without tensorflow-text, whose own tokenizer has
other rules (ICU's tables, 100 bytes a word, another list of controls). What the graph does with each character is not
written here: a table holds what the tokenizer's rules make of each one, so both have the same rules.

B texts, C characters, N words, P pairs of a start and a length, n pieces.
"""

import functools
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from bert_keras.text import WordPieceTokenizer
from bert_keras.text.cleaning import strip_accents
from bert_keras.text.rules import is_cjk, is_dropped, is_punctuation, is_whitespace
from bert_keras.text.vocabulary import piece_ids

# Unicode by pages of 256 characters. Only these have letters, marks or controls; all others are like the last one here.
_PAGE = 256
_PAGES = (*range(0x324), 0xE00, 0xE01, 0xE02)

_SELF = -1  # stands for the character itself in a replacement
_KEPT = (_SELF,)

# What a character is to a capital sigma near it.
_OTHER, _CASED, _IGNORABLE = range(3)
_CAPITAL_SIGMA, _FINAL_SIGMA = "\u03a3", "\u03c2"


class GraphTokenizer(tf.Module):
    """The ids of the pieces of texts, equal to those of our WordPiece tokenizer, as graph operations.

    Words longer than the limit and words that the vocabulary cannot spell become the unknown piece.

    Args:
        tokenizer: the tokenizer; its option `mask_in_text` is not known here.
    """

    def __init__(self, tokenizer: WordPieceTokenizer):
        super().__init__()
        accents = tokenizer.strip_accents
        strip = tokenizer.lowercase if accents is None else accents
        kinds, replacements = _replacements(tokenizer.lowercase, strip)
        ids = piece_ids(tokenizer.vocabulary)
        self.unknown_id = tokenizer.unk_id
        self.word_limit = tokenizer.max_characters_per_word
        self.longest_piece = max(map(len, ids))
        self.kinds = _CharacterTable(kinds)
        self.replacements = tf.ragged.constant(replacements, dtype=tf.int32)
        self.sigma_context = _CharacterTable(_sigma_contexts()) if tokenizer.lowercase else None
        self.ids = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(list(ids)), tf.constant(list(ids.values()), tf.int32)),
            default_value=-1,
        )

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([], tf.int32)], autograph=False)
    def __call__(self, texts: tf.Tensor, max_pieces: tf.Tensor) -> tf.RaggedTensor:
        """The first pieces of each text.

        Args:
            texts: string `[B]`, UTF-8.
            max_pieces: int32, how many pieces of a text are wanted; there may be some more.

        Returns:
            int32 `[B, (n)]`.
        """
        # A word has at least one piece: later words cannot matter, and a book costs no more than a page.
        words = self._words(texts)
        _, place = _ranges(tf.cast(words.row_lengths(), tf.int32))
        lengths = tf.minimum(words.row_lengths(), tf.cast(max_pieces, tf.int64))
        words = tf.RaggedTensor.from_row_lengths(
            tf.boolean_mask(words.values, place < max_pieces), lengths, validate=False
        )
        return self._pieces(words)

    def _words(self, texts: tf.Tensor) -> tf.RaggedTensor:
        """Cleaned words `[B, (N)]`: each character replaced by what the tokenizer makes of it, then split at spaces."""
        characters = tf.strings.unicode_decode(texts, "UTF-8", errors="replace")  # [B, (C)]
        if self.sigma_context is not None:
            characters = _with_final_sigmas(characters, self.sigma_context(characters.values))
        new = tf.gather(self.replacements, self.kinds(characters.values))  # [C, (replacement)]
        old = tf.repeat(characters.values, new.row_lengths())
        cleaned = tf.RaggedTensor.from_row_splits(
            tf.where(new.values == _SELF, old, new.values),
            tf.gather(new.row_splits, characters.row_splits),
            validate=False,
        )
        return tf.strings.split(tf.strings.unicode_encode(cleaned, "UTF-8"))

    def _pieces(self, words: tf.RaggedTensor) -> tf.RaggedTensor:
        """Greedy longest match first (Wu et al. 2016; google-research/bert `WordpieceTokenizer`) of all words at once.

        The longest piece from every start in every word is looked up first; then all words walk from piece to piece.
        """
        texts = words.values  # [N]
        length = tf.strings.length(texts, unit="UTF8_CHAR")
        too_long = length > self.word_limit
        length = tf.where(too_long, 1, length)
        word, offset = _ranges(length)  # [C]: the word and the place in it of each character
        match, piece = self._longest_pieces(texts, word, offset, length)
        first = tf.cumsum(length, exclusive=True)  # [N]
        taken, failed = _walk(first, first + length, match, too_long)
        unknown = tf.gather(failed, word)
        taken = tf.tensor_scatter_nd_update(
            tf.fill(tf.shape(word), False), taken[:, None], tf.fill(tf.shape(taken), True)
        )
        keep = tf.where(unknown, offset == 0, taken)
        ids = tf.boolean_mask(tf.where(unknown, self.unknown_id, piece), keep)
        counts = tf.math.unsorted_segment_sum(tf.cast(keep, tf.int64), word, tf.size(texts))  # [N] pieces a word
        splits = tf.concat([[tf.constant(0, tf.int64)], tf.cumsum(counts)], 0)
        return tf.RaggedTensor.from_row_splits(ids, tf.gather(splits, words.row_splits), validate=False)

    def _longest_pieces(
        self, texts: tf.Tensor, word: tf.Tensor, offset: tf.Tensor, length: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """From each character the length of the longest piece that begins there (0: none) and its id, `[C]` each."""
        start, index = _ranges(tf.minimum(tf.gather(length, word) - offset, self.longest_piece))  # [P]
        size = index + 1
        place = tf.gather(offset, start)
        candidate = tf.strings.substr(tf.gather(texts, tf.gather(word, start)), place, size, unit="UTF8_CHAR")
        ids = self.ids.lookup(tf.where(place > 0, "##" + candidate, candidate))
        match = tf.math.segment_max(tf.where(ids >= 0, size, 0), start)
        longest = size == tf.gather(match, start)
        return match, tf.math.segment_max(tf.where(longest, ids, -1), start)


def pack(
    segments: list[tf.RaggedTensor], cls_id: int, sep_id: int, pad_id: int, max_length: int
) -> dict[str, tf.Tensor]:
    """`[CLS] A [SEP]` or `[CLS] A [SEP] B [SEP]`, the longer segment cut first, padded to the longest text.

    Args:
        segments: one or two int32 `[B, (n)]`.
        cls_id, sep_id, pad_id: special ids.
        max_length: the most tokens a text may have, special ones included.

    Returns:
        token_ids, segment_ids, padding_mask: int32 `[B, L]`.
    """
    lengths = _kept([tf.cast(segment.row_lengths(), tf.int32) for segment in segments], max_length - 1 - len(segments))
    total = tf.add_n(lengths) + 1 + len(segments)  # [B]
    # A batch without texts is as wide as one of empty texts, so that models find their first token.
    columns = tf.range(tf.maximum(tf.reduce_max(total), 2))[None]  # [1, L]
    mask = columns < total[:, None]
    token_ids = tf.where(columns == 0, cls_id, tf.where(mask, sep_id, pad_id))
    begin = tf.ones_like(total)  # [B], where a segment's first piece stands
    for segment, length in zip(segments, lengths, strict=True):
        place = columns - begin[:, None]  # [B, L]
        inside = (place >= 0) & (place < length[:, None])
        index = tf.where(inside, tf.cast(segment.row_starts(), tf.int32)[:, None] + place, 0)
        # One more id: where there is no piece at all, index 0 is there still.
        token_ids = tf.where(inside, tf.gather(tf.concat([segment.values, [0]], 0), index), token_ids)
        begin += length + 1
    in_second = mask & (columns > 1 + lengths[0][:, None]) if len(segments) == 2 else tf.zeros_like(mask)
    return {
        "token_ids": token_ids,
        "segment_ids": tf.cast(in_second, tf.int32),
        "padding_mask": tf.cast(mask, tf.int32),
    }


def _kept(lengths: list[tf.Tensor], room: int) -> list[tf.Tensor]:
    """What is left `[B]` of each segment when the longer one, the second where both are alike, is cut until all fit."""
    if len(lengths) == 1:
        return [tf.minimum(lengths[0], room)]
    first, second = lengths
    kept = tf.minimum(first, tf.maximum(room - second, (room + 1) // 2))
    return [kept, tf.minimum(second, room - kept)]


def _ranges(lengths: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """For rows of these lengths laid end to end: the row of each item and its place in it."""
    row = tf.repeat(tf.range(tf.size(lengths)), lengths)
    return row, tf.range(tf.size(row)) - tf.gather(tf.cumsum(lengths, exclusive=True), row)


def _walk(first: tf.Tensor, end: tf.Tensor, match: tf.Tensor, failed: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Follow the longest pieces of all words from their first character on.

    Returns:
        The characters at which pieces begin, and which words `[N]` cannot be spelled.
    """

    def unfinished(place: tf.Tensor, taken: tf.Tensor, failed: tf.Tensor) -> tf.Tensor:
        return tf.reduce_any(place < end)

    def step(place: tf.Tensor, taken: tf.Tensor, failed: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        active = place < end
        advance = tf.gather(match, tf.where(active, place, 0))
        goes_on = active & (advance > 0)
        taken = tf.concat([taken, tf.boolean_mask(place, goes_on)], 0)
        return tf.where(goes_on, place + advance, end), taken, failed | (active & (advance == 0))

    vector = tf.TensorShape([None])
    _, taken, failed = tf.while_loop(
        unfinished, step, (first, tf.zeros([0], tf.int32), failed), shape_invariants=(vector, vector, vector)
    )
    return taken, failed


def _with_final_sigmas(characters: tf.RaggedTensor, context: tf.Tensor) -> tf.RaggedTensor:
    """Lower-case the capital sigmas that end a word: after a cased letter and not before one, with case-ignorable
    characters in between skipped (Unicode 3.13, Final_Sigma). The others are lower-cased like all letters.

    Args:
        characters: code points `[B, (C)]`.
        context: what each is to a sigma, `[C]`.
    """
    places = tf.where(context != _IGNORABLE)  # [S, 1]
    text = tf.gather(characters.value_rowids(), places[:, 0])
    cased = tf.gather(context, places[:, 0]) == _CASED
    alike = text[1:] == text[:-1]
    follows_cased = tf.concat([[False], cased[:-1] & alike], 0)[: tf.size(text)]
    precedes_cased = tf.concat([cased[1:] & alike, [False]], 0)[: tf.size(text)]
    is_sigma = tf.gather(characters.values, places[:, 0]) == ord(_CAPITAL_SIGMA)
    places = tf.boolean_mask(places, is_sigma & follows_cased & ~precedes_cased)
    final = tf.fill([tf.shape(places)[0]], ord(_FINAL_SIGMA))
    return characters.with_values(tf.tensor_scatter_nd_update(characters.values, places, final))


class _CharacterTable(tf.Module):
    """A number for each character; pages that are alike are kept once.

    Args:
        values: int16 `[pages, 256]`, for `_PAGES`.
    """

    def __init__(self, values: np.ndarray):
        super().__init__()
        pages, index = np.unique(values, axis=0, return_inverse=True)
        page_of = np.full(0x110000 // _PAGE, index[-1], np.int32)
        page_of[list(_PAGES)] = index
        self.pages, self.page_of = tf.constant(pages.reshape(-1)), tf.constant(page_of)

    def __call__(self, code_points: tf.Tensor) -> tf.Tensor:
        """int32 `[C]` for code points `[C]`."""
        page = tf.gather(self.page_of, code_points // _PAGE)
        return tf.cast(tf.gather(self.pages, page * _PAGE + code_points % _PAGE), tf.int32)


def _table(value: Callable[[str], int]) -> np.ndarray:
    return np.array([[value(chr(page * _PAGE + i)) for i in range(_PAGE)] for page in _PAGES], np.int16)


@functools.cache
def _replacements(lowercase: bool, strip: bool) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """For each character the row of the second that holds the code points which take its place."""
    rows: dict[tuple[int, ...], int] = {}
    kinds = _table(lambda character: rows.setdefault(_replacement(character, lowercase, strip), len(rows)))
    return kinds, list(rows)


def _replacement(character: str, lowercase: bool, strip: bool) -> tuple[int, ...]:
    if is_dropped(character):
        return ()
    if is_whitespace(character):
        return (ord(" "),)
    new = character.lower() if lowercase else character
    new = strip_accents(new) if strip else new
    if is_cjk(character) or any(map(is_punctuation, new)):
        # A word by itself; what decomposes to several characters holds one punctuation sign at most.
        return tuple(map(ord, f" {new} ")) if new != character else (ord(" "), _SELF, ord(" "))
    return _KEPT if new == character else tuple(map(ord, new))


@functools.cache
def _sigma_contexts() -> np.ndarray:
    """What each character is to a capital sigma, as Python's own lower-casing has it."""
    return _table(_sigma_context)


def _sigma_context(character: str) -> int:
    if is_dropped(character):
        return _IGNORABLE
    if f" {character}{_CAPITAL_SIGMA}".lower().endswith(_FINAL_SIGMA):
        return _CASED
    return _IGNORABLE if f"A{character}{_CAPITAL_SIGMA}".lower().endswith(_FINAL_SIGMA) else _OTHER
