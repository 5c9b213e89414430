"""The vector of a text that heads of whole texts read."""

from typing import Any

import keras

from bert_keras.config import EncoderConfig
from bert_keras.encoder import config_of, rows
from bert_keras.errors import InputError
from bert_keras.layers import Pooler


def pooled_output(encoder: keras.Model, task: str) -> Any:
    """The output of the encoder's pooler, `[B, H]`.

    Args:
        encoder: a model of `bert_keras.encoder`.
        task: what reads it, for messages.

    Raises:
        InputError: the encoder has no pooler.
    """
    config = config_of(encoder)
    if not config.pooler:
        raise InputError(f"{task} reads the pooler's output, which encoders of the family {config.model_type} lack")
    return encoder.output["pooled_output"]


def own_pooled_output(encoder: keras.Model, task: str) -> Any:
    """The output of a dense layer over the first token that belongs to the head, `[B, H]`.

    Args:
        encoder: a model of `bert_keras.encoder`; where its config names no `classifier_act`, it is tanh.
        task: whose head it is.
    """
    config = config_of(encoder)
    dropout = config.classifier_pooler_dropout
    if task not in config.classifier_dropout_tasks:
        dropout = 0.0
    elif dropout is None:
        dropout = classifier_dropout(config, task)
    pooler = Pooler(
        config.hidden_size,
        config.initializer_range,
        activation=config.classifier_act or "tanh",
        dropout=dropout,
        name="classification_pooler",
    )
    return pooler(rows(encoder))


def classifier_output(encoder: keras.Model, task: str) -> Any:
    """What a classifier of whole texts reads, `[B, H]`: the pooler's output, of the encoder or of the head.

    Args:
        encoder: a model of `bert_keras.encoder`.
        task: whose head it is.

    Raises:
        InputError: the encoder has no pooler and its family no dense layer in the head.
    """
    if config_of(encoder).classifier_act is None:
        return pooled_output(encoder, task)
    return own_pooled_output(encoder, task)


def classifier_dropout(config: EncoderConfig, task: str) -> float:
    """The rate of dropout before the logits of a task's classes.

    Args:
        config: of the encoder.
        task: a task whose head has classes or choices.
    """
    if config.classifier_dropout is None or task not in config.classifier_dropout_tasks:
        return config.hidden_dropout_prob
    return config.classifier_dropout
