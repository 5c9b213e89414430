"""A model's own layers in graphs that give what the model itself does not: attention maps, and a way past its table.

B batch, L length, A heads, E width of the tables.
"""

import weakref
from collections.abc import Callable, MutableMapping
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from bert_keras.encoder import config_of
from bert_keras.explain.token_vectors import TokenVectors
from bert_keras.explain.whole_block import WholeBlock
from bert_keras.layers import Block, Embeddings

VECTORS = "token_vectors"

# Made once a model: a graph stays with the layers that it calls. It holds the layers but not the model.
_Made = MutableMapping[keras.Model, keras.Model]
_with_attention: _Made = weakref.WeakKeyDictionary()
_with_vectors: _Made = weakref.WeakKeyDictionary()


def attention_graph(model: keras.Model) -> keras.Model:
    """The probabilities of every block, float32 `[B, layers, A, L, L]`, from the model's own inputs.

    Every row is computed, also those of the last block that the model's head does not read.

    Args:
        model: an encoder or a model that a task made of one.
    """
    return _once(_with_attention, model, _make_attention_graph)


def vector_graph(model: keras.Model) -> keras.Model:
    """The model with one input more, `token_vectors` `[B, L, E]`, read in the place of the tokens' rows of its table.

    The token ids count where else they are read: they are checked, and the tied decoder keeps the table.

    Args:
        model: an encoder or a model that a task made of one.
    """
    return _once(_with_vectors, model, _make_vector_graph)


def shaped(model: keras.Model, inputs: dict[str, Any]) -> dict[str, tf.Tensor]:
    """The inputs that a model takes: of `[B, L]` arrays, `[B, 1, L]` where it reads choices.

    Args:
        model: a model with a dict of inputs.
        inputs: arrays by name; what the model does not take is left out.
    """
    tensors = {name: tf.convert_to_tensor(inputs[name]) for name in model.input}
    if len(model.input["token_ids"].shape) == 2:
        return tensors
    return {name: tensor if name == VECTORS else tensor[:, None] for name, tensor in tensors.items()}


def run(model: keras.Model, inputs: dict[str, Any]) -> Any:
    """What a model gives without dropout, as NumPy arrays.

    Args:
        model: a model with a dict of inputs.
        inputs: arrays `[B, L]` by name.
    """
    outputs = model(shaped(model, inputs), training=False)
    return keras.tree.map_structure(lambda output: np.asarray(output), outputs)


def _once(made: _Made, model: keras.Model, make: Callable[[keras.Model], keras.Model]) -> keras.Model:
    if model not in made:
        made[model] = make(model)
    return made[model]


def _recalled(inputs: dict[str, Any], outputs: Any, call: Callable[..., Any]) -> keras.Model:
    """The graph from inputs to outputs once more, its layers called by `call(layer, *args, **kwargs)`."""
    # Not of the model itself: a copy of a compiled one is compiled too.
    bare = keras.Model(inputs, outputs)
    return keras.models.clone_model(bare, inputs, clone_function=lambda layer: layer, call_function=call)


def _make_attention_graph(model: keras.Model) -> keras.Model:
    whole: dict[int, Any] = {}  # hidden states that enter a block -> all its rows and probabilities

    def call(layer: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(layer, Block):
            return layer(*args, **kwargs)
        entered = id(args[0])
        if entered not in whole:
            whole[entered] = WholeBlock(layer)(*args)
        return layer(*args, **kwargs) if "queries" in kwargs else whole[entered][0]

    graph = _recalled(model.input, model.output, call)
    # Which positions a head reads does not matter.
    inputs = {name: tensor for name, tensor in graph.input.items() if name != "masked_positions"}
    return keras.Model(inputs, keras.ops.stack([probabilities for _, probabilities in whole.values()], axis=1))


def _make_vector_graph(model: keras.Model) -> keras.Model:
    vectors = keras.Input((None, config_of(model).table_width), dtype="float32", name=VECTORS)

    def call(layer: Any, *args: Any, **kwargs: Any) -> Any:
        outputs = layer(*args, **kwargs)
        if not isinstance(layer, Embeddings):
            return outputs
        _, *segment_ids = args  # the first are the token ids
        return TokenVectors(layer, name="past_lookup")(vectors, *segment_ids, **kwargs), outputs[1]

    return _recalled({**model.input, VECTORS: vectors}, model.output, call)
