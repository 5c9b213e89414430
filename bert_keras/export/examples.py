"""The texts that an exported file is checked on. B batch, C choices, L length."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bert_keras import answers, data
from bert_keras.errors import InputError
from bert_keras.export.check import Example
from bert_keras.tasks import TASKS, answer_of, labels_of, task_of
from bert_keras.text import Tokenizer
from bert_keras.text.rows import Row, text_rows

# The kind of answers that is right or wrong for a row as a whole.
_ONE_LABEL = "label"


def examples(source: Any, model: Any, tokenizer: Tokenizer, max_length: int) -> list[Example]:
    """Read the user's texts as the rows that the model reads, each at its own length.

    Args:
        source: a file or TFDS name as the reader of the task's examples takes it, what that reader returned, a list of
            texts, or a dataset of `bert_keras.data.read`.
        model: the Keras model; where it gives one label a text and the source has them, the examples have them too.
        tokenizer: the model's.
        max_length: what is longer is cut, or read in windows where the kind of answer has them.

    Raises:
        InputError: the source cannot be read or is empty.
    """
    if hasattr(source, "element_spec"):
        found = list(_from_dataset(source, _gives_one_label(model)))
    elif isinstance(source, str | os.PathLike):
        found = _from_examples(_opened(source, task_of(model)), model, tokenizer, max_length)
    elif hasattr(source, "texts"):
        found = _from_examples(source, model, tokenizer, max_length)
    else:
        found = _from_rows(_in_chunks(_plain_rows(tokenizer, max_length), list(source), None))
    if not found:
        raise InputError("the check has no texts: give a file, a list of texts, or a dataset of bert_keras.data.read")
    return found


def _opened(source: str | os.PathLike, task: str) -> Any:
    return data.kind_of(task).load(source) if TASKS[task].examples else data.table(source)


def _from_examples(given: Any, model: Any, tokenizer: Tokenizer, max_length: int) -> list[Example]:
    task = TASKS[task_of(model)]
    texts, pairs = given.texts, given.pairs
    if task.answer == "embedding" and pairs is not None:
        # Texts that are compared are read one by one.
        texts, pairs = [*texts, *pairs], None
    rows = _in_chunks(_rows_of(model, tokenizer, max_length), texts, pairs)
    return _from_rows(rows, _labels(given, rows, model))


def _labels(given: Any, rows: Sequence[Row], model: Any) -> list[int] | None:
    known = labels_of(model)
    if not _gives_one_label(model) or known is None or given.labels is None:
        return None
    if len(rows) > len(given):
        return None  # in windows: no row has a label of its own
    return data.targets(given, known).tolist()


def _gives_one_label(model: Any) -> bool:
    return TASKS[task_of(model)].answer == _ONE_LABEL


def _rows_of(model: Any, tokenizer: Tokenizer, max_length: int) -> Any:
    """What makes rows of texts and pairs, as predictors do."""
    settings = answer_of(model)
    if settings is None:
        return _plain_rows(tokenizer, max_length)
    kind = answers.KINDS[settings.pop("kind")]
    answer = kind(tokenizer, {**settings, "labels": labels_of(model), "max_length": max_length})
    return lambda texts, pairs: answer.rows(*answer.check(texts, pairs))


def _plain_rows(tokenizer: Tokenizer, max_length: int) -> Any:
    return lambda texts, pairs: text_rows(tokenizer, texts, pairs, max_length)


def _in_chunks(rows_of: Any, texts: Sequence[Any], pairs: Sequence[Any] | None) -> list[Row]:
    rows: list[Row] = []
    for start in range(0, len(texts), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        rows += rows_of(texts[chunk], None if pairs is None else pairs[chunk])
    return rows


_CHUNK = 1024  # texts that are padded to one length together


def _from_rows(rows: Sequence[Row], labels: Sequence[int] | None = None) -> list[Example]:
    return [
        Example(row.token_ids, row.segment_ids, None if labels is None else labels[place])
        for place, row in enumerate(rows)
    ]


def _from_dataset(dataset: Any, one_label: bool) -> Iterable[Example]:
    for inputs, labels, *_ in dataset.as_numpy_iterator():
        # Choices are rows of their own; one that only fills up has no tokens.
        rows = {name: values.reshape(-1, values.shape[-1]) for name, values in inputs.items()}
        segments = rows.get("segment_ids", np.zeros_like(rows["token_ids"]))
        for row, length in enumerate(rows["padding_mask"].sum(axis=1)):
            if length:
                yield Example(
                    rows["token_ids"][row, :length],
                    segments[row, :length],
                    int(labels[row]) if one_label else None,
                )
