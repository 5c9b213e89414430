"""Files and TFDS names to `tf.data`, and pretraining instances from plain text."""

import importlib
from typing import Any

# Public name -> where it lives (no module bears the name of a function: it would hide it).
# Loaded at first use: reading a table must not pay for TensorFlow.
_PUBLIC = {
    "PretrainingInstances": "bert_keras.data.instances",
    "Questions": "bert_keras.data.questions_on_texts",
    "Rows": "bert_keras.data.rows",
    "Tagged": "bert_keras.data.tagged_sentences",
    "labels": "bert_keras.data.tables",
    "pretraining_dataset": "bert_keras.data.instance_batches",
    "pretraining_instances": "bert_keras.data.instances",
    "questions": "bert_keras.data.questions_on_texts",
    "read": "bert_keras.data.reader",
    "read_documents": "bert_keras.data.documents",
    "split_sentences": "bert_keras.data.sentences",
    "table": "bert_keras.data.tables",
    "tagged": "bert_keras.data.tagged_sentences",
    "targets": "bert_keras.data.label_indices",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'bert_keras.data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
