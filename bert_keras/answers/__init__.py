"""From texts to rows, and from a model's numbers to what a user reads: a file a kind of answer, without TensorFlow."""

from bert_keras.answers.answer import Answer
from bert_keras.answers.choice import Choice
from bert_keras.answers.embedding import Embedding
from bert_keras.answers.entities import Entities
from bert_keras.answers.features import Features
from bert_keras.answers.label import Label
from bert_keras.answers.masks import Masks
from bert_keras.answers.multi_label import MultiLabel
from bert_keras.answers.number import Number
from bert_keras.answers.spans import Spans

# Name, as exported files hold it -> kind.
KINDS: dict[str, type[Answer]] = {
    "choice": Choice,
    "embedding": Embedding,
    "entities": Entities,
    "features": Features,
    "label": Label,
    "masks": Masks,
    "multi-label": MultiLabel,
    "number": Number,
    "span": Spans,
}

__all__ = ["KINDS", "Answer"]
