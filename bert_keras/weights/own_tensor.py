"""Copies an array into a tensor without the further copies that TensorFlow makes of NumPy's arrays."""

import numpy as np
import tensorflow as tf

# TensorFlow uses memory as it is where it begins at a multiple of this, and copies other memory.
_ALIGNMENT = 64
# Columns that are transposed at a time, so that what is read and what is written both stay in the processor's cache.
_COLUMNS = 64


def own_tensor(array: np.ndarray) -> tf.Tensor:
    """A float32 tensor with the numbers of an array, in memory of its own.

    Args:
        array: of any shape and strides, such as a transposed view.
    """
    memory = np.empty(array.size * 4 + _ALIGNMENT, np.uint8)
    first = -memory.ctypes.data % _ALIGNMENT
    copy = memory[first : first + array.size * 4].view(np.float32).reshape(array.shape)
    if array.ndim == 2:
        for start in range(0, array.shape[1], _COLUMNS):
            copy[:, start : start + _COLUMNS] = array[:, start : start + _COLUMNS]
    else:
        copy[...] = array
    return tf.experimental.dlpack.from_dlpack(copy.__dlpack__())
