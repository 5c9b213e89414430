"""The kinds of examples that tasks are trained and scored on."""

from bert_keras.data.kinds.choices import CHOICES
from bert_keras.data.kinds.kind import Examples, Kind, Prepared
from bert_keras.data.kinds.masked_texts import MASKED_TEXTS
from bert_keras.data.kinds.questions import QUESTIONS
from bert_keras.data.kinds.similar_texts import SIMILAR_TEXTS
from bert_keras.data.kinds.texts import MULTI_LABEL, NUMBERS, TEXTS
from bert_keras.data.kinds.words import WORDS

KINDS: dict[str, Kind] = {
    "choices": CHOICES,
    "masked-texts": MASKED_TEXTS,
    "multi-label": MULTI_LABEL,
    "numbers": NUMBERS,
    "questions": QUESTIONS,
    "similar-texts": SIMILAR_TEXTS,
    "texts": TEXTS,
    "words": WORDS,
}

__all__ = ["KINDS", "Examples", "Kind", "Prepared"]
