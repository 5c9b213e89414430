"""What each task gives out of an exported graph, by name.

B batch, L length, H hidden, C classes, K masks, V vocabulary.
"""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from bert_keras.tasks import task_of


def named_outputs(model: keras.Model, inputs: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
    """Run a model as it is after training, dropout off, and name its outputs.

    Args:
        model: a model that a task made.
        inputs: the model's inputs by name, int32 `[B, L]`.

    Returns:
        float32 tensors: `probabilities` and `logits` `[B, C]` of a classifier; `embedding` `[B, H]` of
        sentence-similarity; `logits` `[B, K, V]` of fill-mask; otherwise the model's own names, such as
        `sequence_output` `[B, L, H]` and `pooled_output` `[B, H]`.
    """
    raw = model(inputs, training=False)
    named = _NAMES.get(task_of(model), _as_named)(raw)
    return {name: tf.cast(value, tf.float32) for name, value in named.items()}


def forward_of(model: keras.Model) -> Callable[[dict[str, Any]], dict[str, tf.Tensor]]:
    """The model's named outputs as one graph for every shape of its inputs.

    Args:
        model: a model that a task made.
    """
    specs = {name: tf.TensorSpec([None, None], tf.int32, name=name) for name in input_names(model)}

    @tf.function(input_signature=[specs], autograph=False)
    def forward(inputs: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        return named_outputs(model, inputs)

    return forward


def input_names(model: keras.Model) -> list[str]:
    """The names of a model's inputs, in their order."""
    return [tensor.name for tensor in model.inputs]


def _class_scores(logits: tf.Tensor) -> dict[str, tf.Tensor]:
    logits = tf.cast(logits, tf.float32)
    return {"probabilities": tf.nn.softmax(logits), "logits": logits}


def _as_named(outputs: Any) -> dict[str, tf.Tensor]:
    return dict(outputs) if isinstance(outputs, dict) else {"output": outputs}


_NAMES: dict[str, Callable[[Any], dict[str, tf.Tensor]]] = {
    "text-classification": _class_scores,
    "next-sentence-prediction": _class_scores,
    "sentence-similarity": lambda embedding: {"embedding": embedding},
    "fill-mask": lambda logits: {"logits": logits},
}
