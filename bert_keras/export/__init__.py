"""Models as files for phones (LiteRT) and servers (SavedModel), checked before they are kept, and what runs them."""

import importlib
from typing import Any

# Public name -> where it lives (no module bears the name of a function: it would hide it).
# Loaded at first use: running a .tflite file must not pay for TensorFlow.
_PUBLIC = {
    "ModelPredictor": "bert_keras.export.keras_predictor",
    "Predictor": "bert_keras.export.base_predictor",
    "RECIPES": "bert_keras.export.recipes",
    "Report": "bert_keras.export.tflite_file",
    "TfliteRunner": "bert_keras.export.tflite_runner",
    "predictor": "bert_keras.export.open_model",
    "saved_model": "bert_keras.export.saved_model_folder",
    "tflite": "bert_keras.export.tflite_file",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'bert_keras.export' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
