"""What each task gives out of an exported graph, by name.

B batch, L length, H hidden, C classes (in multiple choice: choices), K masks, V vocabulary.
"""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from bert_keras.tasks import TASKS, input_specs, task_of


def named_outputs(model: keras.Model, inputs: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
    """Run a model as it is after training, dropout off, and name its outputs.

    Args:
        model: a model that a task made.
        inputs: the model's inputs by name, int32 `[B, L]`, of multiple choice `[B, C, L]`.

    Returns:
        float32 tensors: `probabilities` and `logits` `[B, C]` of a classifier or of choices, `[B, L, C]` of tokens;
        `embedding` `[B, H]` of sentence-similarity; `logits` `[B, K, V]` of fill-mask and `[B, L]` of
        replaced-token-detection; otherwise the model's own names, such as `sequence_output` `[B, L, H]`,
        `pooled_output` `[B, H]`, `start_logits` `[B, L]`.
    """
    raw = model(inputs, training=False)
    named = TASKS[task_of(model)].outputs(raw)
    return {name: tf.cast(value, tf.float32) for name, value in named.items()}


def forward_of(model: keras.Model) -> Callable[[dict[str, Any]], dict[str, tf.Tensor]]:
    """The model's named outputs as one graph for every shape of its inputs; what is no input of it is ignored.

    Args:
        model: a model that a task made.
    """
    specs = input_specs(model)

    @tf.function(input_signature=[specs], autograph=False)
    def forward(inputs: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
        return named_outputs(model, inputs)

    # Traced here: TensorFlow takes the fifth model of a process for the fifth trace of one function, and warns.
    graph = forward.get_concrete_function()
    return lambda inputs: graph({name: shaped(inputs[name], spec) for name, spec in specs.items()})


def shaped(rows: Any, spec: tf.TensorSpec) -> Any:
    """Rows `[B, L]` as an input takes them: `[B, 1, L]`, one choice a row, where it is one of multiple choice."""
    return rows[:, None] if spec.shape.rank == 3 and rows.ndim == 2 else rows
