"""Configs of Google's TensorFlow 1 code beside Hugging Face's.

Sources: the config classes, `gelu` and `layer_norm` of the three `modeling.py`; google-research/electra
`util/training_utils.py` and `run_pretraining.py` for sizes that no file tells.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from bert_keras.errors import InputError

_log = logging.getLogger("bert_keras")

# ELECTRA's release has no such file; the code that writes its sizes beside a checkpoint takes BERT's.
CONFIG_FILES = {"bert": "bert_config.json", "albert": "albert_config.json", "electra": "bert_config.json"}

# What each code computes under the name `gelu`: BERT's and ALBERT's by tanh, ELECTRA's by erf.
_GELU = {"bert": "gelu_new", "albert": "gelu_new", "electra": "gelu"}
_GELUS = ("gelu", "gelu_new", "gelu_pytorch_tanh")
_EPSILON = 1e-12  # fixed in all three codes

_KEYS = (
    "attention_probs_dropout_prob",
    "hidden_dropout_prob",
    "hidden_size",
    "initializer_range",
    "intermediate_size",
    "max_position_embeddings",
    "num_attention_heads",
    "num_hidden_layers",
    "type_vocab_size",
    "vocab_size",
)
_MORE_KEYS: dict[str, dict[str, int | None]] = {
    "bert": {},
    "albert": {
        "embedding_size": 128,
        "num_hidden_groups": 1,
        "inner_group_num": 1,
        "down_scale_factor": 1,
        "net_structure_type": 0,
        "gap_size": 0,
        "num_memory_blocks": 0,
    },
    "electra": {"embedding_size": None},
}
_NO_HEAD: dict[str, tuple[str, ...]] = {
    "bert": ("BertForTokenClassification", "BertForMultipleChoice"),
    "albert": ("AlbertForTokenClassification",),
    "electra": (),
}


def from_google(values: Mapping[str, Any], family: str) -> dict[str, Any]:
    """Config values as Hugging Face names them.

    Args:
        values: what Google's config file holds.
        family: `bert`, `albert` or `electra`.
    """
    activation = values.get("hidden_act", "gelu")
    activation = _GELU[family] if activation == "gelu" else activation
    return {"model_type": family, "layer_norm_eps": _EPSILON, **values, "hidden_act": activation}


def to_google(values: Mapping[str, Any]) -> dict[str, Any]:
    """Config values as Google's file holds them, for a model that its code can compute; labels and task are kept.

    Args:
        values: config values in Hugging Face's names, `model_type` among them.

    Raises:
        InputError: the values ask for something that Google's code does not know.
    """
    family = values.get("model_type", "bert")
    if family not in CONFIG_FILES:
        raise InputError(
            f"a model of the family {family!r} cannot be written as a TensorFlow 1 checkpoint: Google's code for them "
            f"is of {', '.join(CONFIG_FILES)}"
        )
    epsilon = values.get("layer_norm_eps", _EPSILON)
    if epsilon != _EPSILON:
        raise InputError(f"Google's TensorFlow 1 code has the layer_norm_eps {_EPSILON}, the model {epsilon}")
    if not values.get("type_vocab_size", 2):
        raise InputError("Google's TensorFlow 1 code always adds segments, but the model has none (type_vocab_size 0)")
    for architecture in values.get("architectures") or ():
        if architecture in _NO_HEAD[family]:
            raise InputError(f"Google's TensorFlow 1 code has no head for {architecture}")
    found = {key: values[key] for key in _KEYS if key in values}
    found["hidden_act"] = _google_activation(values.get("hidden_act", "gelu"), family)
    for key, default in _MORE_KEYS[family].items():
        value = values.get(key, default)
        found |= {} if value is None else {key: value}
    # Unknown keys do no harm there; without these the labels' names would be lost, and what the head is for.
    return found | {key: values[key] for key in ("id2label", "bert_keras") if values.get(key)}


def electra_sizes(shape: Callable[[str], tuple[int, ...]], layers: int, source: str) -> dict[str, Any]:
    """Config values of an ELECTRA from its tensors; head width 64 is that of Google's code.

    Args:
        shape: shape of a tensor by Hugging Face's name, matrices `[out, in]`; KeyError where there is none.
        layers: number of blocks.
        source: the checkpoint, for messages.

    Raises:
        InputError: a tensor that tells a size is missing.
    """
    try:
        vocab_size, embedding_size = shape("electra.embeddings.word_embeddings.weight")
        positions = shape("electra.embeddings.position_embeddings.weight")[0]
        segments = shape("electra.embeddings.token_type_embeddings.weight")[0]
        intermediate_size, hidden_size = shape("electra.encoder.layer.0.intermediate.dense.weight")
    except KeyError as error:
        raise InputError(f"{source}: {error.args[0]} is missing, which tells the model's sizes") from error
    return {
        "vocab_size": vocab_size,
        "embedding_size": embedding_size,
        "hidden_size": hidden_size,
        "num_hidden_layers": layers,
        "num_attention_heads": max(1, hidden_size // 64),
        "intermediate_size": intermediate_size,
        "max_position_embeddings": positions,
        "type_vocab_size": segments,
    }


def _google_activation(activation: str, family: str) -> str:
    if activation in ("relu", "tanh"):
        return activation
    if activation not in _GELUS:
        raise InputError(
            f"Google's TensorFlow 1 code does not know the activation {activation!r}; it knows gelu, relu and tanh"
        )
    if (activation == "gelu") != (_GELU[family] == "gelu"):
        _log.warning(
            "the model's activation is %s; Google's code for %s computes gelu by %s, up to 4.73e-4 away in each value",
            activation,
            family,
            "erf" if _GELU[family] == "gelu" else "tanh",
        )
    return "gelu"
