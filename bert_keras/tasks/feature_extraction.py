"""The encoder's own outputs."""

from collections.abc import Mapping
from typing import Any

import keras
import tensorflow as tf

from bert_keras.lean import LeanHead, pooled
from bert_keras.tasks.task import Task


def feature_extraction(encoder: keras.Model) -> keras.Model:
    """The encoder itself: outputs `sequence_output` `[B, L, H]` and, with a pooler, `pooled_output` `[B, H]`.

    Args:
        encoder: a model of `bert_keras.encoder`.
    """
    return encoder


def _lean(options: Mapping[str, Any]) -> LeanHead:
    def forward(ops: Any, config: Any, x: Any, mask: Any) -> dict[str, Any]:
        features = {"sequence_output": tf.expand_dims(x, 0)}
        return features | ({"pooled_output": pooled(ops, x, "tanh")} if config.pooler else {})

    return LeanHead(forward, lambda config: {"pooled": "pooler/dense"} if config.pooler else {})


FEATURE_EXTRACTION = Task(
    name="feature-extraction",
    build=feature_extraction,
    heads=(),
    answer="features",
    lean=_lean,
    of_tokens=("sequence_output",),
)
