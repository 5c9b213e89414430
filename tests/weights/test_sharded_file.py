"""Checkpoints in several files: what the index says must be there, and nothing outside of its folder is read."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file
from torch_opcodes import archive, array, dictionary

import bert_keras as bk
from bert_keras.weights.sharded_file import ShardedFile

WEIGHTS = {"a": np.arange(4, dtype="<f4"), "b": np.arange(6, dtype="<f4").reshape(2, 3)}


def index(folder, weight_map, name="model.safetensors.index.json"):
    (folder / name).write_text(json.dumps({"metadata": {"total_size": 40}, "weight_map": weight_map}))
    return folder / name


@pytest.fixture
def safetensors(tmp_path):
    for name, value in WEIGHTS.items():
        save_file({name: value}, tmp_path / f"{name}.safetensors")
    return index(tmp_path, {name: f"{name}.safetensors" for name in WEIGHTS})


@pytest.fixture
def torch(tmp_path):
    for name, value in WEIGHTS.items():
        archive(tmp_path / f"{name}.bin", dictionary({name: array(value, "0")}), {"0": value.tobytes()})
    return index(tmp_path, {name: f"{name}.bin" for name in WEIGHTS}, "pytorch_model.bin.index.json")


@pytest.mark.parametrize("kind", ["safetensors", "torch"])
def test_tensors_of_all_shards(kind, request):
    file = ShardedFile(request.getfixturevalue(kind))

    assert sorted(file) == ["a", "b"]
    assert file.shape("b") == (2, 3)
    for name, value in WEIGHTS.items():
        np.testing.assert_array_equal(file[name], value)


@pytest.mark.parametrize("shard", ["../a.safetensors", "/a.safetensors", "sub\\a.safetensors", "c:a", "..", "", "a\0"])
def test_shard_outside_of_the_folder_is_refused(safetensors, shard):
    path = index(safetensors.parent, {"a": shard})

    with pytest.raises(bk.InputError, match=r"names the shard .*: it must be the name of a file beside the index$"):
        ShardedFile(path)


def test_missing_shard_is_named(safetensors):
    (safetensors.parent / "b.safetensors").unlink()

    with pytest.raises(bk.InputError, match=r"b\.safetensors is missing: model\.safetensors\.index\.json says"):
        ShardedFile(safetensors)


def test_tensor_that_its_shard_lacks_is_named(safetensors):
    path = index(safetensors.parent, {"a": "a.safetensors", "c": "b.safetensors"})

    with pytest.raises(
        bk.InputError, match=r"the tensor c is not in b\.safetensors: the files are of different models"
    ):
        ShardedFile(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON: "),
        ("[]", "holds no JSON object"),
        ('{"weight_map": ["a"]}', "has no weight_map"),
        ('{"weight_map": {"a": 1}}', "has no weight_map"),
        ("[" * 10**5, "is not JSON: "),
    ],
)
def test_index_of_another_form_is_refused(tmp_path, content, message):
    (tmp_path / "x.index.json").write_text(content)

    with pytest.raises(bk.InputError, match=rf"x\.index\.json {message}"):
        ShardedFile(tmp_path / "x.index.json")
