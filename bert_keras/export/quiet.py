"""TensorFlow's notes on where it wrote, kept from users whose files have a temporary name at that time."""

import contextlib
import logging
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def quiet_tensorflow() -> Iterator[None]:
    """Without TensorFlow's informational log; in a notebook it goes to the output of the cell, twice."""
    import tensorflow as tf

    logger: Any = tf.get_logger()
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
