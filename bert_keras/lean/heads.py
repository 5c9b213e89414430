"""What a phone's graph puts out for each task. L length, H hidden, C classes."""

import dataclasses
from collections.abc import Callable
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


@dataclasses.dataclass(frozen=True)
class Head:
    """What a task's graph has behind the last block.

    Args:
        forward: computes the outputs.
        dense: its dense layers.
        layer_norms: its LayerNorms.
        first_token_only: it reads the first row alone; `[1, H]` is all that it gets.
    """

    forward: Forward
    dense: Layers = _none
    layer_norms: Layers = _none
    first_token_only: bool = False


def _pooled(ops: Operations, x: Any, act: str) -> Any:
    return activation(act)(ops.dense(x[:1], "pooled"))


def _probability(ops: Operations, x: Any) -> dict[str, Any]:
    return {"probability": tf.nn.softmax(ops.dense(x, "logits"))}


def _text_classification(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    return _probability(ops, _pooled(ops, x, config.classifier_act or "tanh"))


def _text_classification_dense(config: EncoderConfig) -> dict[str, str]:
    pooler = "pooler" if config.classifier_act is None else "classification_pooler"
    return {"pooled": f"{pooler}/dense", "logits": "classification_head/dense"}


def _next_sentence(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    return _probability(ops, _pooled(ops, x, "tanh"))


def _similarity(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    total = tf.reduce_sum(x * tf.reshape(mask, [-1, 1]), axis=0, keepdims=True)
    length = tf.sqrt(tf.reduce_sum(total * total, axis=-1, keepdims=True))
    return {"embedding": total / tf.maximum(length, 1e-12)}


def _features(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    features = {"sequence_output": tf.expand_dims(x, 0)}
    return features | ({"pooled_output": _pooled(ops, x, "tanh")} if config.pooler else {})


def _tokens(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    return {"probability": tf.expand_dims(_probability(ops, x)["probability"], 0)}


def _answer(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    start, end = tf.split(ops.dense(x, "logits"), 2, axis=-1)
    return {"start_logits": tf.reshape(start, [1, -1]), "end_logits": tf.reshape(end, [1, -1])}


def _replaced(ops: Operations, config: EncoderConfig, x: Any, mask: Any) -> dict[str, Any]:
    if config.disentangled is not None:  # DeBERTa's head
        x = ops.layer_norm(x[:1] + x, "head")
    hidden = activation(config.hidden_act)(ops.dense(x, "transform"))
    return {"logits": tf.reshape(ops.dense(hidden, "logits"), [1, -1])}


HEADS = {
    "text-classification": Head(_text_classification, _text_classification_dense, first_token_only=True),
    "next-sentence-prediction": Head(
        _next_sentence, lambda config: {"pooled": "pooler/dense", "logits": "nsp_head/dense"}, first_token_only=True
    ),
    "sentence-similarity": Head(_similarity),
    "feature-extraction": Head(_features, lambda config: {"pooled": "pooler/dense"} if config.pooler else {}),
    "token-classification": Head(_tokens, lambda config: {"logits": "token_head/dense"}),
    "question-answering": Head(_answer, lambda config: {"logits": "answer_head/dense"}),
    "replaced-token-detection": Head(
        _replaced,
        lambda config: {"transform": "rtd_head/transform", "logits": "rtd_head/dense"},
        lambda config: {} if config.disentangled is None else {"head": "rtd_head/layer_norm"},
    ),
}
