"""DistilBERT (Sanh et al. 2019): BERT with half the blocks, without segments and pooler.

Sizes: arXiv:1910.01108 section 3 and the config.json of the released checkpoints.
"""

from collections.abc import Mapping
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.families.heads import HEADS as COMMON_HEADS
from bert_keras.families.keys import from_keys, to_keys
from bert_keras.weights import distilbert as table

CLASSES = {"distilbert": "DistilBert"}
HEADS = COMMON_HEADS
TABLE = table

_RENAMED = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "hidden_dim": "intermediate_size",
    "activation": "hidden_act",
    "dropout": "hidden_dropout_prob",
    "attention_dropout": "attention_probs_dropout_prob",
    "seq_classif_dropout": "classifier_dropout",
}
# What transformers takes for a key that config.json lacks, where BERT's default is another.
_DEFAULTS = {"n_layers": 6, "seq_classif_dropout": 0.2, "qa_dropout": 0.1}
# What the architecture fixes.
_FIXED = {
    "type_vocab_size": 0,
    "layer_norm_eps": 1e-12,
    "pooler": False,
    "attention_output_dropout": 0.0,
    "classifier_act": "relu",
    "classifier_pooler_dropout": 0.0,
    "classifier_dropout_tasks": ("text-classification", "multiple-choice"),
}

_BASE = {"model_type": "distilbert", "dim": 768, "n_layers": 6, "n_heads": 12, "hidden_dim": 3072}
SIZES: dict[str, dict[str, Any]] = {
    "distilbert-base-uncased": {**_BASE, "vocab_size": 30522},
    "distilbert-base-cased": {**_BASE, "vocab_size": 28996},
    "distilbert-base-multilingual-cased": {**_BASE, "vocab_size": 119547},
}


def encoder_config(values: Mapping[str, Any]) -> EncoderConfig:
    """The config of a config.json.

    Args:
        values: the parsed file.

    Raises:
        InputError: a value that no encoder can have.
    """
    values = {**_DEFAULTS, **values}
    return from_keys(values, _RENAMED, {**_FIXED, "answer_dropout": values["qa_dropout"]})


def hf_config(config: EncoderConfig) -> dict[str, Any]:
    """The keys of config.json."""
    return {**to_keys(config, _RENAMED, without=_FIXED), "qa_dropout": config.answer_dropout}
