"""Reads Google's TensorFlow 1 checkpoints of BERT, under the names of Hugging Face's folders.

Source of the names: google-research/bert `modeling.py`, `run_pretraining.py`, `run_classifier.py`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import tensorflow as tf

from bert_keras.errors import InputError

# What a training checkpoint holds beside the weights.
_OPTIMIZER = re.compile(
    r"(/(adam|lamb)_[mv]|/Adam(_1)?)$|^(global_step|beta[12]_power|loss_scale|bad_steps|good_steps)$"
)

# TensorFlow turns the reader's errors into one or the other.
_UNREADABLE = (tf.errors.OpError, IndexError, RuntimeError, ValueError)

_RENAMED = {
    "cls/predictions/output_bias": "cls/predictions/bias",
    "cls/seq_relationship/output_weights": "cls/seq_relationship/weight",
    "cls/seq_relationship/output_bias": "cls/seq_relationship/bias",
    "output_weights": "classifier/weight",
    "output_bias": "classifier/bias",
}


class Tf1Checkpoint(Mapping[str, np.ndarray]):
    """The weights of a TensorFlow 1 checkpoint by Hugging Face's names, matrices as `[out, in]`.

    Args:
        prefix: the checkpoint's path without `.index`, such as `folder/bert_model.ckpt`.

    Attributes:
        skipped: names of the optimizer's variables and counters in the file.

    Raises:
        InputError: a file of the checkpoint is missing or damaged.
    """

    def __init__(self, prefix: Path):
        self._prefix = prefix
        try:
            self._reader = tf.train.load_checkpoint(str(prefix))
            names = sorted(self._reader.get_variable_to_shape_map())
        except _UNREADABLE as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{prefix}: not a readable TensorFlow checkpoint ({reason})") from error
        self.skipped = [name for name in names if _OPTIMIZER.search(name)]
        self._names = {_translated(name): name for name in names if name not in set(self.skipped)}

    def __getitem__(self, name: str) -> np.ndarray:
        original = self._names[name]
        try:
            tensor = self._reader.get_tensor(original)
        except _UNREADABLE as error:
            raise InputError(
                f"{self._prefix}: the tensor {original} cannot be read: a data file is missing or truncated; "
                f"copy it again"
            ) from error
        return tensor.T if original.endswith("/kernel") else tensor

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor as it is given out, without reading it."""
        original = self._names[name]
        shape = tuple(self._reader.get_variable_to_shape_map()[original])
        return shape[::-1] if original.endswith("/kernel") else shape

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _translated(name: str) -> str:
    name = _RENAMED.get(name, name)
    name = re.sub(r"/layer_(\d+)/", r"/layer/\1/", name)
    name = re.sub(r"/kernel$", "/weight", name)
    name = re.sub(r"/gamma$", "/weight", re.sub(r"/beta$", "/bias", name))
    name = re.sub(r"(_embeddings)$", r"\1/weight", name)
    return name.replace("/", ".")
