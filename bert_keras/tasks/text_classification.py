"""One of C labels for a text or a pair of texts."""

from collections.abc import Sequence

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import ClassificationHead
from bert_keras.tasks.labels import checked_labels
from bert_keras.tasks.pooled import classifier_dropout, own_pooled_output, pooled_output


def text_classification(encoder: keras.Model, labels: Sequence[str], dropout: float | None = None) -> keras.Model:
    """A model of logits `[B, C]` over the pooled first token (Devlin et al. 2018, section 4.1).

    Families whose classification head has a dense layer of its own have it in place of the encoder's pooler.

    Args:
        encoder: a model of `bert_keras.encoder`.
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output; the config's `classifier_dropout`, else its `hidden_dropout_prob`.

    Raises:
        InputError: fewer than two labels, one of them twice, or one with a line end; or the encoder has no pooler.
    """
    config, task = config_of(encoder), "text-classification"
    head = ClassificationHead(
        checked_labels(labels, task),
        classifier_dropout(config, task) if dropout is None else dropout,
        config.initializer_range,
        name="classification_head",
    )
    pooled = pooled_output(encoder, task) if config.classifier_act is None else own_pooled_output(encoder, task)
    return keras.Model(encoder.input, head(pooled), name="text_classification")
