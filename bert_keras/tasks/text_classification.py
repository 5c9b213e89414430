"""One of C labels for a text or a pair of texts."""

from collections.abc import Sequence

import keras

from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.layers import ClassificationHead


def text_classification(encoder: keras.Model, labels: Sequence[str], dropout: float | None = None) -> keras.Model:
    """A model of logits `[B, C]` over the pooled first token (Devlin et al. 2018, section 4.1).

    Args:
        encoder: a model of `bert_keras.encoder`.
        labels: the C names, in the order of the logits.
        dropout: rate on the pooled output; the config's `classifier_dropout`, else its `hidden_dropout_prob`.

    Raises:
        InputError: fewer than two labels, one of them twice, or one with a line end.
    """
    if isinstance(labels, str):
        raise InputError(f"labels is the text {labels!r}; pass a list of names")
    labels = [str(label) for label in labels]
    if len(labels) < 2:
        raise InputError(f"text-classification needs at least two labels, not {labels}")
    if len(set(labels)) < len(labels):
        raise InputError(f"a label is named twice: {labels}")
    for label in labels:
        # Exported files hold a label a line.
        if "\n" in label or "\r" in label:
            raise InputError(f"the label {label!r} has a line end in it: name it in one line")
    config = config_of(encoder)
    if dropout is None:
        dropout = config.extra.get("classifier_dropout")
    if dropout is None:
        dropout = config.hidden_dropout_prob
    head = ClassificationHead(labels, dropout, config.initializer_range, name="classification_head")
    return keras.Model(encoder.input, head(encoder.output["pooled_output"]), name="text_classification")
