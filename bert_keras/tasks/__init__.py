"""What an encoder is used for: a file a task, each a function from an encoder to a functional model."""

from collections.abc import Callable
from typing import Any

from bert_keras.tasks.feature_extraction import feature_extraction
from bert_keras.tasks.fill_mask import fill_mask
from bert_keras.tasks.identify import labels_of, task_of
from bert_keras.tasks.multiple_choice import multiple_choice
from bert_keras.tasks.next_sentence_prediction import next_sentence_prediction
from bert_keras.tasks.pretraining import pretraining
from bert_keras.tasks.question_answering import question_answering
from bert_keras.tasks.replaced_token_detection import replaced_token_detection
from bert_keras.tasks.sentence_similarity import sentence_similarity
from bert_keras.tasks.text_classification import text_classification
from bert_keras.tasks.token_classification import token_classification

TASKS: dict[str, Callable[..., Any]] = {
    "feature-extraction": feature_extraction,
    "fill-mask": fill_mask,
    "multiple-choice": multiple_choice,
    "next-sentence-prediction": next_sentence_prediction,
    "pretraining": pretraining,
    "question-answering": question_answering,
    "replaced-token-detection": replaced_token_detection,
    "sentence-similarity": sentence_similarity,
    "text-classification": text_classification,
    "token-classification": token_classification,
}

__all__ = ["TASKS", "labels_of", "task_of", *(function.__name__ for function in TASKS.values())]
