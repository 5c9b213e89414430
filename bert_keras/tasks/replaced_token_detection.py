"""Which tokens of a text were replaced?"""

import keras

from bert_keras.encoder import config_of
from bert_keras.layers import ContextRtdHead, RtdHead


def replaced_token_detection(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, L]`, over 0 where a token looks replaced (Clark et al. 2020, section 2).

    DeBERTa's head looks at the text's first token too (He et al. 2021).

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    config = config_of(encoder)
    sizes = (config.hidden_size, config.hidden_act, config.initializer_range)
    if config.disentangled is None:
        head = RtdHead(*sizes, name="rtd_head")
    else:
        head = ContextRtdHead(*sizes, config.layer_norm_eps, name="rtd_head")
    return keras.Model(encoder.input, head(encoder.output["sequence_output"]), name="replaced_token_detection")
