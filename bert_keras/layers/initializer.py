"""The one initializer of every matrix."""

import contextlib
import contextvars
from collections.abc import Iterator
from typing import Any

import keras
import tensorflow as tf

_without_values = contextvars.ContextVar("_without_values", default=False)


@keras.saving.register_keras_serializable(package="bert_keras")
class TruncatedNormal(keras.initializers.TruncatedNormal):
    """Keras' own, which draws no numbers within `without_values`."""

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if _without_values.get():
            # Memory as it was found: it costs no time, and no memory until it is written to.
            return tf.raw_ops.Empty(shape=shape, dtype=dtype or keras.config.floatx(), init=False)
        return super().__call__(shape, dtype, **kwargs)


def truncated_normal(stddev: float) -> keras.initializers.Initializer:
    """Truncated normal of the given standard deviation (google-research/bert `create_initializer`).

    Args:
        stddev: `initializer_range` of the config.
    """
    return TruncatedNormal(stddev=stddev)


@contextlib.contextmanager
def without_values(without: bool = True) -> Iterator[None]:
    """Build layers whose matrices hold no meaningful values, for a checkpoint that sets every one of them.

    Args:
        without: false to give values again to some layers within.
    """
    token = _without_values.set(without)
    try:
        yield
    finally:
        _without_values.reset(token)
