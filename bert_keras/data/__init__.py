"""Files and TFDS names to examples and `tf.data`, and pretraining instances from plain text."""

import importlib
from typing import Any

# Public name -> where it lives (no module bears the name of a function: it would hide it).
# Loaded at first use: reading a table must not pay for TensorFlow.
_PUBLIC = {
    "Choices": "bert_keras.data.multiple_choices",
    "PretrainingInstances": "bert_keras.data.instances",
    "Questions": "bert_keras.data.questions_on_texts",
    "Rows": "bert_keras.data.rows",
    "Tagged": "bert_keras.data.tagged_sentences",
    "Triplets": "bert_keras.data.triplet_rows",
    "choices": "bert_keras.data.multiple_choices",
    "kind_of": "bert_keras.data.reader",
    "labels": "bert_keras.data.tables",
    "multi_targets": "bert_keras.data.label_indices",
    "number_targets": "bert_keras.data.numbers",
    "pretraining_dataset": "bert_keras.data.instance_batches",
    "pretraining_instances": "bert_keras.data.instances",
    "questions": "bert_keras.data.questions_on_texts",
    "read": "bert_keras.data.reader",
    "read_documents": "bert_keras.data.documents",
    "split_sentences": "bert_keras.data.sentences",
    "table": "bert_keras.data.tables",
    "tagged": "bert_keras.data.tagged_sentences",
    "targets": "bert_keras.data.label_indices",
    "triplets": "bert_keras.data.triplet_rows",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'bert_keras.data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
