"""The encoder as a functional model: the only place where blocks stack.

B batch, L length, H hidden, A heads, R rows that a head reads.
"""

from typing import Any

import keras

from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError
from bert_keras.layers import Embeddings, EncoderBlock, EncoderInputs, GatherRows, Pooler


def encoder(config: EncoderConfig, hidden_states: bool = False, attention_maps: bool = False) -> keras.Model:
    """A functional model H = Encoder(E_token + E_segment + E_position) (Devlin et al. 2018, section 3).

    Inputs are a dict of int32 `[B, L]`: `token_ids`, `segment_ids`, `padding_mask` (1 text, 0 padding). Outputs are
    a dict: `sequence_output` `[B, L, H]` and `pooled_output` `[B, H]`.

    Args:
        config: sizes, activation, epsilon and dropouts.
        hidden_states: also output `hidden_states`, a list: the embeddings and each block's output, `[B, L, H]`.
        attention_maps: also output `attention_maps`, a list: each block's probabilities, `[B, A, L, L]`.

    Raises:
        InputError: Keras runs on another backend than TensorFlow.
    """
    if keras.backend.backend() != "tensorflow":
        raise InputError(
            f"Keras runs on {keras.backend.backend()}: set the environment variable KERAS_BACKEND=tensorflow"
        )
    inputs = {
        name: keras.Input((None,), dtype="int32", name=name) for name in ("token_ids", "segment_ids", "padding_mask")
    }
    token_ids, segment_ids, bias = EncoderInputs(config.to_dict(), name="inputs")(
        inputs["token_ids"], inputs["padding_mask"], inputs["segment_ids"]
    )
    state, _ = Embeddings(
        vocab_size=config.vocab_size,
        hidden_size=config.hidden_size,
        max_position_embeddings=config.max_position_embeddings,
        type_vocab_size=config.type_vocab_size,
        layer_norm_eps=config.layer_norm_eps,
        dropout=config.hidden_dropout_prob,
        initializer_range=config.initializer_range,
        name="embeddings",
    )(token_ids, segment_ids)
    states, maps = [state], []
    for i in range(config.num_hidden_layers):
        block = _block(config, f"block_{i}")
        if attention_maps:
            state, probabilities = block(states[-1], bias, return_attention=True)
            maps.append(probabilities)
        else:
            state = block(states[-1], bias)
        states.append(state)
    # The first token's row of the last block, computed apart: a model that reads nothing else computes nothing else.
    first = block(states[-2], bias, queries=states[-2][:, :1])
    outputs: dict[str, Any] = {
        "sequence_output": state,
        "pooled_output": Pooler(config.hidden_size, config.initializer_range, name="pooler")(first),
    }
    if hidden_states:
        outputs["hidden_states"] = states
    if attention_maps:
        outputs["attention_maps"] = maps
    return keras.Model(inputs, outputs, name=config.model_type)


def _block(config: EncoderConfig, name: str) -> EncoderBlock:
    return EncoderBlock(
        hidden_size=config.hidden_size,
        num_heads=config.num_attention_heads,
        intermediate_size=config.intermediate_size,
        hidden_act=config.hidden_act,
        dropout=config.hidden_dropout_prob,
        attention_dropout=config.attention_probs_dropout_prob,
        layer_norm_eps=config.layer_norm_eps,
        initializer_range=config.initializer_range,
        name=name,
    )


def rows(model: keras.Model, positions: Any) -> Any:
    """The sequence output at given positions, with the last block computed for those rows only.

    Equal to gathering them from `sequence_output`: keys and values come from every row.

    Args:
        model: an encoder of `bert_keras.encoder`.
        positions: int32 `[B, R]`, a symbolic tensor.

    Returns:
        `[B, R, H]`.
    """
    block = model.get_layer(f"block_{config_of(model).num_hidden_layers - 1}")
    state, bias = block.input[:2]
    return block(state, bias, queries=GatherRows(name="rows")(state, positions))


def token_table(model: keras.Model) -> Any:
    """The token table `[V, H]` as a symbolic tensor, for a decoder that is tied to it.

    Args:
        model: an encoder of `bert_keras.encoder`.
    """
    return model.get_layer("embeddings").output[1]


def config_of(model: keras.Model) -> EncoderConfig:
    """The config that a model was made from, also after it was saved and loaded by Keras.

    Args:
        model: an encoder of `bert_keras.encoder` or a model that a task made of one.

    Raises:
        InputError: the model is not one of ours.
    """
    for layer in model.layers:
        if isinstance(layer, EncoderInputs):
            return EncoderConfig.from_dict(layer.config)
    raise InputError(f"the model {model.name!r} was not made by bert_keras: make it with bk.load or bk.encoder")
