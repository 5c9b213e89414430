"""Which task a model is for: its head tells, also after Keras saved and loaded it."""

import keras

from bert_keras.layers import ClassificationHead, MeanPooling, MlmHead, NspHead

_HEADS = {
    (ClassificationHead,): "text-classification",
    (MlmHead, NspHead): "pretraining",
    (MlmHead,): "fill-mask",
    (NspHead,): "next-sentence-prediction",
    (MeanPooling,): "sentence-similarity",
    (): "feature-extraction",
}


def task_of(model: keras.Model) -> str:
    """The name of the model's task, a key of `TASKS`.

    Args:
        model: a model that a function of this package made.
    """
    kinds = (ClassificationHead, MeanPooling, MlmHead, NspHead)
    present = tuple(kind for kind in kinds if any(isinstance(layer, kind) for layer in model.layers))
    return _HEADS[present]


def labels_of(model: keras.Model) -> list[str] | None:
    """The names of the classes in the order of the logits, None for a task without classes.

    Args:
        model: a model that a function of this package made.
    """
    for layer in model.layers:
        if isinstance(layer, ClassificationHead):
            return list(layer.labels)
    return None
