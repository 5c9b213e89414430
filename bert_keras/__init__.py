"""BERT and its family as Keras layers and functional models, from raw text to a phone."""

import importlib
import sys
import types
from typing import Any

__version__ = "0.1.0"

# Public name -> where it lives. Loaded at first use, so that `import bert_keras` does not pay for TensorFlow.
_PUBLIC = {
    "EncoderConfig": "bert_keras.config",
    "InputError": "bert_keras.errors",
    "Tokenizer": "bert_keras.text",
    "config": "bert_keras.families",
    "encoder": "bert_keras.encoder",
    "load": "bert_keras.pretrained",
    "predictor": "bert_keras.export",
    "save": "bert_keras.pretrained",
}
_MODULES = ("data", "explain", "export", "layers", "metrics", "search", "tasks", "text", "training")

__all__ = sorted([*_PUBLIC, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"bert_keras.{name}")
    raise AttributeError(f"module 'bert_keras' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


class _Package(types.ModuleType):
    """Keeps `bk.config` and `bk.encoder` the functions: importing the files of those names would hide them."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _PUBLIC and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
