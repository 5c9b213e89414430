"""Reads Google's TensorFlow 1 checkpoints of BERT, ALBERT and ELECTRA, under the names of Hugging Face's folders."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.weights import tf1_config, tf1_names
from bert_keras.weights.json_file import read_json
from bert_keras.weights.tensor_file import TensorFile

PARTS = ("discriminator", "generator")

# What a training checkpoint holds beside the weights.
_OPTIMIZER = (
    r"(.*/)?(adam|lamb)_[mv]|.*/(Adam|AdamWeightDecayOptimizer|LAMBOptimizer)(_1)?"
    r"|global_step|beta[12]_power|loss_scale|bad_steps|good_steps"
)
_NOT_READ: dict[str, dict[str, str]] = {
    "bert": {},
    "albert": {
        r"(start_logits|end_logits|answer_class)/.*": "a head of Google's SQuAD 2.0 that Hugging Face has not",
    },
    # One dense layer under a task's name is a classifier of texts or of tokens.
    "electra": {r"task_specific/.*": "a fine-tuned head of Google's code, whose kind the file does not tell"},
}

# TensorFlow turns the reader's errors into one or the other.
_UNREADABLE = (tf.errors.OpError, IndexError, RuntimeError, ValueError)


class Tf1Checkpoint(TensorFile):
    """The weights of a TensorFlow 1 checkpoint by Hugging Face's names, float32, matrices as `[out, in]`.

    Names that no table has are given as they are in the file. TF-Hub's prefix `module/` is left out.

    Args:
        prefix: the checkpoint's path without `.index`, such as `folder/bert_model.ckpt`.
        part: of an ELECTRA, `discriminator` or `generator`; without it the discriminator if the file holds it.

    Attributes:
        family: `bert`, `albert` or `electra`.
        part: the part of an ELECTRA that is read; None for the others.
        skipped: name of each tensor that is not read -> the reason: the optimizer's, the other part's.

    Raises:
        InputError: a file of the checkpoint is missing or damaged, another code wrote it, or it lacks the part.
    """

    def __init__(self, prefix: Path, part: str | None = None):
        self._prefix = prefix
        try:
            self._reader = tf.train.load_checkpoint(str(prefix))
            self._shapes = dict(self._reader.get_variable_to_shape_map())
        except _UNREADABLE as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{prefix}: not a readable TensorFlow checkpoint ({reason})") from error
        if any("/.ATTRIBUTES/" in name for name in self._shapes):
            raise InputError(f"{prefix} is a checkpoint of TensorFlow 2; Google's of TensorFlow 1 can be read")
        originals = {name.removeprefix("module/"): name for name in sorted(self._shapes)}
        self.family = tf1_names.family_of(originals)
        self.part = _part(originals, part, self.family, prefix)
        table, others = _tables(originals, self.family, self.part)
        reasons = {_OPTIMIZER: "the optimizer's", **_NOT_READ[self.family]}
        self._held: dict[str, str] = {}
        self.skipped: dict[str, str] = {}
        for name, original in originals.items():
            translated = tf1_names.translated(name, table)
            reason = next((reason for pattern, reason in reasons.items() if re.fullmatch(pattern, name)), "")
            if translated is None and name.startswith(others):
                reason = reason or f"of the {'generator' if self.part == 'discriminator' else 'discriminator'}"
            if reason:
                self.skipped[original] = reason
            else:
                self._held[translated or name] = original

    def __getitem__(self, name: str) -> np.ndarray:
        original = self._held[name]
        try:
            tensor = self._reader.get_tensor(original)
        except _UNREADABLE as error:
            raise InputError(
                f"{self._prefix}: the tensor {original} cannot be read: a data file is missing or truncated; "
                f"copy it again"
            ) from error
        tensor = np.asarray(tensor, dtype=np.float32)
        return tensor.T if tf1_names.is_transposed(original) else tensor

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor as it is given out, without reading it."""
        original = self._held[name]
        shape = tuple(self._shapes[original])
        return shape[::-1] if tf1_names.is_transposed(original) else shape


def config_values(prefix: Path, part: str | None = None) -> dict[str, Any]:
    """The config of a checkpoint in Hugging Face's names: from the file beside it, an ELECTRA's sizes from its tensors.

    `hidden_act` is what Google's code computed: its `gelu` is Hugging Face's `gelu_new` in BERT and ALBERT, `gelu` in
    ELECTRA.

    Args:
        prefix: the checkpoint's path without `.index`.
        part: of an ELECTRA, as for `Tf1Checkpoint`.

    Raises:
        InputError: as for `Tf1Checkpoint`; or the config file is missing or damaged.
    """
    checkpoint = Tf1Checkpoint(prefix, part)
    file = prefix.parent / tf1_config.CONFIG_FILES[checkpoint.family]
    if checkpoint.family != "electra":
        if not file.is_file():
            raise InputError(f"{prefix}: {file.name} is missing beside the checkpoint")
        return tf1_config.from_google(read_json(file), checkpoint.family)
    values = tf1_config.from_google(read_json(file) if file.is_file() else {}, "electra")
    blocks = {
        match[1] for match in (re.match(r"electra\.encoder\.layer\.(\d+)\.", name) for name in checkpoint) if match
    }
    sizes = tf1_config.electra_sizes(checkpoint.shape, len(blocks), str(prefix))
    # The file, if there is one, is of the discriminator; its heads are the generator's where the widths are equal.
    if values.get("hidden_size") == sizes["hidden_size"]:
        sizes |= {"num_attention_heads": values.get("num_attention_heads", sizes["num_attention_heads"])}
    elif file.is_file() and checkpoint.part == "discriminator":
        raise InputError(
            f"{file}: hidden_size is {values.get('hidden_size')!r}; the checkpoint's is {sizes['hidden_size']}"
        )
    return {**values, **sizes}


def _part(names: Iterable[str], part: str | None, family: str, prefix: Path) -> str | None:
    if family != "electra":
        if part is not None:
            raise InputError(f"{prefix}: only an ELECTRA has parts; this is the checkpoint of {family}")
        return None
    if part not in (None, *PARTS):
        raise InputError(f"part is {part!r}; known are {', '.join(PARTS)}")
    scopes = {
        name.split("/", 1)[0] for name in names if "/encoder/" in name or name.startswith("generator_predictions/")
    }
    has = {"discriminator": "electra" in scopes, "generator": bool(scopes & {"generator", "generator_predictions"})}
    part = part or ("discriminator" if has["discriminator"] else "generator")
    if not has[part]:
        raise InputError(f"{prefix} does not hold an ELECTRA's {part}")
    return part


def _tables(names: Mapping[str, str], family: str, part: str | None) -> tuple[tf1_names.Table, tuple[str, ...]]:
    """The table of a checkpoint, and how the names of the other part of an ELECTRA begin."""
    if family != "electra":
        return (tf1_names.albert() if family == "albert" else tf1_names.bert()), ()
    if part == "discriminator":
        return tf1_names.electra_discriminator(), ("generator/", "generator_predictions/")
    scope = "generator" if any(name.startswith("generator/encoder/") for name in names) else "electra"
    embeddings = "generator" if "generator/embeddings/word_embeddings" in names else "electra"
    return tf1_names.electra_generator(scope, embeddings), ("electra/", "discriminator_predictions/")
