"""The pieces that stood at masked positions."""

from typing import Any

import keras

from bert_keras.encoder import config_of, decoded_rows, rows, token_table
from bert_keras.layers import MlmHead
from bert_keras.losses import CountedAccuracy, MeanCrossEntropy
from bert_keras.tasks.task import Task


def fill_mask(encoder: keras.Model, mask_decoder: bool = False) -> keras.Model:
    """A model of logits `[B, K, V]` at the input `masked_positions` `[B, K]` (Devlin et al. 2018, task 1).

    Args:
        encoder: a model of `bert_keras.encoder`.
        mask_decoder: DeBERTa's enhanced mask decoder computes the rows, for encoders with disentangled attention.
    """
    positions = keras.Input((None,), dtype="int32", name="masked_positions")
    read = (decoded_rows if mask_decoder else rows)(encoder, positions)
    logits = mlm_head(encoder)(read, token_table(encoder))
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


def _objective(model: keras.Model) -> dict[str, Any]:
    return {"loss": MeanCrossEntropy(), "weighted_metrics": [CountedAccuracy()]}


FILL_MASK = Task(
    name="fill-mask",
    build=fill_mask,
    heads=("mlm_head",),
    answer="masks",
    examples="masked-texts",
    scores="masks",
    outputs=lambda logits: {"logits": logits},
    objective=_objective,
)
