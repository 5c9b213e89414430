"""One of C labels for each token."""

from collections.abc import Sequence

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import TokenHead
from bert_keras.tasks.labels import checked_labels
from bert_keras.tasks.pooled import classifier_dropout


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
