"""DeBERTa v2 (He et al. 2020) and v3 (He et al. 2021): DeBERTa with distances in buckets, wider the farther.

Sizes: arXiv:2006.03654, arXiv:2111.09543, microsoft/DeBERTa `experiments/language_model` and the config.json of the
released checkpoints.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.config import Disentangled, EncoderConfig
from bert_keras.errors import InputError
from bert_keras.families.deberta import common_keys, translated
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.weights import deberta_v2 as table

CLASSES = {"deberta-v2": "DebertaV2"}
# transformers has no class for v3's discriminator.
HEADS = {**COMMON_HEADS, "ForPreTraining": "replaced-token-detection"}
TABLE = table

# What transformers takes for a key that config.json lacks, where BERT's default is another.
_DEFAULTS = {
    "vocab_size": 128100,
    "hidden_size": 1536,
    "num_hidden_layers": 24,
    "num_attention_heads": 24,
    "intermediate_size": 6144,
    "type_vocab_size": 0,
    "layer_norm_eps": 1e-7,
}
# Further keys, with transformers' values for one that is left out; they become fields of the attention.
_KEYS = {
    "position_buckets": -1,
    "share_att_key": False,
    "norm_rel_ebd": "none",
    "conv_kernel_size": 0,
    "conv_act": "tanh",
}


def _size(layers: int, hidden: int, vocab_size: int = 128100, **others: Any) -> dict[str, Any]:
    return {
        "model_type": "deberta-v2",
        "vocab_size": vocab_size,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": hidden // 64,
        "intermediate_size": 4 * hidden,
        "relative_attention": True,
        "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False,
        "position_buckets": 256,
        "share_att_key": True,
        "norm_rel_ebd": "layer_norm",
        **others,
    }


SIZES: dict[str, dict[str, Any]] = {
    "deberta-v2-xlarge": _size(24, 1536, conv_kernel_size=3, conv_act="gelu"),
    "deberta-v2-xxlarge": _size(48, 1536, conv_kernel_size=3, conv_act="gelu"),
    "deberta-v3-xsmall": _size(12, 384),
    "deberta-v3-small": _size(6, 768),
    "deberta-v3-base": _size(12, 768),
    "deberta-v3-large": _size(24, 1024),
    "mdeberta-v3-base": _size(12, 768, vocab_size=251000),
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json.

    Args:
        values: the parsed file.

    Raises:
        InputError: a value that no encoder can have, or a variant that is not supported.
    """
    values = {**_DEFAULTS, **_KEYS, **values}
    if values.get("conv_groups", 1) != 1:
        raise InputError(f"config: conv_groups is {values['conv_groups']!r}; only 1 is supported")
    width = values.get("attention_head_size")
    if width is not None and width * values["num_attention_heads"] != values["hidden_size"]:
        raise InputError(
            f"config: attention_head_size is {width!r}; only hidden_size / num_attention_heads is supported"
        )
    return translated(
        values,
        _KEYS,
        position_buckets=max(values["position_buckets"], 0),
        share_att_key=values["share_att_key"],
        norm_rel_ebd="layer_norm" in values["norm_rel_ebd"],
        conv_kernel_size=values["conv_kernel_size"],
        conv_act=values["conv_act"],
    )


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    disentangled = config.disentangled or Disentangled()
    values = {
        **common_keys(config),
        "position_buckets": disentangled.position_buckets or -1,
        "share_att_key": disentangled.share_att_key,
        "norm_rel_ebd": "layer_norm" if disentangled.norm_rel_ebd else "none",
    }
    if disentangled.conv_kernel_size:
        values |= {"conv_kernel_size": disentangled.conv_kernel_size, "conv_act": disentangled.conv_act}
    return values
