"""One of C labels for a text or a pair of texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import ClassificationHead
from bert_keras.lean import LeanHead, lean_probability, lean_text_head
from bert_keras.tasks.class_scores import class_scores, one_label
from bert_keras.tasks.labels import checked_labels
from bert_keras.tasks.pooled import classifier_dropout, classifier_output
from bert_keras.tasks.task import Task


def text_classification(
    encoder: keras.Model, labels: Sequence[str], dropout: float | None = None, windows: bool = False
) -> keras.Model:
    """A model of logits `[B, C]` over the pooled first token (Devlin et al. 2018, section 4.1).

    Families whose classification head has a dense layer of its own have it in place of the encoder's pooler.

    Args:
        encoder: a model of `bert_keras.encoder`.
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output; the config's `classifier_dropout`, else its `hidden_dropout_prob`.
        windows: predictors read long texts in windows and average their probabilities, instead of cutting them.

    Raises:
        InputError: fewer than two labels, one of them twice, or one with a line end; or the encoder has no pooler.
    """
    config, task = config_of(encoder), "text-classification"
    head = ClassificationHead(
        checked_labels(labels, task),
        classifier_dropout(config, task) if dropout is None else dropout,
        config.initializer_range,
        windows,
        name="classification_head",
    )
    return keras.Model(encoder.input, head(classifier_output(encoder, task)), name="text_classification")


def _lean(options: Mapping[str, Any]) -> LeanHead:
    return lean_text_head("classification_head", lean_probability)


TEXT_CLASSIFICATION = Task(
    name="text-classification",
    build=text_classification,
    heads=("classification_head",),
    answer="label",
    examples="texts",
    scores="labels",
    outputs=class_scores,
    objective=one_label,
    lean=_lean,
    of_texts=("probabilities",),
    has_labels=True,
    options=("windows",),
)
