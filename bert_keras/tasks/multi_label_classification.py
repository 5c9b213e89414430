"""Any number of C labels for a text or a pair of texts. C classes."""

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.layers import MultiLabelHead
from bert_keras.lean import LeanHead, lean_text_head
from bert_keras.losses import MeanMultiLabelCrossEntropy
from bert_keras.metrics import best_thresholds
from bert_keras.tasks.labels import checked_labels, checked_thresholds
from bert_keras.tasks.pooled import classifier_dropout, classifier_output
from bert_keras.tasks.task import Task
from bert_keras.tasks.text_classification import TEXT_CLASSIFICATION


def multi_label_classification(
    encoder: keras.Model,
    labels: Sequence[str],
    dropout: float | None = None,
    windows: bool = False,
    thresholds: Sequence[float] | None = None,
) -> keras.Model:
    """A model of logits `[B, C]` over the pooled first token, each for a yes or no of its own.

    Source: transformers, `problem_type="multi_label_classification"`.

    Args:
        encoder: a model of `bert_keras.encoder`.
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output; the config's `classifier_dropout`, else its `hidden_dropout_prob`.
        windows: predictors read long texts in windows and average their probabilities, instead of cutting them.
        thresholds: the probability from which each label is answered, C numbers; 0.5 each if None.

    Raises:
        InputError: no label, one of them twice, or one with a line end; thresholds that are not C probabilities; or the
            encoder has no pooler.
    """
    config, task = config_of(encoder), "text-classification"
    labels = checked_labels(labels, "multi-label-classification", least=1)
    head = MultiLabelHead(
        labels,
        classifier_dropout(config, task) if dropout is None else dropout,
        config.initializer_range,
        windows,
        checked_thresholds(thresholds, labels),
        name="multi_label_head",
    )
    return keras.Model(encoder.input, head(classifier_output(encoder, task)), name="multi_label_classification")


def _outputs(logits: Any) -> dict[str, Any]:
    logits = tf.cast(logits, tf.float32)
    return {"probabilities": tf.sigmoid(logits), "logits": logits}


def _objective(model: keras.Model) -> dict[str, Any]:
    # The share of right decisions; a logit over 0 is a probability over 0.5.
    accuracy = keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0)
    return {"loss": MeanMultiLabelCrossEntropy(), "metrics": [accuracy]}


def _lean(options: Mapping[str, Any]) -> LeanHead:
    return lean_text_head("multi_label_head", lambda logits: {"probability": tf.sigmoid(logits)})


def _tune(model: keras.Model, examples: Any, answers: Sequence[dict[str, Any]]) -> str:
    """Set the thresholds that give each label the highest F1 on held-out examples."""
    head = model.get_layer("multi_label_head")
    found = best_thresholds(examples.labels_among(head.labels), [answer["scores"] for answer in answers])
    head.thresholds = [found[label] for label in head.labels]
    return f"thresholds: {', '.join(f'{label} {value:.3g}' for label, value in found.items())}"


MULTI_LABEL_CLASSIFICATION = Task(
    name="multi-label-classification",
    build=multi_label_classification,
    heads=("multi_label_head",),
    answer="multi-label",
    examples="multi-label",
    scores="multi-label",
    outputs=_outputs,
    objective=_objective,
    lean=_lean,
    of_texts=("probabilities",),
    has_labels=True,
    options=("windows", "thresholds"),
    shares=TEXT_CLASSIFICATION.name,
    renames={"classification_head": "multi_label_head"},
    problem_type="multi_label_classification",
    tune=_tune,
)
