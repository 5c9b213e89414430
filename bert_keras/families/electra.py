"""ELECTRA (Clark et al. 2020): a small generator with an MLM head, and a discriminator that detects replaced tokens.

Sizes: arXiv:2003.10555 table 6 and the config.json of the released checkpoints.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.families.keys import from_keys, to_keys
from bert_keras.weights import electra as table

CLASSES = {"electra": "Electra"}
HEADS = {**COMMON_HEADS, "ForPreTraining": "replaced-token-detection"}
TABLE = table

# What transformers takes for a key that config.json lacks, where BERT's default is another.
_DEFAULTS = {"embedding_size": 128, "hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024}
# What the architecture fixes.
_FIXED = {
    "pooler": False,
    "classifier_act": "gelu",
    "classifier_dropout_tasks": ("text-classification", "token-classification"),
    "mlm_act": "gelu",
}

# How the head for multiple choice sums up a text: transformers' defaults, which every released checkpoint has.
_SUMMARY = {"summary_type": "first", "summary_use_proj": True, "summary_activation": "gelu"}


def _size(layers: int, hidden: int, embedding: int, intermediate: int) -> dict[str, Any]:
    return {
        "model_type": "electra",
        "vocab_size": 30522,
        "embedding_size": embedding,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": hidden // 64,
        "intermediate_size": intermediate,
    }


SIZES: dict[str, dict[str, Any]] = {
    "electra-small-discriminator": _size(12, 256, 128, 1024),
    "electra-small-generator": _size(12, 256, 128, 1024),
    "electra-base-discriminator": _size(12, 768, 768, 3072),
    "electra-base-generator": _size(12, 256, 768, 1024),
    "electra-large-discriminator": _size(24, 1024, 1024, 4096),
    "electra-large-generator": _size(24, 256, 1024, 1024),
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json.

    Args:
        values: the parsed file.

    Raises:
        InputError: a value that no encoder can have, or a head that sums up a text in another way.
    """
    values = {**_DEFAULTS, **values}
    if "ElectraForMultipleChoice" in (values.get("architectures") or []):
        for key, known in _SUMMARY.items():
            if values.get(key, known) != known:
                raise InputError(f"config: {key} is {values[key]!r}; a head for multiple choice is read with {known!r}")
    width = values["embedding_size"] if values["embedding_size"] != values["hidden_size"] else None
    return from_keys(values, {}, {**_FIXED, "embedding_size": width})


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    return {**to_keys(config, {}), "embedding_size": config.table_width}
