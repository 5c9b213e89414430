"""DeBERTa (He et al. 2020): attention by content and by relative positions, without absolute ones in the encoder.

Sizes: arXiv:2006.03654 and the config.json of the released checkpoints.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bert_keras.config import Disentangled, EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.families.keys import from_keys, to_keys
from bert_keras.weights import deberta as table

CLASSES = {"deberta": "Deberta"}
HEADS = {end: task for end, task in COMMON_HEADS.items() if task != "multiple-choice"}
TABLE = table

_RENAMED = {"cls_dropout": "classifier_dropout"}
# What transformers takes for a key that config.json lacks, where BERT's default is another.
_DEFAULTS = {"vocab_size": 50265, "type_vocab_size": 0, "layer_norm_eps": 1e-7}
# Keys that both versions have, with transformers' values for one that is left out; they become other fields.
_KEYS = {
    "relative_attention": False,
    "max_relative_positions": -1,
    "pos_att_type": None,
    "position_biased_input": True,
    "pooler_hidden_act": "gelu",
    "pooler_dropout": 0.0,
}


def _size(layers: int, hidden: int) -> dict[str, Any]:
    return {
        "model_type": "deberta",
        "vocab_size": 50265,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": hidden // 64,
        "intermediate_size": 4 * hidden,
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_biased_input": False,
    }


SIZES: dict[str, dict[str, Any]] = {
    "deberta-base": _size(12, 768),
    "deberta-large": _size(24, 1024),
    "deberta-xlarge": _size(48, 1024),
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json.

    Args:
        values: the parsed file.

    Raises:
        InputError: a value that no encoder can have, or a variant that is not supported.
    """
    if values.get("talking_head"):
        raise InputError("config: talking_head is true; only models without it are supported")
    return translated({**_DEFAULTS, **values}, (), key_bias=False)


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    return common_keys(config)


def translated(values: Mapping[str, Any], keys: Iterable[str], **attention: Any) -> EncoderConfig:
    """The config of a config.json of either version.

    Args:
        values: the parsed file over the version's defaults.
        keys: those that became fields of the attention.
        attention: fields of `Disentangled` that the version has of its own.

    Raises:
        InputError: a value that no encoder can have, or a variant that is not supported.
    """
    values = {**_KEYS, **values}
    if not values["relative_attention"]:
        raise InputError("config: relative_attention is false; only models with relative positions are supported")
    width = values.get("hidden_size", EncoderConfig.hidden_size)
    if values.get("embedding_size", width) != width:
        raise InputError(f"config: embedding_size is {values['embedding_size']!r}; only hidden_size is supported")
    kinds = values["pos_att_type"] or []
    if isinstance(kinds, str):
        kinds = [kind.strip() for kind in kinds.lower().split("|")]
    distance = values["max_relative_positions"]
    if distance < 1:
        distance = values.get("max_position_embeddings", EncoderConfig.max_position_embeddings)
    derived = {
        "position_biased_input": values["position_biased_input"],
        "pooler": False,
        "classifier_act": values["pooler_hidden_act"],
        "classifier_pooler_dropout": values["pooler_dropout"],
        "classifier_dropout_tasks": ("text-classification", "multiple-choice"),
        "disentangled": Disentangled(max_relative_positions=distance, pos_att_type=tuple(kinds), **attention),
    }
    rest = {key: value for key, value in values.items() if key not in (*_KEYS, *keys)}
    if distance != values["max_relative_positions"]:
        rest["max_relative_positions"] = values["max_relative_positions"]  # kept to be written back
    return from_keys(rest, _RENAMED, derived)


def common_keys(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json that both versions have: the inverse of `translated`."""
    disentangled = config.disentangled or Disentangled()
    distance = disentangled.max_relative_positions
    if distance == config.max_position_embeddings:
        distance = config.extra.get("max_relative_positions", distance)
    return {
        **to_keys(config, _RENAMED),
        "max_relative_positions": distance,
        "relative_attention": True,
        "pos_att_type": list(disentangled.pos_att_type),
        "position_biased_input": config.position_biased_input,
        "pooler_hidden_act": config.classifier_act,
        "pooler_dropout": config.classifier_pooler_dropout or 0.0,
        "pooler_hidden_size": config.hidden_size,
    }
