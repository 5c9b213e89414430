"""From texts to rows, and from a model's numbers to what a user reads: a file a kind of answer, without TensorFlow."""

from bert_keras.answers.answer import Answer
from bert_keras.answers.choice import Choice
from bert_keras.answers.embedding import Embedding
from bert_keras.answers.features import Features
from bert_keras.answers.label import Label
from bert_keras.answers.masks import Masks
from bert_keras.answers.multi_label import MultiLabel
from bert_keras.answers.number import Number

# Name, as exported files hold it -> kind.
KINDS: dict[str, type[Answer]] = {
    "choice": Choice,
    "embedding": Embedding,
    "features": Features,
    "label": Label,
    "masks": Masks,
    "multi-label": MultiLabel,
    "number": Number,
}

__all__ = ["KINDS", "Answer"]
