"""Activations by their names in config.json."""

from collections.abc import Callable

from keras import ops

_ACTIVATIONS: dict[str, Callable] = {
    "gelu": lambda x: ops.gelu(x, approximate=False),
    "gelu_new": lambda x: ops.gelu(x, approximate=True),
    "gelu_pytorch_tanh": lambda x: ops.gelu(x, approximate=True),
    "relu": ops.relu,
    "silu": ops.silu,
    "swish": ops.silu,
    "tanh": ops.tanh,
}


def activation(name: str) -> Callable:
    """The function of a `hidden_act`: `gelu` is x·Φ(x) with erf, `gelu_new` its tanh form (Hendrycks, Gimpel 2016).

    Args:
        name: a value of `bert_keras.config.ACTIVATIONS`.
    """
    return _ACTIVATIONS[name]
