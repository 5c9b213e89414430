"""Search by meaning: texts and their vectors in a folder, the nearest to a query found by cosine."""

import importlib
from typing import Any

# Public name -> where it lives. Loaded at first use: faiss and SQLite are for those who search.
_PUBLIC = {
    "Added": "bert_keras.search.index",
    "Documents": "bert_keras.search.sources",
    "Embedder": "bert_keras.search.embedder",
    "Index": "bert_keras.search.index",
    "documents": "bert_keras.search.sources",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'bert_keras.search' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
