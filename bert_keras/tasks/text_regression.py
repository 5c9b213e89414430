"""A number, or several with names, for a text or a pair of texts. C numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.layers import ClassificationHead
from bert_keras.lean import LeanHead, lean_text_head
from bert_keras.tasks.labels import checked_labels
from bert_keras.tasks.pooled import classifier_dropout, classifier_output
from bert_keras.tasks.task import Task
from bert_keras.tasks.text_classification import TEXT_CLASSIFICATION


def text_regression(
    encoder: keras.Model, labels: Sequence[str] = ("score",), dropout: float | None = None, windows: bool = False
) -> keras.Model:
    """A model of numbers `[B, C]` over the pooled first token (Devlin et al. 2018, appendix B.1: STS-B).

    Args:
        encoder: a model of `bert_keras.encoder`.
        labels: the names of the C numbers.
        dropout: rate on the pooled output; the config's `classifier_dropout`, else its `hidden_dropout_prob`.
        windows: predictors read long texts in windows and average their numbers, instead of cutting them.

    Raises:
        InputError: no name, one of them twice, or one with a line end; or the encoder has no pooler.
    """
    config, task = config_of(encoder), "text-classification"
    head = ClassificationHead(
        checked_labels(labels, "text-regression", least=1),
        classifier_dropout(config, task) if dropout is None else dropout,
        config.initializer_range,
        windows,
        name="regression_head",
    )
    return keras.Model(encoder.input, head(classifier_output(encoder, task)), name="text_regression")


def _objective(model: keras.Model) -> dict[str, Any]:
    return {
        "loss": keras.losses.MeanSquaredError(dtype="float32"),
        "metrics": [keras.metrics.MeanAbsoluteError(name="mae")],
    }


def _lean(options: Mapping[str, Any]) -> LeanHead:
    return lean_text_head("regression_head", lambda values: {"values": values})


TEXT_REGRESSION = Task(
    name="text-regression",
    build=text_regression,
    heads=("regression_head",),
    answer="number",
    examples="numbers",
    scores="numbers",
    outputs=lambda values: {"values": tf.cast(values, tf.float32)},
    objective=_objective,
    lean=_lean,
    of_texts=("values",),
    has_labels=True,
    new_labels=("score",),
    options=("windows",),
    shares=TEXT_CLASSIFICATION.name,
    renames={"classification_head": "regression_head"},
    problem_type="regression",
)
