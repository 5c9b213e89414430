"""Which tokens of a text were replaced?"""

from collections.abc import Mapping
from typing import Any

import keras
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.layers import ContextRtdHead, RtdHead
from bert_keras.lean import LeanHead, activation
from bert_keras.losses import MeanBinaryCrossEntropy
from bert_keras.tasks.task import Task


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


def _objective(model: keras.Model) -> dict[str, Any]:
    return {"loss": MeanBinaryCrossEntropy()}


def _lean(options: Mapping[str, Any]) -> LeanHead:
    def forward(ops: Any, config: Any, x: Any, mask: Any) -> dict[str, Any]:
        if config.disentangled is not None:  # DeBERTa's head
            x = ops.layer_norm(x[:1] + x, "head")
        hidden = activation(config.hidden_act)(ops.dense(x, "transform"))
        return {"logits": tf.reshape(ops.dense(hidden, "logits"), [1, -1])}

    return LeanHead(
        forward,
        lambda config: {"transform": "rtd_head/transform", "logits": "rtd_head/dense"},
        lambda config: {} if config.disentangled is None else {"head": "rtd_head/layer_norm"},
    )


REPLACED_TOKEN_DETECTION = Task(
    name="replaced-token-detection",
    build=replaced_token_detection,
    heads=("rtd_head",),
    outputs=lambda logits: {"logits": logits},
    objective=_objective,
    lean=_lean,
    of_tokens=("logits",),
)
