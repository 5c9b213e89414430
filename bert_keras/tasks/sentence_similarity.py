"""One vector a text, near for texts of like meaning."""

import keras

from bert_keras.layers import MeanPooling


def sentence_similarity(encoder: keras.Model) -> keras.Model:
    """A model of unit vectors `[B, H]`: the mean of the hidden states over the mask (Reimers, Gurevych 2019).

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    embedding = MeanPooling(name="mean_pooling")(encoder.output["sequence_output"], encoder.input["padding_mask"])
    return keras.Model(encoder.input, embedding, name="sentence_similarity")
