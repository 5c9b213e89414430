"""The kinds of examples that tasks are trained and scored on."""

from bert_keras.data.kinds.kind import Examples, Kind, Prepared
from bert_keras.data.kinds.texts import MULTI_LABEL, NUMBERS, TEXTS
from bert_keras.data.kinds.words import WORDS

KINDS: dict[str, Kind] = {
    "multi-label": MULTI_LABEL,
    "numbers": NUMBERS,
    "texts": TEXTS,
    "words": WORDS,
}

__all__ = ["KINDS", "Examples", "Kind", "Prepared"]
