"""The tasks by their names."""

from bert_keras.tasks.feature_extraction import FEATURE_EXTRACTION
from bert_keras.tasks.fill_mask import FILL_MASK
from bert_keras.tasks.multi_label_classification import MULTI_LABEL_CLASSIFICATION
from bert_keras.tasks.multiple_choice import MULTIPLE_CHOICE
from bert_keras.tasks.next_sentence_prediction import NEXT_SENTENCE_PREDICTION
from bert_keras.tasks.pretraining import PRETRAINING
from bert_keras.tasks.question_answering import QUESTION_ANSWERING
from bert_keras.tasks.replaced_token_detection import REPLACED_TOKEN_DETECTION
from bert_keras.tasks.sentence_similarity import SENTENCE_SIMILARITY
from bert_keras.tasks.task import Task
from bert_keras.tasks.text_classification import TEXT_CLASSIFICATION
from bert_keras.tasks.text_ranking import TEXT_RANKING
from bert_keras.tasks.text_regression import TEXT_REGRESSION
from bert_keras.tasks.token_classification import TOKEN_CLASSIFICATION

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        FEATURE_EXTRACTION,
        FILL_MASK,
        MULTIPLE_CHOICE,
        MULTI_LABEL_CLASSIFICATION,
        NEXT_SENTENCE_PREDICTION,
        PRETRAINING,
        QUESTION_ANSWERING,
        REPLACED_TOKEN_DETECTION,
        SENTENCE_SIMILARITY,
        TEXT_CLASSIFICATION,
        TEXT_RANKING,
        TEXT_REGRESSION,
        TOKEN_CLASSIFICATION,
    )
}
