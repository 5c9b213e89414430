"""BERT (Devlin et al. 2018), its small sizes (Turc et al. 2019), SciBERT and BioBERT.

Sizes: arXiv:1810.04805 section 3, arXiv:1908.08962 table 1, arXiv:1903.10676, arXiv:1901.08746.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.families.keys import from_keys, to_keys
from bert_keras.weights import bert as table

CLASSES = {"bert": "Bert"}
HEADS = {
    **COMMON_HEADS,
    "ForNextSentencePrediction": "next-sentence-prediction",
    "ForPreTraining": "pretraining",
}
TABLE = table


def _size(layers: int, hidden: int, vocab_size: int = 30522) -> dict[str, Any]:
    return {
        "model_type": "bert",
        "vocab_size": vocab_size,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        # Every published BERT has heads of width 64 and a feed-forward network of 4 H.
        "num_attention_heads": hidden // 64,
        "intermediate_size": 4 * hidden,
    }


SIZES: dict[str, dict[str, Any]] = {
    "bert-tiny": _size(2, 128),
    "bert-mini": _size(4, 256),
    "bert-small": _size(4, 512),
    "bert-medium": _size(8, 512),
    "bert-base-uncased": _size(12, 768),
    "bert-base-cased": _size(12, 768, vocab_size=28996),
    "bert-large-uncased": _size(24, 1024),
    "bert-large-cased": _size(24, 1024, vocab_size=28996),
    "scibert-scivocab-uncased": _size(12, 768, vocab_size=31090),
    "biobert-v1.1": _size(12, 768, vocab_size=28996),
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json, whose keys are the fields."""
    return from_keys(values, {}, {})


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    return to_keys(config, {})
