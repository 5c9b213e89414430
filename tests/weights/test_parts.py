"""Variables that are parts of one tensor of a checkpoint."""

import keras
import numpy as np
import pytest

from bert_keras.errors import InputError
from bert_keras.weights import apply, collect
from bert_keras.weights.table import Part, Row

# Two heads of width 2 over 3 inputs: rows q q k k v v of the first head, then those of the second.
FUSED = np.arange(36, dtype="float32").reshape(12, 3)
ROWS = [
    Row("in_proj.weight", f"{name}/kernel", transposed=True, part=Part(index, 3, 2))
    for index, name in enumerate(("query", "key", "value"))
]


def make():
    x = keras.Input((3,))
    return keras.Model(x, [keras.layers.Dense(4, use_bias=False, name=name)(x) for name in ("query", "key", "value")])


def test_rows_of_a_head_are_split_and_joined():
    model = make()

    report = apply(model, {"file.in_proj": FUSED}, {"in_proj.weight": "file.in_proj"}, ROWS, "file")

    found = {variable.path: variable.numpy() for variable in model.weights}
    np.testing.assert_array_equal(found["query/kernel"].T, FUSED[[0, 1, 6, 7]])
    np.testing.assert_array_equal(found["key/kernel"].T, FUSED[[2, 3, 8, 9]])
    np.testing.assert_array_equal(found["value/kernel"].T, FUSED[[4, 5, 10, 11]])
    assert report.read == {"file.in_proj": "query/kernel, key/kernel, value/kernel"}
    assert report.transposed == ["file.in_proj"]
    np.testing.assert_array_equal(collect(model, ROWS)["in_proj.weight"], FUSED)


def test_wrong_shape_of_the_whole_tensor_is_named():
    with pytest.raises(InputError, match=r"in_proj.weight has the shape \(9, 3\); config.json asks for \(12, 3\)"):
        apply(make(), {"in_proj.weight": FUSED[:9]}, {"in_proj.weight": "in_proj.weight"}, ROWS, "file")
