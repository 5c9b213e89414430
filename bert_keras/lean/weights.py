"""Weights as a phone's graph takes them: float32, matrices `[out, in]`, constants folded in.

H hidden, E width of the tables, A heads, D head width, V vocabulary, T segments, P positions.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.lean import disentangled
from bert_keras.lean.head import LeanHead
from bert_keras.lean.variables import Arrays, Variables, named


def graph_weights(variables: Mapping[str, Any], config: EncoderConfig, head: LeanHead) -> Arrays:
    """The weights by the names that `bert_keras.lean.graph` reads.

    Args:
        variables: path of a Keras variable -> variable or array.
        config: of the encoder.
        head: of the task.
    """
    read = Variables(variables)
    weights = _embeddings(read, config)
    for i in range(config.num_blocks):
        weights |= _block(read, config, f"block_{i}", splits_query(config, head, i))
    if config.disentangled is not None:
        weights |= disentangled.graph_weights(read, config, score_scale(config))
    for name, path in head.dense(config).items():
        weights |= read.dense(name, path)
    for name, path in head.layer_norms(config).items():
        weights |= read.layer_norm(name, path)
    for name, path in head.values(config).items():
        weights[name] = read.value(path)
    return weights


def splits_query(config: EncoderConfig, head: LeanHead, block: int) -> bool:
    """Whether a block's query is a product apart from key and value, as it is where some rows alone ask.

    A block that is used for other layers too has it apart there as well: the file holds its matrices once.
    """
    return head.asks_few(config) and block == config.num_blocks - 1


def _embeddings(read: Variables, config: EncoderConfig) -> Arrays:
    weights = {"token_table": read.value("embeddings/token_embedding")}
    first = "token_table"  # what every token adds
    if config.position_biased_input:
        first = "position_table"
        weights[first] = read.value("embeddings/position_embedding")
    segments = read.value("embeddings/segment_embedding") if config.type_vocab_size else None
    if segments is not None and len(segments) > 2:
        weights["segment_table"] = segments
    elif segments is not None:
        weights[first] = weights[first] + segments[0]
    if segments is not None and len(segments) == 2:
        weights["segment_step"] = segments[1] - segments[0]
    weights |= read.layer_norm("embeddings", "embeddings/layer_norm")
    if config.embedding_size is not None:
        weights |= read.dense("projection", "embedding_projection")
    return weights


def _block(read: Variables, config: EncoderConfig, block: str, apart: bool) -> Arrays:
    attention = f"{block}/attention"
    query = read.product(f"{attention}/query", score_scale(config))
    others = [read.product(f"{attention}/{name}") for name in ("key", "value")]
    weights: Arrays = {}
    for name, parts in {"q": [query], "kv": others}.items() if apart else [("qkv", [query, *others])]:
        weights |= named(f"{block}_{name}", parts)
    weights |= read.dense(f"{block}_context", f"{attention}/output")
    for name in ("intermediate", "output"):
        weights |= read.dense(f"{block}_{name}", f"{block}/{name}")
    for name in ("attention", "output"):
        weights |= read.layer_norm(f"{block}_{name}", f"{block}/{name}_layer_norm")
    return weights


def score_scale(config: EncoderConfig) -> float:
    """What scores are multiplied by: 1/√(nD) for n products that are added up."""
    products = 1 if config.disentangled is None else 1 + len(config.disentangled.pos_att_type)
    return (products * config.hidden_size // config.num_attention_heads) ** -0.5
