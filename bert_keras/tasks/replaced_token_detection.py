"""Which tokens of a text were replaced?"""

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import RtdHead


def replaced_token_detection(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, L]`, over 0 where a token looks replaced (Clark et al. 2020, section 2).

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    config = config_of(encoder)
    head = RtdHead(config.hidden_size, config.hidden_act, config.initializer_range, name="rtd_head")
    return keras.Model(encoder.input, head(encoder.output["sequence_output"]), name="replaced_token_detection")
