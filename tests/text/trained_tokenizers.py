"""A tokenizer of each kind and way with places, trained on `text.awkward`: it has pieces for every string there."""

import functools

from text.awkward import STRINGS, fuzzed

from bert_keras.text import Tokenizer

KINDS = {
    "uncased": {"kind": "wordpiece", "vocabulary_size": 500, "lowercase": True},
    "cased": {"kind": "wordpiece", "vocabulary_size": 500, "lowercase": False},
    "byte-level": {"kind": "byte-level-bpe", "vocabulary_size": 320},
    "albert": {"kind": "unigram", "vocabulary_size": 400},
    # Its places hold the space in front.
    "deberta-v2": {"kind": "unigram", "vocabulary_size": 400, "layout": "deberta-v2"},
}


@functools.cache
def trained_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer of a key of `KINDS`."""
    return Tokenizer.train([*STRINGS, *fuzzed(seed=0, count=300)] * 2, **KINDS[name])
