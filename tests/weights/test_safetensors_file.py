"""Reading safetensors: types that NumPy lacks, and files that are no safetensors."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

import bert_keras as bk
from bert_keras.weights.safetensors_file import SafetensorsFile


def write(path, tensors):
    """A file of (name, type, shape, bytes), written by the format's own description."""
    header, offset = {}, 0
    for name, dtype, shape, data in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    encoded = json.dumps(header).encode()
    path.write_bytes(len(encoded).to_bytes(8, "little") + encoded + b"".join(data for *_, data in tensors))


def test_bfloat16_is_the_upper_half_of_a_float32(tmp_path):
    bits = np.array([[0x3F80, 0xC000], [0x3DCD, 0x7F80]], "<u2")
    write(tmp_path / "x", [("before", "U8", [3], b"abc"), ("x", "BF16", [2, 2], bits.tobytes())])

    found = SafetensorsFile(tmp_path / "x")["x"]

    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [[1.0, -2.0], [0.10009766, np.inf]], rtol=1e-7)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_other_types_become_float32(tmp_path, dtype):
    save_file({"x": np.array([0.5, -2.0], dtype)}, tmp_path / "x")

    found = SafetensorsFile(tmp_path / "x")["x"]

    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.array([0.5, -2.0], "float32"))


def test_names_can_be_listed_without_reading_a_tensor(tmp_path):
    save_file({"b": np.zeros(1), "a": np.zeros(1)}, tmp_path / "x")

    assert sorted(SafetensorsFile(tmp_path / "x")) == ["a", "b"]
    assert len(SafetensorsFile(tmp_path / "x")) == 2


@pytest.mark.parametrize("keep", [0, 5, 60, -1])
def test_truncated_file_is_refused(tmp_path, keep):
    save_file({"x": np.arange(100.0)}, tmp_path / "x")
    (tmp_path / "x").write_bytes((tmp_path / "x").read_bytes()[:keep])

    with pytest.raises(bk.InputError, match=r"x cannot be read as safetensors .* truncated or damaged; copy it again"):
        SafetensorsFile(tmp_path / "x")


def test_unknown_name_is_not_in_the_file(tmp_path):
    save_file({"x": np.zeros(1)}, tmp_path / "x")

    assert "x" in SafetensorsFile(tmp_path / "x")
    assert "y" not in SafetensorsFile(tmp_path / "x")


def test_type_that_is_not_read_is_named(tmp_path):
    write(tmp_path / "x", [("x", "F8_E4M3", [2], b"ab")])

    with pytest.raises(bk.InputError, match=r"x: the tensor x is of the type F8_E4M3, which is not read"):
        SafetensorsFile(tmp_path / "x")["x"]


def test_scalars_and_empty_tensors_keep_their_shapes(tmp_path):
    save_file({"scalar": np.array(2.5, "float32"), "empty": np.zeros((0, 3), "float16")}, tmp_path / "x")

    file = SafetensorsFile(tmp_path / "x")

    assert (file["scalar"].shape, float(file["scalar"])) == ((), 2.5)
    assert file["empty"].shape == file.shape("empty") == (0, 3)
