"""Does the second text follow the first?"""

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import NspHead


def next_sentence_prediction(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, 2]`: column 0 = is next, 1 = is random (Devlin et al. 2018, task 2).

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    head = NspHead(config_of(encoder).initializer_range, name="nsp_head")
    return keras.Model(encoder.input, head(encoder.output["pooled_output"]), name="next_sentence_prediction")
