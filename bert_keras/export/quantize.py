"""Stores a float32 file's weights by a recipe, with ai-edge-quantizer."""

import contextlib
import io
from pathlib import Path
from typing import Any

from bert_keras.export import model_file
from bert_keras.export.recipes import Recipe


def quantized(float_file: Path, recipe: Recipe) -> Any:
    """The model of a float32 file with its weights stored by the recipe, as a flatbuffer tree.

    Args:
        float_file: a .tflite file with float32 weights.
        recipe: one of `bert_keras.export.RECIPES`.
    """
    if recipe.rules is None:
        return model_file.unpack(float_file.read_bytes())
    from ai_edge_quantizer.quantizer import Quantizer

    quantizer = Quantizer(str(float_file), recipe.rules())
    # Version 0.10 draws one of its two progress bars in spite of the argument.
    with contextlib.redirect_stderr(io.StringIO()):
        result = quantizer.quantize(enable_progress_bar=False, enable_progress_report=False)
    return model_file.unpack(result.quantized_model)
