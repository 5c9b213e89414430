"""The pieces that stood at masked positions."""

import keras

from bert_keras.encoder import config_of, rows, token_table
from bert_keras.layers import MlmHead


def fill_mask(encoder: keras.Model) -> keras.Model:
    """A model of logits `[B, K, V]` at the input `masked_positions` `[B, K]` (Devlin et al. 2018, task 1).

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    positions = keras.Input((None,), dtype="int32", name="masked_positions")
    logits = mlm_head(encoder)(rows(encoder, positions), token_table(encoder))
    return keras.Model({**encoder.input, "masked_positions": positions}, logits, name="fill_mask")


def mlm_head(encoder: keras.Model) -> MlmHead:
    """A head of the encoder's sizes.

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    config = config_of(encoder)
    return MlmHead(
        vocab_size=config.vocab_size,
        hidden_size=config.hidden_size,
        width=config.table_width,
        hidden_act=config.mlm_act or config.hidden_act,
        layer_norm_eps=config.layer_norm_eps,
        initializer_range=config.initializer_range,
        name="mlm_head",
    )
