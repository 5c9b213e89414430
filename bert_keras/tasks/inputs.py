"""What a model takes."""

import keras
import tensorflow as tf


def input_names(model: keras.Model) -> list[str]:
    """The names of a model's inputs, in their order."""
    return [tensor.name for tensor in model.inputs]


def input_specs(model: keras.Model) -> dict[str, tf.TensorSpec]:
    """A model's inputs by name, int32 of any size, in their order."""
    return {
        tensor.name: tf.TensorSpec([None] * len(tensor.shape), tf.int32, name=tensor.name) for tensor in model.inputs
    }
