"""RoBERTa (Liu et al. 2019) and XLM-R (Conneau et al. 2019): BERT with positions that count the text's tokens alone.

Sizes: arXiv:1907.11692 section 3, arXiv:1911.02116 section 5, and the config.json of the released checkpoints.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.families.keys import from_keys, to_keys
from bert_keras.weights import roberta as table

CLASSES = {"roberta": "Roberta", "xlm-roberta": "XLMRoberta"}
HEADS = COMMON_HEADS
TABLE = table

# What transformers takes for a key that config.json lacks, where BERT's default is another.
_DEFAULTS = {"vocab_size": 50265, "pad_token_id": 1}
# What the architecture fixes.
_FIXED = {
    "classifier_act": "tanh",
    "classifier_dropout_tasks": ("text-classification", "token-classification"),
    "mlm_act": "gelu",
}


def _size(layers: int, hidden: int, model_type: str = "roberta", vocab_size: int = 50265) -> dict[str, Any]:
    return {
        "model_type": model_type,
        "vocab_size": vocab_size,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": hidden // 64,
        "intermediate_size": 4 * hidden,
        "max_position_embeddings": 514,
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-5,
    }


SIZES: dict[str, dict[str, Any]] = {
    "roberta-base": _size(12, 768),
    "roberta-large": _size(24, 1024),
    "xlm-roberta-base": _size(12, 768, "xlm-roberta", 250002),
    "xlm-roberta-large": _size(24, 1024, "xlm-roberta", 250002),
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json.

    Args:
        values: the parsed file.

    Raises:
        InputError: a value that no encoder can have.
    """
    config = from_keys({**_DEFAULTS, **values}, {}, _FIXED)
    return dataclasses.replace(config, position_offset=config.pad_token_id + 1)


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    return to_keys(config, {})
