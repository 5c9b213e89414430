"""From the keys of a family's config.json to `EncoderConfig`, and back."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from bert_keras.config import EncoderConfig

# Fields that no config.json has: a family knows them, or derives them from its keys.
_DERIVED = (
    "embedding_size",
    "num_hidden_groups",
    "position_offset",
    "position_biased_input",
    "pooler",
    "classifier_act",
    "classifier_pooler_dropout",
    "classifier_dropout_tasks",
    "answer_dropout",
    "attention_output_dropout",
    "mlm_act",
    "disentangled",
)
_DEFAULTS = {field.name: field.default for field in dataclasses.fields(EncoderConfig) if field.name in _DERIVED}


def from_keys(values: Mapping[str, Any], renamed: Mapping[str, str], derived: Mapping[str, Any]) -> EncoderConfig:
    """The config of a family's config.json.

    Args:
        values: the keys of the file over the family's defaults.
        renamed: key of the family -> field, where they differ.
        derived: fields that the family sets itself.

    Raises:
        InputError: a value that no encoder can have.
    """
    fields = {renamed.get(key, key): value for key, value in values.items()}
    return EncoderConfig.from_dict({**fields, **_DEFAULTS, **derived})


def to_keys(config: EncoderConfig, renamed: Mapping[str, str], without: Iterable[str] = ()) -> dict[str, Any]:
    """The keys of a family's config.json: the inverse of `from_keys`, which derives again what is left out here.

    Args:
        config: of the family.
        renamed: as for `from_keys`.
        without: further fields that the family's files do not have.
    """
    theirs = {field: key for key, field in renamed.items()}
    kept = {field: value for field, value in config.to_dict().items() if field not in (*_DERIVED, *without)}
    return {theirs.get(field, field): value for field, value in kept.items()}
