"""ALBERT (Lan et al. 2019): narrow tables with a projection, blocks that share their weights, sentence order.

Sizes: arXiv:1909.11942 table 1 and the config.json of the released checkpoints.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.families.keys import from_keys, to_keys
from bert_keras.weights import albert as table

CLASSES = {"albert": "Albert"}
HEADS = {**COMMON_HEADS, "ForPreTraining": "pretraining"}
TABLE = table

_RENAMED = {"classifier_dropout_prob": "classifier_dropout"}
# What transformers takes for a key that config.json lacks.
_DEFAULTS = {
    "vocab_size": 30000,
    "embedding_size": 128,
    "hidden_size": 4096,
    "num_hidden_layers": 12,
    "num_hidden_groups": 1,
    "num_attention_heads": 64,
    "intermediate_size": 16384,
    "hidden_act": "gelu_new",
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "classifier_dropout_prob": 0.1,
}


def _size(layers: int, hidden: int, heads: int, dropout: float, act: str) -> dict[str, Any]:
    return {
        "model_type": "albert",
        "vocab_size": 30000,
        "embedding_size": 128,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_hidden_groups": 1,
        "num_attention_heads": heads,
        "intermediate_size": 4 * hidden,
        "hidden_act": act,
        "hidden_dropout_prob": dropout,
        "attention_probs_dropout_prob": dropout,
        "classifier_dropout_prob": 0.1,
    }


_SIZES = {"base": (12, 768, 12), "large": (24, 1024, 16), "xlarge": (24, 2048, 16), "xxlarge": (12, 4096, 64)}
SIZES: dict[str, dict[str, Any]] = {
    **{f"albert-{name}-v1": _size(*size, 0.0 if name == "xxlarge" else 0.1, "gelu") for name, size in _SIZES.items()},
    **{f"albert-{name}-v2": _size(*size, 0.0, "gelu_new") for name, size in _SIZES.items()},
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json.

    Args:
        values: the parsed file.

    Raises:
        InputError: a value that no encoder can have, or blocks of several layers each.
    """
    values = {**_DEFAULTS, **values}
    if values.get("inner_group_num", 1) != 1:
        raise InputError(f"config: inner_group_num is {values['inner_group_num']!r}; only 1 is supported")
    derived = {key: values[key] for key in ("embedding_size", "num_hidden_groups")}
    return from_keys(values, _RENAMED, derived)


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    own = {"embedding_size": config.table_width, "num_hidden_groups": config.num_blocks, "inner_group_num": 1}
    return {**to_keys(config, _RENAMED), **own}
