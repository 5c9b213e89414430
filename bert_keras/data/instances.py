"""Pretraining instances: sentence pairs with masked tokens, made once (static masking).

Legend: N instances, L longest length, K most predictions of an instance.
"""

import itertools
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from bert_keras.data.masking import Vocabulary, choose, listed, quotas, replace
from bert_keras.data.sentence_pairs import RANDOM, SPECIAL_TOKENS, Corpus, sentence_pairs
from bert_keras.errors import InputError

_SHORTEST_ROW = SPECIAL_TOKENS + 2
# Rows masked at a time: bounds the memory of the random numbers.
_BLOCK = 4096
_SUSPICIOUS_RANDOM_SHARE = 0.6
# Of an instance of any length; google-research/bert recommends `max_length` x the masked share for longer ones.
_FEWEST_PREDICTIONS = 20


@dataclass(frozen=True)
class PretrainingInstances:
    """Instances as arrays.

    Args:
        token_ids: int32 [N, L], as the model sees them, padded.
        segment_ids: uint8 [N, L].
        lengths: int64 [N], tokens of each instance, special ones included.
        masked_positions: int32 [N, K], ascending; 0 beyond an instance's own predictions.
        masked_ids: int32 [N, K], the tokens that stood there.
        masked_weights: float32 [N, K], 1 for a prediction, 0 beyond.
        next_sentence_labels: int32 [N], 0 = B follows A, 1 = B is random.
    """

    token_ids: np.ndarray
    segment_ids: np.ndarray
    lengths: np.ndarray
    masked_positions: np.ndarray
    masked_ids: np.ndarray
    masked_weights: np.ndarray
    next_sentence_labels: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)


def pretraining_instances(
    documents: Iterable[Sequence[str]],
    tokenizer: Any,
    max_length: int = 128,
    max_predictions: int | None = None,
    dupe_factor: int = 10,
    short_sequence_probability: float = 0.1,
    masked_fraction: float = 0.15,
    seed: int = 0,
    whole_word: bool = False,
) -> PretrainingInstances:
    """Make the instances of masked-language-model and next-sentence pretraining (Devlin et al. 2018, appendix A.1).

    As google-research/bert's create_pretraining_data.py, with one difference: random replacements are never special
    tokens. The same documents and seed give the same arrays.

    Args:
        documents: the sentences of each document, as `read_documents` gives them.
        tokenizer: `bert_keras.Tokenizer`.
        max_length: L, longest instance with its three special tokens; 5 or more.
        max_predictions: most tokens to guess; K is smaller where `max_length` allows fewer. None does as BERT did:
            20 up to 128 tokens, 76 at 512.
        dupe_factor: times that the documents are gone through, each with other pairs and masks.
        short_sequence_probability: how often a document gets a random shorter target length.
        masked_fraction: share of an instance's tokens to guess.
        seed: decides all chance, whole and not negative.
        whole_word: choose all pieces of a word or none.

    Raises:
        InputError: no document has a token, or a number is out of its range.
    """
    if max_predictions is None:
        max_predictions = max(_FEWEST_PREDICTIONS, int(masked_fraction * max_length))
    _check_numbers(max_length, max_predictions, dupe_factor, masked_fraction, seed)
    vocabulary = Vocabulary.of(tokenizer)
    corpus = _tokenized(documents, tokenizer)
    random = np.random.default_rng(seed)
    passes = [sentence_pairs(corpus, max_length, short_sequence_probability, random) for _ in range(dupe_factor)]
    places, labels = (np.concatenate(parts) for parts in zip(*passes, strict=True))
    _warn_of_odd_pairs(corpus, labels)
    order = random.permutation(len(labels))
    places, labels = places[order], labels[order]
    predictions = int(quotas(np.array([max_length]), masked_fraction, max_predictions)[0])
    blocks = []
    for begin in range(0, len(labels), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        rows, segments, lengths = _packed(corpus, places[part], max_length, tokenizer)
        quota = quotas(lengths, masked_fraction, max_predictions)
        chosen = choose(rows, quota, vocabulary, whole_word, random)
        seen = replace(rows, chosen, vocabulary, random)
        blocks.append(PretrainingInstances(seen, segments, lengths, *listed(rows, chosen, predictions), labels[part]))
    return PretrainingInstances(
        *(np.concatenate([getattr(block, field.name) for block in blocks]) for field in fields(PretrainingInstances))
    )


def _check_numbers(max_length: int, max_predictions: int, dupe_factor: int, masked_fraction: float, seed: int) -> None:
    if max_length < _SHORTEST_ROW:
        raise InputError(
            f"max_length is {max_length}: it must be {_SHORTEST_ROW} or more ([CLS], two sentences, two [SEP])"
        )
    for name, value in (("max_predictions", max_predictions), ("dupe_factor", dupe_factor)):
        if value < 1:
            raise InputError(f"{name} is {value}: it must be 1 or more")
    if not 0 < masked_fraction < 1:
        raise InputError(f"masked_fraction is {masked_fraction}: it must lie between 0 and 1")
    if seed < 0:
        raise InputError(f"seed is {seed}: it must be 0 or more")


def _tokenized(documents: Iterable[Sequence[str]], tokenizer: Any) -> Corpus:
    """Tokenize all sentences; those without a token are dropped, and documents without a sentence."""
    sentences: list[str] = []
    document_of: list[int] = []
    for number, document in enumerate(documents):
        sentences.extend(document)
        document_of.extend([number] * len(document))
    ids = tokenizer.ids(sentences)
    lengths = np.array([len(sentence) for sentence in ids], np.int64)
    kept = lengths > 0
    if not kept.any():
        raise InputError("the documents hold no text that the tokenizer gives a token for")
    _, sentences_of = np.unique(np.array(document_of)[kept], return_counts=True)
    tokens = np.fromiter(itertools.chain.from_iterable(ids), np.int32, lengths.sum())
    return Corpus(tokens, _starts(lengths[kept]), _starts(sentences_of))


def _starts(counts: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _warn_of_odd_pairs(corpus: Corpus, labels: np.ndarray) -> None:
    if len(corpus.document_starts) == 2:
        warnings.warn(
            "the text is one document, so random sentences come from it too: separate documents by blank lines",
            stacklevel=3,
        )
    share = (labels == RANDOM).mean()
    if share > _SUSPICIOUS_RANDOM_SHARE:
        warnings.warn(
            f"{share:.0%} of the sentence pairs are random ones, where half would be right: too often one sentence "
            "fills an instance or is a document of its own; raise max_length, or separate documents, not sentences, "
            "by blank lines",
            stacklevel=3,
        )


def _packed(
    corpus: Corpus, places: np.ndarray, max_length: int, tokenizer: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return [CLS] A [SEP] B [SEP] of each pair, its segments and its length."""
    a_start, a_end, b_start, b_end = places.T[:, :, None]
    column = np.arange(max_length)
    first_sep = a_end - a_start + 1
    last_sep = first_sep + b_end - b_start + 1
    in_a = (column > 0) & (column < first_sep)
    in_b = (column > first_sep) & (column < last_sep)
    rows = np.full(in_a.shape, tokenizer.pad_id, np.int32)
    rows[:, 0] = tokenizer.cls_id
    rows[(column == first_sep) | (column == last_sep)] = tokenizer.sep_id
    rows[in_a] = corpus.token_ids[(a_start + column - 1)[in_a]]
    rows[in_b] = corpus.token_ids[(b_start + column - first_sep - 1)[in_b]]
    segments = ((column > first_sep) & (column <= last_sep)).astype(np.uint8)
    return rows, segments, last_sep[:, 0] + 1
