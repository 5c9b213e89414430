"""The texts that an exported file is checked on. L length."""

import dataclasses
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bert_keras import data
from bert_keras.errors import InputError
from bert_keras.export.check import Example
from bert_keras.tasks import labels_of, task_of
from bert_keras.text import Tokenizer


def examples(source: Any, model: Any, tokenizer: Tokenizer, max_length: int) -> list[Example]:
    """Read the user's texts as ids, each at its own length.

    Args:
        source: a file or TFDS name, the `Rows` of `bert_keras.data.table`, a list of texts, or a dataset of
            `bert_keras.data.read`.
        model: the Keras model; where it has labels and the file too, the examples have them.
        tokenizer: the model's.
        max_length: what is longer is cut.

    Raises:
        InputError: the source cannot be read or is empty.
    """
    if hasattr(source, "element_spec"):
        found = list(_from_dataset(source))
    elif isinstance(source, str | os.PathLike | data.Rows):
        rows = source if isinstance(source, data.Rows) else data.table(source)
        found = _from_rows(rows, model, tokenizer, max_length)
    else:
        found = _from_texts(list(source), None, tokenizer, max_length)
    if not found:
        raise InputError("the check has no texts: give a file, a list of texts, or a dataset of bert_keras.data.read")
    return found


def _from_rows(rows: data.Rows, model: Any, tokenizer: Tokenizer, max_length: int) -> list[Example]:
    found = _from_texts(rows.texts, rows.pairs, tokenizer, max_length)
    # A label is one of a text here: tokens have one each.
    known = labels_of(model) if task_of(model) == "text-classification" else None
    if rows.labels is None or known is None:
        return found
    indices = data.targets(rows, known)
    return [dataclasses.replace(example, label=int(i)) for example, i in zip(found, indices, strict=True)]


def _from_texts(
    texts: Sequence[str], pairs: Sequence[str] | None, tokenizer: Tokenizer, max_length: int
) -> list[Example]:
    found: list[Example] = []
    for start in range(0, len(texts), _CHUNK):
        rows = slice(start, start + _CHUNK)
        found += _rows(tokenizer(texts[rows], None if pairs is None else pairs[rows], max_length=max_length))
    return found


_CHUNK = 1024  # texts that are padded to one length together


def _from_dataset(dataset: Any) -> Iterable[Example]:
    for inputs, labels in dataset.as_numpy_iterator():
        yield from _rows(inputs, labels)


def _rows(inputs: dict[str, np.ndarray], labels: np.ndarray | None = None) -> list[Example]:
    return [
        Example(
            token_ids=inputs["token_ids"][row, :length],
            segment_ids=inputs.get("segment_ids", np.zeros_like(inputs["token_ids"]))[row, :length],
            label=None if labels is None else int(labels[row]),
        )
        for row, length in enumerate(inputs["padding_mask"].sum(axis=1))
    ]
