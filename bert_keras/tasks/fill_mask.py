"""The pieces that stood at masked positions."""

from collections.abc import Mapping
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of, decoded_rows, rows, token_table
from bert_keras.layers import MlmHead
from bert_keras.lean import LeanHead, activation
from bert_keras.tasks.class_scores import one_label_a_token
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


def _lean(options: Mapping[str, Any]) -> LeanHead:
    """Logits `[1, K, V]`; the decoder's matrix is the token table, which the file holds once."""

    def forward(ops: Any, config: Any, x: Any, mask: Any) -> dict[str, Any]:
        hidden = activation(config.mlm_act or config.hidden_act)(ops.dense(x, "transform"))
        products = tf.matmul(ops.layer_norm(hidden, "transform"), ops.weights["token_table"], transpose_b=True)
        return {"logits": tf.expand_dims(tf.nn.bias_add(products, ops.weights["decoder_bias"]), 0)}

    return LeanHead(
        forward,
        dense=lambda config: {"transform": "mlm_head/transform"},
        layer_norms=lambda config: {"transform": "mlm_head/layer_norm"},
        values=lambda config: {"decoder_bias": "mlm_head/bias"},
        masked_only=True,
        refuses={
            "mask_decoder": "a phone's graph does not compute DeBERTa's enhanced mask decoder; export a SavedModel"
        },
    )


FILL_MASK = Task(
    name="fill-mask",
    build=fill_mask,
    heads=("mlm_head",),
    answer="masks",
    examples="masked-texts",
    scores="masks",
    outputs=lambda logits: {"logits": logits},
    objective=one_label_a_token,
    lean=_lean,
    of_texts=("logits",),
)
