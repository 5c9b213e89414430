"""The answer to a question as a span of a text."""

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.layers import AnswerHead
from bert_keras.lean import LeanHead
from bert_keras.losses import CountedAccuracy, MeanCrossEntropy
from bert_keras.metrics import best_null_threshold
from bert_keras.tasks.task import Task


def question_answering(encoder: keras.Model, no_answer: bool = False, null_threshold: float = 0.0) -> keras.Model:
    """A model of `start_logits` and `end_logits`, `[B, L]` each (Devlin et al. 2018, section 4.2).

    Args:
        encoder: a model of `bert_keras.encoder`.
        no_answer: the data has questions without an answer, as SQuAD 2.0.
        null_threshold: how much better than the best answer no answer must score to be given.
    """
    config = config_of(encoder)
    head = AnswerHead(config.answer_dropout, config.initializer_range, no_answer, null_threshold, name="answer_head")
    start, end = head(encoder.output["sequence_output"])
    return keras.Model(encoder.input, {"start_logits": start, "end_logits": end}, name="question_answering")


def _objective(model: keras.Model) -> dict[str, Any]:
    # The mean of both, as google-research/bert `run_squad.py` has it.
    ends = ("start_logits", "end_logits")
    return {
        "loss": {end: MeanCrossEntropy() for end in ends},
        "loss_weights": dict.fromkeys(ends, 0.5),
        "metrics": {end: [CountedAccuracy()] for end in ends},
    }


def _lean(options: Mapping[str, Any]) -> LeanHead:
    def forward(ops: Any, config: Any, x: Any, mask: Any) -> dict[str, Any]:
        start, end = tf.split(ops.dense(x, "logits"), 2, axis=-1)
        return {"start_logits": tf.reshape(start, [1, -1]), "end_logits": tf.reshape(end, [1, -1])}

    return LeanHead(forward, lambda config: {"logits": "answer_head/dense"})


def _tune(model: keras.Model, examples: Any, answers: Sequence[dict[str, Any]]) -> str:
    """Set the null threshold that gives the highest F1 on held-out questions."""
    head = model.get_layer("answer_head")
    unanswerable = [not right for right in examples.answers]
    if not head.no_answer or all(unanswerable) or not any(unanswerable):
        return ""
    texts = [next((each["text"] for each in answer["answers"] if each["text"]), "") for answer in answers]
    right = [[text for text, _ in of_question] for of_question in examples.answers]
    nulls = [answer["null_score"] for answer in answers]
    found = best_null_threshold(texts, right, nulls)
    least = found["f1_threshold"]
    # Between two questions' scores, so that rounding on another machine moves neither to the other side.
    head.null_threshold = (least + min((null for null in nulls if null > least), default=least)) / 2
    return f"null threshold: {head.null_threshold:.3g}, F1 {found['f1']:.1%} on held-out questions"


QUESTION_ANSWERING = Task(
    name="question-answering",
    build=question_answering,
    heads=("answer_head",),
    answer="span",
    examples="questions",
    scores="spans",
    objective=_objective,
    lean=_lean,
    of_tokens=("start_logits", "end_logits"),
    options=("no_answer", "null_threshold"),
    needs_pairs=True,
    tune=_tune,
    max_length=384,
)
