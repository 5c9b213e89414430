"""Which task a model is for: its head tells, also after Keras saved and loaded it."""

import keras

from bert_keras.layers import (
    AnswerHead,
    ChoiceHead,
    ClassificationHead,
    ContextRtdHead,
    MeanPooling,
    MlmHead,
    NspHead,
    RtdHead,
    TokenHead,
)

_HEADS = {
    frozenset({AnswerHead}): "question-answering",
    frozenset({ChoiceHead}): "multiple-choice",
    frozenset({ClassificationHead}): "text-classification",
    frozenset({MlmHead, NspHead}): "pretraining",
    frozenset({MlmHead}): "fill-mask",
    frozenset({NspHead}): "next-sentence-prediction",
    frozenset({MeanPooling}): "sentence-similarity",
    frozenset({ContextRtdHead}): "replaced-token-detection",
    frozenset({RtdHead}): "replaced-token-detection",
    frozenset({TokenHead}): "token-classification",
    frozenset(): "feature-extraction",
}


def task_of(model: keras.Model) -> str:
    """The name of the model's task, a key of `TASKS`.

    Args:
        model: a model that a function of this package made.
    """
    kinds = frozenset().union(*_HEADS)
    return _HEADS[frozenset(type(layer) for layer in model.layers) & kinds]


def labels_of(model: keras.Model) -> list[str] | None:
    """The names of the classes in the order of the logits, None for a task without classes.

    Args:
        model: a model that a function of this package made.
    """
    for layer in model.layers:
        if isinstance(layer, ClassificationHead):
            return list(layer.labels)
    return None
