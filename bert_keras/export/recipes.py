"""Named ways to store the weights of an exported file, measured on a fine-tuned MiniLM (6 x 384)."""

import dataclasses
from collections.abc import Callable

from bert_keras.errors import InputError


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How to store the weights, and how near to the float model the file must answer to be accepted.

    Args:
        summary: one line for help texts.
        rules: makes ai-edge-quantizer's recipe; None leaves float32.
        agreement: the least share of examples on which the file must answer as the model does.
        difference: the largest mean of |file - model| / |model| over the examples' outputs.
    """

    summary: str
    rules: Callable[[], list[dict]] | None
    agreement: float
    difference: float


def _float16() -> list[dict]:
    """Weights rounded to float16; they are widened again while the file is loaded."""
    return [_rule(operation, "float_casting", 16, "FLOAT", "TENSORWISE") for operation in _OPERATIONS]


def _int8() -> list[dict]:
    """Weights int8 with a scale per row, activations quantized at run time with a scale per token."""
    return [_rule(operation, "min_max_uniform_quantize", 8, "INT", "CHANNELWISE") for operation in _OPERATIONS]


# Products and tables hold all but a thousandth of the weights; what is left (LayerNorm, biases) stays float32.
_OPERATIONS = ("FULLY_CONNECTED", "EMBEDDING_LOOKUP")


def _int8_weights() -> list[dict]:
    """The same weights, widened to float32 before each product: what runs of int8 products know no scale per row."""
    rules = _int8()
    for rule in rules:
        rule["op_config"] |= {"compute_precision": "FLOAT", "explicit_dequantize": True}
    return rules


def _rule(operation: str, algorithm: str, bits: int, kind: str, granularity: str) -> dict:
    integer = kind == "INT"
    return {
        "regex": ".*",
        "operation": operation,
        "algorithm_key": algorithm,
        "op_config": {
            "weight_tensor_config": {
                "num_bits": bits,
                "symmetric": True,
                "granularity": granularity,
                "dtype": kind,
            },
            "compute_precision": "INTEGER" if integer else "FLOAT",
            "explicit_dequantize": not integer,
            "skip_checks": False,
            "min_weight_elements": 0,
        },
    }


RECIPES = {
    "float32": Recipe("weights as trained: 100 % of the size, equal answers", None, 0.99, 1e-4),
    "float16": Recipe("weights in half precision: 50 % of the size, equal answers", _float16, 0.99, 1e-2),
    "int8": Recipe("weights int8 per channel: 26 % of the size, 3 times the speed, 98-99 % equal", _int8, 0.95, 0.25),
    "int8-weights": Recipe(
        "weights int8 per channel, computed in float32: 26 % of the size, for the Task Library",
        _int8_weights,
        0.95,
        0.1,
    ),
}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name.

    Args:
        name: a key of `RECIPES`.

    Raises:
        InputError: there is none; the message lists them.
    """
    if name not in RECIPES:
        raise InputError(f"no recipe is named {name!r}; known are {', '.join(RECIPES)}")
    return RECIPES[name]
