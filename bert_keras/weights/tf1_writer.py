"""Writes the TensorFlow 1 checkpoints that Google's code for BERT, ALBERT and ELECTRA reads."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.weights import tf1_config, tf1_names

# As Google names the files of its releases; ELECTRA's bear the size, which only some models have.
_PREFIXES = {"bert": "bert_model.ckpt", "albert": "model.ckpt-best", "electra": "electra_model.ckpt"}

# The graphs use one tensor for both.
_TIED = {
    "bert": {
        "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    },
    "albert": {
        "predictions.decoder.weight": "albert.embeddings.word_embeddings.weight",
        "predictions.decoder.bias": "predictions.bias",
    },
    "electra": {"generator_lm_head.weight": "electra.embeddings.word_embeddings.weight"},
}
_CONSTANTS = ("embeddings.position_ids", "embeddings.token_type_ids")


def write_tf1(tensors: Mapping[str, np.ndarray], config_values: Mapping[str, Any], folder: Path) -> Path:
    """Write a checkpoint and its config file; the tokenizer's files are not among them.

    An activation that Google's code computes by its other formula (erf or tanh) is written with a warning.

    Args:
        tensors: Hugging Face's name -> array, matrices `[out, in]`; the encoder's with or without `bert.`, `albert.`,
            `electra.`. An ELECTRA with a head of the generator is written as the generator.
        config_values: config values in Hugging Face's names, `model_type` among them.
        folder: an existing folder.

    Returns:
        The checkpoint's path without `.index`.

    Raises:
        InputError: the model is of another family, or has something that Google's code does not know.
        OSError: the folder cannot be written to.
    """
    values = tf1_config.to_google(config_values)
    family = config_values.get("model_type", "bert")
    named = {_full(name, family): array for name, array in tensors.items() if not name.endswith(_CONSTANTS)}
    mapping = "albert.encoder.embedding_hidden_mapping_in.weight"
    if mapping in named and values["embedding_size"] == values["hidden_size"]:
        raise InputError(f"Google's TensorFlow 1 code has no {mapping} where embedding_size is hidden_size")
    table = tf1_names.reverse(_table(named, family))
    arrays = {}
    for name, array in named.items():
        if name in _TIED[family]:
            _check_tied(named, name, _TIED[family][name])
            continue
        google_name = tf1_names.translated(name, table)
        if google_name is None:
            raise InputError(f"the tensor {name} has no place in a TensorFlow 1 checkpoint of Google's {family} code")
        array = np.asarray(array, dtype=np.float32)
        arrays[google_name] = np.ascontiguousarray(array.T) if tf1_names.is_transposed(google_name) else array
    prefix = folder / _PREFIXES[family]
    try:
        tf.raw_ops.SaveV2(
            prefix=str(prefix),
            tensor_names=list(arrays),
            shape_and_slices=[""] * len(arrays),
            tensors=list(arrays.values()),
        )
    except tf.errors.OpError as error:
        # As every other file that cannot be written: a full disk, a folder without permission.
        raise OSError(f"{prefix} cannot be written: {str(error).splitlines()[0]}") from error
    # TensorFlow finds the latest checkpoint of a folder by this file, as ELECTRA's fine-tuning asks it to.
    (folder / "checkpoint").write_text(f'model_checkpoint_path: "{prefix.name}"\n', encoding="utf-8")
    text = json.dumps(values, indent=2, sort_keys=True) + "\n"
    (folder / tf1_config.CONFIG_FILES[family]).write_text(text, encoding="utf-8")
    return prefix


def _full(name: str, family: str) -> str:
    inside = name.startswith(("embeddings.", "embeddings_project.", "encoder.", "pooler."))
    return f"{family}.{name}" if inside else name


def _table(names: Mapping[str, np.ndarray], family: str) -> tf1_names.Table:
    if family != "electra":
        return tf1_names.albert() if family == "albert" else tf1_names.bert()
    generator = any(name.startswith(("generator_predictions.", "generator_lm_head.")) for name in names)
    return tf1_names.electra_generator() if generator else tf1_names.electra_discriminator()


def _check_tied(tensors: Mapping[str, np.ndarray], name: str, other: str) -> None:
    if other not in tensors or not np.array_equal(tensors[name], tensors[other]):
        raise InputError(f"{name} differs from {other}: Google's TensorFlow 1 code has one tensor for both")
