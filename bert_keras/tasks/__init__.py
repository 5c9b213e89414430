"""What an encoder is used for: a file a task, each with a function from an encoder to a functional model."""

from bert_keras.tasks.feature_extraction import feature_extraction
from bert_keras.tasks.fill_mask import fill_mask
from bert_keras.tasks.identify import answer_of, labels_of, options_of, task_of, usual_length
from bert_keras.tasks.inputs import input_names, input_specs
from bert_keras.tasks.multi_label_classification import multi_label_classification
from bert_keras.tasks.multiple_choice import multiple_choice
from bert_keras.tasks.next_sentence_prediction import next_sentence_prediction
from bert_keras.tasks.pretraining import pretraining
from bert_keras.tasks.question_answering import question_answering
from bert_keras.tasks.registry import TASKS
from bert_keras.tasks.replaced_token_detection import replaced_token_detection
from bert_keras.tasks.sentence_similarity import sentence_similarity
from bert_keras.tasks.task import Task
from bert_keras.tasks.text_classification import text_classification
from bert_keras.tasks.text_ranking import text_ranking
from bert_keras.tasks.text_regression import text_regression
from bert_keras.tasks.token_classification import token_classification

__all__ = [
    "TASKS",
    "Task",
    "answer_of",
    "feature_extraction",
    "fill_mask",
    "input_names",
    "input_specs",
    "labels_of",
    "multi_label_classification",
    "multiple_choice",
    "next_sentence_prediction",
    "options_of",
    "pretraining",
    "question_answering",
    "replaced_token_detection",
    "sentence_similarity",
    "task_of",
    "text_classification",
    "text_ranking",
    "text_regression",
    "token_classification",
    "usual_length",
]
