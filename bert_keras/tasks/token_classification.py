"""One of C labels for each token."""

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.layers import TokenHead
from bert_keras.lean import LeanHead, lean_probability
from bert_keras.tasks.class_scores import class_scores, one_label_a_token
from bert_keras.tasks.labels import checked_labels
from bert_keras.tasks.pooled import classifier_dropout
from bert_keras.tasks.task import Task


def token_classification(encoder: keras.Model, labels: Sequence[str], dropout: float | None = None) -> keras.Model:
    """A model of logits `[B, L, C]` over the hidden states (Devlin et al. 2018, section 5.3).

    Args:
        encoder: a model of `bert_keras.encoder`.
        labels: the C names, in the order of the logits.
        dropout: rate on the hidden states; the config's `classifier_dropout` where the family has it there, else its
            `hidden_dropout_prob`.

    Raises:
        InputError: fewer than two labels, one of them twice, or one with a line end.
    """
    config, task = config_of(encoder), "token-classification"
    head = TokenHead(
        checked_labels(labels, task),
        classifier_dropout(config, task) if dropout is None else dropout,
        config.initializer_range,
        name="token_head",
    )
    return keras.Model(encoder.input, head(encoder.output["sequence_output"]), name="token_classification")


def _lean(options: Mapping[str, Any]) -> LeanHead:
    def forward(ops: Any, config: Any, x: Any, mask: Any) -> dict[str, Any]:
        return {name: tf.expand_dims(value, 0) for name, value in lean_probability(ops.dense(x, "logits")).items()}

    return LeanHead(forward, lambda config: {"logits": "token_head/dense"})


TOKEN_CLASSIFICATION = Task(
    name="token-classification",
    build=token_classification,
    heads=("token_head",),
    answer="entities",
    examples="words",
    scores="entities",
    outputs=class_scores,
    objective=one_label_a_token,
    lean=_lean,
    of_tokens=("probabilities",),
    has_labels=True,
)
