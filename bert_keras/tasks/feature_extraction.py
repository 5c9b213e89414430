"""The encoder's own outputs."""

import keras


def feature_extraction(encoder: keras.Model) -> keras.Model:
    """The encoder itself: outputs `sequence_output` `[B, L, H]` and, with a pooler, `pooled_output` `[B, H]`.

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    return encoder
