"""Which tokens a masked language model must guess, and what it sees in their place (Devlin et al. 2018, 3.1).

Legend: N rows, L length, K most predictions of a row, V vocabulary.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bert_keras.errors import InputError

_MASKED, _KEPT = 0.8, 0.1  # and the rest is replaced at random


@dataclass(frozen=True)
class Vocabulary:
    """What masking must know of a tokenizer.

    Args:
        mask_id: id of [MASK].
        ordinary: int32, the ids that may stand in for a token: all but the special ones.
        special: bool [V], ids that are never chosen: padding and the marks of the layout.
        continues: bool [V], pieces that continue a word.
    """

    mask_id: int
    ordinary: np.ndarray
    special: np.ndarray
    continues: np.ndarray

    @classmethod
    def of(cls, tokenizer: Any) -> "Vocabulary":
        """Read the vocabulary of a tokenizer.

        Raises:
            InputError: it has no ordinary token.
        """
        pieces = tokenizer.vocabulary
        special = np.zeros(len(pieces), bool)
        special[[tokenizer.pad_id, tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id]] = True
        ordinary = np.setdiff1d(np.flatnonzero(~special), [tokenizer.unk_id]).astype(np.int32)
        if not len(ordinary):
            raise InputError("the vocabulary holds special tokens only: train or name one with words")
        return cls(
            tokenizer.mask_id, ordinary, special, np.array([tokenizer.continues_word(piece) for piece in pieces])
        )


def quotas(lengths: np.ndarray, masked_fraction: float, max_predictions: int) -> np.ndarray:
    """Return how many tokens of each row are to be guessed: min(most, max(1, round(fraction x length))).

    Args:
        lengths: tokens of each row, special ones included; halves round to the even number, as in Python.
        masked_fraction: share of the tokens.
        max_predictions: most of a row.
    """
    return np.clip(np.rint(lengths * masked_fraction), 1, max_predictions).astype(np.int64)


def choose(
    token_ids: np.ndarray, quota: np.ndarray, vocabulary: Vocabulary, whole_word: bool, random: np.random.Generator
) -> np.ndarray:
    """Choose the tokens to guess.

    Words are taken in random order; one that would exceed the quota is left out. Without `whole_word` each piece
    counts as a word of its own.

    Args:
        token_ids: int [N, L], padded.
        quota: most tokens of each row, [N].
        vocabulary: of the tokenizer.
        whole_word: choose all pieces of a word or none.
        random: the source of chance.

    Returns:
        bool [N, L].
    """
    words = _words(token_ids, vocabulary, whole_word)
    rows = np.arange(len(words))
    sizes = np.zeros((len(words), words.max(initial=-1) + 2), np.int64)
    np.add.at(sizes, (rows[:, None], words), 1)
    sizes[:, -1] = 0  # where words are numbered -1: no word
    # Words that a row does not have come last.
    order = np.argsort(np.where(sizes > 0, random.random(sizes.shape), 2.0), axis=1)
    taken = np.zeros(sizes.shape, bool)
    left = quota.copy()
    for word in order.T:
        size = sizes[rows, word]
        fits = (size > 0) & (size <= left)
        taken[rows, word] = fits
        left -= size * fits
        if not left.any():
            break
    return taken[rows[:, None], words]


def replace(
    token_ids: np.ndarray, chosen: np.ndarray, vocabulary: Vocabulary, random: np.random.Generator
) -> np.ndarray:
    """Return the tokens that the model sees: of the chosen ones 80 % [MASK], 10 % as they are, 10 % random.

    The random ones are drawn from the ordinary tokens; the reference draws from the whole vocabulary and so at times
    puts a [CLS] or a [PAD] into the text.
    """
    seen = token_ids.copy()
    count = int(chosen.sum())
    draw = random.random(count)
    others = vocabulary.ordinary[random.integers(0, len(vocabulary.ordinary), count)]
    kept = np.where(draw < _MASKED + _KEPT, token_ids[chosen], others)
    seen[chosen] = np.where(draw < _MASKED, vocabulary.mask_id, kept)
    return seen


def listed(rows: np.ndarray, chosen: np.ndarray, predictions: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the positions [N, K] of the chosen tokens, the tokens, and 1 where there is one.

    Args:
        rows: int [N, L], the tokens as they were.
        chosen: bool [N, L].
        predictions: K.
    """
    # A stable sort by "not chosen" puts the chosen columns first and leaves them ascending.
    columns = np.argsort(~chosen, axis=1, kind="stable")[:, :predictions]
    real = np.arange(predictions) < chosen.sum(axis=1, keepdims=True)
    positions = np.where(real, columns, 0).astype(np.int32)
    ids = np.where(real, np.take_along_axis(rows, columns, axis=1), 0).astype(np.int32)
    return positions, ids, real.astype(np.float32)


def _words(token_ids: np.ndarray, vocabulary: Vocabulary, whole_word: bool) -> np.ndarray:
    """Number the words of each row from 0; -1 where a token may not be chosen. int [N, L]."""
    free = ~vocabulary.special[token_ids]
    begins = free.copy()
    if whole_word:
        # A piece behind a special token begins a word even if it continues one: its beginning was cut off.
        begins[:, 1:] &= ~(vocabulary.continues[token_ids[:, 1:]] & free[:, :-1])
    return np.where(free, np.cumsum(begins, axis=1) - 1, -1)
