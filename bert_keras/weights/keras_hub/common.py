"""The sizes that all families share, in both vocabularies."""

from collections.abc import Mapping
from typing import Any

# KerasHub -> Hugging Face.
_SIZES = {
    "vocabulary_size": "vocab_size",
    "num_layers": "num_hidden_layers",
    "num_heads": "num_attention_heads",
    "hidden_dim": "hidden_size",
    "intermediate_dim": "intermediate_size",
    "max_sequence_length": "max_position_embeddings",
}


def hugging_face_common(config: Mapping[str, Any], pad_token_id: int) -> dict[str, Any]:
    """Sizes and dropout of a backbone, which has one dropout for all places, as values of config.json."""
    values = {theirs: config[ours] for ours, theirs in _SIZES.items()}
    dropouts = dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob"), config["dropout"])
    return {**values, **dropouts, "initializer_range": 0.02, "pad_token_id": pad_token_id}


def keras_hub_common(values: Mapping[str, Any]) -> dict[str, Any]:
    """Sizes and dropout of config.json as the arguments of a backbone."""
    config = {ours: values[theirs] for ours, theirs in _SIZES.items()}
    return {**config, "dropout": values["hidden_dropout_prob"]}
