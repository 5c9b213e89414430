"""What a phone's graph has behind the last block. L length, H hidden, C classes."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from bert_keras.config import EncoderConfig
from bert_keras.lean.operations import Operations, activation

# Name of a layer in the graph -> path of its Keras variables.
Layers = Callable[[EncoderConfig], dict[str, str]]
# Operations, config, the last block's rows `[L, H]` and the mask `[L]` -> outputs by name.
Forward = Callable[[Operations, EncoderConfig, Any, Any], dict[str, Any]]


def _none(config: EncoderConfig) -> dict[str, str]:
    return {}


def has_own_pooler(config: EncoderConfig) -> bool:
    """Whether the family's classifiers have a dense layer of their own over the first token."""
    return config.classifier_act is not None


@dataclasses.dataclass(frozen=True)
class LeanHead:
    """A task's head in a phone's graph.

    Args:
        forward: computes the outputs.
        dense: its dense layers.
        layer_norms: its LayerNorms.
        values: its other variables.
        first_token_only: it reads the first row alone; `[1, H]` is all that it gets.
        masked_only: it reads the rows at the further input `masked_positions` `[1, K]` alone, and gets `[K, H]`.
        refuses: name of a Keras layer that the graph has not -> what to say of a model with it.
    """

    forward: Forward
    dense: Layers = _none
    layer_norms: Layers = _none
    values: Layers = _none
    first_token_only: bool = False
    masked_only: bool = False
    refuses: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def asks_few(self, config: EncoderConfig) -> bool:
        """Whether the last block computes only the rows that the head reads."""
        # Scores of relative positions are computed for the first row or for all.
        return self.first_token_only or (self.masked_only and config.disentangled is None)


def pooled(ops: Operations, x: Any, act: str) -> Any:
    """The first row `[1, H]` behind the dense layer `pooled`."""
    return activation(act)(ops.dense(x[:1], "pooled"))


def lean_text_head(
    layer: str,
    scores: Callable[[Any], dict[str, Any]],
    own_pooler: Callable[[EncoderConfig], bool] = has_own_pooler,
) -> LeanHead:
    """The head of a task that gives C numbers for a whole text.

    Args:
        layer: name of the Keras layer whose dense layer gives the numbers.
        scores: logits `[1, C]` to outputs.
        own_pooler: whether it reads a dense layer of its own over the first token in place of the encoder's pooler.
    """

    def forward(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
        act = config.classifier_act if own_pooler(config) else None
        return scores(ops.dense(pooled(ops, x, act or "tanh"), "logits"))

    def dense(config: EncoderConfig) -> dict[str, str]:
        pooler = "classification_pooler" if own_pooler(config) else "pooler"
        return {"pooled": f"{pooler}/dense", "logits": f"{layer}/dense"}

    return LeanHead(forward, dense, first_token_only=True)


def lean_probability(logits: Any) -> dict[str, Any]:
    """The probability of each class, under the name that MediaPipe reads."""
    return {"probability": tf.nn.softmax(logits)}
