"""Texts, or pairs of texts, with a label, several labels or a number each. B batch, L length, N rows, C classes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.data.encode import Encoded, encode
from bert_keras.data.kinds.kind import Kind, Prepared
from bert_keras.data.label_indices import multi_targets, targets
from bert_keras.data.numbers import number_targets
from bert_keras.data.rows import Rows
from bert_keras.data.tables import labels_in, refuse_one_class, table
from bert_keras.errors import InputError
from bert_keras.tasks import TASKS, labels_of, options_of, task_of
from bert_keras.text.rows import text_rows

COLUMNS = ("text", "pair", "label", "label_separator", "data_dir")


def _prepare(rows: Rows, tokenizer: Any, model: Any, max_length: int, values: np.ndarray) -> Prepared:
    """Each text, or each window of it, with the text's value; `values` is `[N]` or `[N, C]`."""
    if options_of(model).get("windows"):
        windows = text_rows(tokenizer, rows.texts, rows.pairs, max_length, windows=True)
        encoded, values, cut = Encoded.of(windows), values[[window.text for window in windows]], 0
    else:
        encoded = encode(tokenizer, rows.texts, rows.pairs, max_length)
        cut = int((encoded.lengths >= max_length).sum())

    def gather(batch: np.ndarray, epoch: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        return encoded.padded(batch, tokenizer.pad_id), values[batch]

    return Prepared(encoded.lengths, gather, tf.TensorSpec([None, *values.shape[1:]], values.dtype, "labels"), cut)


def _prepared_by(values_of: Callable[[Rows, Any], np.ndarray]) -> Callable[[Any, Any, Any, int], Prepared]:
    def prepare(rows: Rows, tokenizer: Any, model: Any, max_length: int) -> Prepared:
        return _prepare(rows, tokenizer, model, max_length, values_of(rows, model))

    return prepare


def _numbers(rows: Rows, model: Any) -> np.ndarray:
    """The number of each row, float32 `[N, 1]`."""
    names = labels_of(model) or []
    if len(names) > 1:
        raise InputError(
            f"{rows.source}: a row holds one number, and the model gives {len(names)} ({', '.join(names)}): fit it on "
            "arrays of your own"
        )
    return number_targets(rows)[:, None]


def _begin_at_mean(rows: Rows, model: Any) -> None:
    """At rates for fine-tuning a bias of 0 would take hundreds of steps to the mean of, for example, stars."""
    model.get_layer(TASKS[task_of(model)].heads[0]).dense.bias.assign(number_targets(rows).mean(keepdims=True))


TEXTS = Kind(
    load=table,
    prepare=_prepared_by(lambda rows, model: targets(rows, labels_of(model))),
    columns=COLUMNS,
    labels=labels_in,
    check=refuse_one_class,
)
MULTI_LABEL = Kind(
    load=table,
    prepare=_prepared_by(lambda rows, model: multi_targets(rows, labels_of(model))),
    columns=COLUMNS,
    labels=labels_in,
)
NUMBERS = Kind(load=table, prepare=_prepared_by(_numbers), columns=COLUMNS, begin=_begin_at_mean)
