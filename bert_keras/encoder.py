"""The encoder as a functional model: the only place where blocks stack.

B batch, L length, H hidden, A heads, E width of the tables, V vocabulary, R rows that a head reads.
"""

from typing import Any

import keras

from bert_keras.config import Disentangled, EncoderConfig
from bert_keras.errors import InputError
from bert_keras.layers import (
    Block,
    Convolution,
    CountedPositions,
    DisentangledBlock,
    Embeddings,
    EncoderBlock,
    EncoderInputs,
    GatherRows,
    MaskRows,
    Pooler,
    QueryPositions,
    RelativePositions,
)
from bert_keras.layers.initializer import truncated_normal, without_values


def encoder(config: EncoderConfig, hidden_states: bool = False, attention_maps: bool = False) -> keras.Model:
    """A functional model H = Encoder(E_token + E_segment + E_position) (Devlin et al. 2018, section 3).

    Inputs are a dict of int32 `[B, L]`: `token_ids`, `segment_ids` where the config has segments, `padding_mask` (1
    text, 0 padding). Outputs are a dict: `sequence_output` `[B, L, H]` and, with a pooler, `pooled_output` `[B, H]`.

    Args:
        config: sizes, activation, epsilon and dropouts, and what differs between families.
        hidden_states: also output `hidden_states`, a list: the embeddings and each block's output, `[B, L, H]`.
        attention_maps: also output `attention_maps`, a list: each block's probabilities, `[B, A, L, L]`.

    Raises:
        InputError: `config` is none, Keras runs on another backend than TensorFlow, or a single block is to have a
            convolution beside it.
    """
    if not isinstance(config, EncoderConfig):
        raise InputError(f"config is {config!r}; pass an EncoderConfig, such as bk.config('bert-tiny')")
    if keras.backend.backend() != "tensorflow":
        raise InputError(
            f"Keras runs on {keras.backend.backend()}: set the environment variable KERAS_BACKEND=tensorflow"
        )
    if config.disentangled is not None and config.disentangled.conv_kernel_size and config.num_hidden_layers < 2:
        raise InputError("config: num_hidden_layers is 1; with a convolution (conv_kernel_size) it must be at least 2")
    names = ["token_ids", *(["segment_ids"] if config.has_segments else []), "padding_mask"]
    inputs = {name: keras.Input((None,), dtype="int32", name=name) for name in names}
    bias, token_ids, *segment_ids = EncoderInputs(config.to_dict(), name="inputs")(
        inputs["token_ids"], inputs["padding_mask"], inputs.get("segment_ids")
    )
    state = _embeddings(config, token_ids, segment_ids, inputs["padding_mask"])
    context = [bias]
    if config.disentangled is not None:
        context.append(_relative_positions(config, config.disentangled)(bias))
        state = MaskRows(name="masked_embeddings")(state, inputs["padding_mask"])
    blocks = [_block(config, f"block_{i}") for i in range(config.num_blocks)]
    states, maps = [state], []
    for i in range(config.num_hidden_layers):
        block = blocks[i * config.num_blocks // config.num_hidden_layers]
        if i == config.num_hidden_layers - 1:
            states[-1] = keras.layers.Identity(name=_LAST_INPUT)(states[-1])
        if attention_maps:
            state, probabilities = block(states[-1], *context, return_attention=True)
            maps.append(probabilities)
        else:
            state = block(states[-1], *context)
        if i == 0 and config.disentangled is not None and config.disentangled.conv_kernel_size:
            state = _convolution(config, config.disentangled)(states[0], state, inputs["padding_mask"])
        states.append(state)
    outputs: dict[str, Any] = {"sequence_output": state}
    if config.pooler:
        # The first token's row of the last block, computed apart: a model that reads nothing else computes nothing
        # else.
        first = _rows(config, block, states[-2], context)
        # Checkpoints may lack the pooler: it starts with values also where the rest of the encoder does not.
        with without_values(False):
            outputs["pooled_output"] = Pooler(config.hidden_size, config.initializer_range, name="pooler")(first)
    if hidden_states:
        outputs["hidden_states"] = states
    if attention_maps:
        outputs["attention_maps"] = maps
    return keras.Model(inputs, outputs, name=config.model_type.replace("-", "_"))


def encoder_to_fill(config: EncoderConfig) -> keras.Model:
    """`encoder`, whose matrices hold no meaningful values but the pooler's: a checkpoint sets every one of them.

    Args:
        config: as for `encoder`.

    Raises:
        InputError: as for `encoder`.
    """
    with without_values():
        return encoder(config)


# The layer through which the last block's input passes, so that other rows of the block can be computed later.
_LAST_INPUT = "last_block_input"


def _embeddings(config: EncoderConfig, token_ids: Any, segment_ids: list[Any], padding_mask: Any) -> Any:
    position_ids = None
    if config.position_offset:
        position_ids = CountedPositions(config.position_offset, name="positions")(padding_mask)
    state, _ = Embeddings(
        vocab_size=config.vocab_size,
        width=config.table_width,
        max_position_embeddings=config.max_position_embeddings if config.position_biased_input else 0,
        type_vocab_size=config.type_vocab_size,
        layer_norm_eps=config.layer_norm_eps,
        dropout=config.hidden_dropout_prob,
        initializer_range=config.initializer_range,
        name="embeddings",
    )(token_ids, *segment_ids, position_ids=position_ids)
    if config.embedding_size is None:
        return state
    return keras.layers.Dense(
        config.hidden_size, kernel_initializer=truncated_normal(config.initializer_range), name="embedding_projection"
    )(state)


def _relative_positions(config: EncoderConfig, disentangled: Disentangled) -> RelativePositions:
    return RelativePositions(
        rows=disentangled.table_rows,
        hidden_size=config.hidden_size,
        layer_norm_eps=config.layer_norm_eps if disentangled.norm_rel_ebd else None,
        initializer_range=config.initializer_range,
        name="relative_positions",
    )


def _block(config: EncoderConfig, name: str) -> Block:
    common: dict[str, Any] = {
        "hidden_size": config.hidden_size,
        "num_heads": config.num_attention_heads,
        "intermediate_size": config.intermediate_size,
        "hidden_act": config.hidden_act,
        "dropout": config.hidden_dropout_prob,
        "attention_dropout": config.attention_probs_dropout_prob,
        "layer_norm_eps": config.layer_norm_eps,
        "initializer_range": config.initializer_range,
        "name": name,
    }
    if config.disentangled is None:
        return EncoderBlock(attention_output_dropout=config.attention_output_dropout, **common)
    return DisentangledBlock(
        max_relative_positions=config.disentangled.max_relative_positions,
        position_buckets=config.disentangled.position_buckets,
        pos_att_type=config.disentangled.pos_att_type,
        share_att_key=config.disentangled.share_att_key,
        key_bias=config.disentangled.key_bias,
        **common,
    )


def _convolution(config: EncoderConfig, disentangled: Disentangled) -> Convolution:
    return Convolution(
        hidden_size=config.hidden_size,
        kernel_size=disentangled.conv_kernel_size,
        conv_act=disentangled.conv_act,
        dropout=config.hidden_dropout_prob,
        layer_norm_eps=config.layer_norm_eps,
        initializer_range=config.initializer_range,
        name="convolution",
    )


def _rows(config: EncoderConfig, block: Any, state: Any, context: list[Any], positions: Any = None) -> Any:
    """Some rows of a block, those at `positions` `[B, R]`; without them the first."""
    if positions is None:
        return block(state, *context, queries=state[:, :1])
    # Attention by relative positions asks where the rows stand.
    where = {} if config.disentangled is None else {"query_positions": positions}
    return block(state, *context, queries=GatherRows(name="rows")(state, positions), **where)


def _last_block(model: keras.Model) -> tuple[EncoderConfig, Any, Any, list[Any]]:
    """The last block of an encoder, the hidden states that enter it, and what else it takes."""
    config = config_of(model)
    context = [model.get_layer("inputs").output[0]]
    if config.disentangled is not None:
        context.append(model.get_layer("relative_positions").output)
    block = model.get_layer(f"block_{config.num_blocks - 1}")
    return config, block, model.get_layer(_LAST_INPUT).output, context


def rows(model: keras.Model, positions: Any = None) -> Any:
    """The sequence output at given positions, with the last block computed for those rows only.

    Equal to gathering them from `sequence_output`: keys and values come from every row.

    Args:
        model: an encoder of `bert_keras.encoder`.
        positions: int32 `[B, R]`, a symbolic tensor; the first row alone when left out.

    Returns:
        `[B, R, H]`.
    """
    return _rows(*_last_block(model), positions)


def decoded_rows(model: keras.Model, positions: Any) -> Any:
    """The rows at given positions as DeBERTa's enhanced mask decoder computes them for masked language modeling.

    What enters the last block asks with absolute positions added, and the last block answers twice: its answer asks
    again (He et al. 2020, section 3.2; microsoft/DeBERTa `masked_language_model.py`).

    Args:
        model: an encoder of `bert_keras.encoder` with disentangled attention.
        positions: int32 `[B, R]`, a symbolic tensor.

    Returns:
        `[B, R, H]`.
    """
    config, block, state, context = _last_block(model)
    decoder = QueryPositions(
        config.max_position_embeddings, config.hidden_size, config.initializer_range, name="mask_decoder"
    )
    queries = decoder(GatherRows(name="rows")(state, positions), positions)
    for _ in range(2):
        queries = block(state, *context, queries=queries, query_positions=positions)
    return queries


def token_table(model: keras.Model) -> Any:
    """The token table `[V, E]` as a symbolic tensor, for a decoder that is tied to it.

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
            return layer.parsed
    raise InputError(f"the model {model.name!r} was not made by bert_keras: make it with bk.load or bk.encoder")
