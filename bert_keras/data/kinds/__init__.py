"""The kinds of examples that tasks are trained and scored on."""

from typing import Any

from bert_keras.data.kinds.choices import CHOICES
from bert_keras.data.kinds.kind import Examples, Kind, Prepared
from bert_keras.data.kinds.masked_texts import MASKED_TEXTS
from bert_keras.data.kinds.questions import QUESTIONS
from bert_keras.data.kinds.similar_texts import SIMILAR_TEXTS
from bert_keras.data.kinds.texts import MULTI_LABEL, NUMBERS, TEXTS
from bert_keras.data.kinds.words import WORDS
from bert_keras.tasks import TASKS

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


def scores_of(task: str, examples: Any) -> str | None:
    """The key of `bert_keras.evaluation.SCORES` by which answers to examples are scored; None where they are not.

    Args:
        task: a key of `bert_keras.tasks.TASKS`.
        examples: of its kind.
    """
    found = TASKS[task]
    by_examples = KINDS[found.examples].scores if found.examples else None
    return found.scores if by_examples is None else by_examples(examples)


__all__ = ["KINDS", "Examples", "Kind", "Prepared", "scores_of"]
