"""Scores of a task from its examples and a model's answers, and their report: without TensorFlow."""

from collections.abc import Callable, Sequence
from typing import Any

from bert_keras.evaluation.answer_spans import score_spans
from bert_keras.evaluation.comparison import Comparison, compare
from bert_keras.evaluation.masked_words import score_masks
from bert_keras.evaluation.one_choice import score_choices
from bert_keras.evaluation.one_number import score_numbers
from bert_keras.evaluation.pair_similarity import score_similarity, similarity_texts
from bert_keras.evaluation.report import report_paths, write_report
from bert_keras.evaluation.result import Evaluation
from bert_keras.evaluation.search_results import retrieval_texts, score_retrieval
from bert_keras.evaluation.several_labels import score_label_lists
from bert_keras.evaluation.single_label import score_labels
from bert_keras.evaluation.summaries import lines, summary, tables
from bert_keras.evaluation.tagged_words import score_tags

# Kind -> scores of examples and the answers to `texts_to_answer`.
SCORES: dict[str, Callable[[Any, Sequence[dict[str, Any]]], Evaluation]] = {
    "choices": score_choices,
    "entities": score_tags,
    "labels": score_labels,
    "masks": score_masks,
    "multi-label": score_label_lists,
    "numbers": score_numbers,
    "retrieval": score_retrieval,
    "similarity": score_similarity,
    "spans": score_spans,
}
# Kind -> the texts whose embeddings it scores.
_EMBEDDED: dict[str, Callable[[Any], list[str]]] = {"retrieval": retrieval_texts, "similarity": similarity_texts}

__all__ = [
    "SCORES",
    "Comparison",
    "Evaluation",
    "compare",
    "lines",
    "report_paths",
    "summary",
    "tables",
    "texts_to_answer",
    "write_report",
]


def texts_to_answer(kind: str, examples: Any) -> tuple[Sequence[Any], Sequence[Any] | None]:
    """Return the texts and pairs to give to a predictor, whose answers `SCORES[kind]` scores.

    Args:
        kind: a key of `SCORES`.
        examples: of `bert_keras.data`.
    """
    if kind in _EMBEDDED:
        return _EMBEDDED[kind](examples), None
    return examples.texts, examples.pairs
