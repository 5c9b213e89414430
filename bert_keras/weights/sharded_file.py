"""Reads a checkpoint that is split into several files, by the index beside them.

Source of the index: huggingface/huggingface_hub `serialization/_base.py`.
"""

from pathlib import Path

import numpy as np

from bert_keras.errors import InputError
from bert_keras.weights.json_file import read_json
from bert_keras.weights.safetensors_file import SafetensorsFile
from bert_keras.weights.tensor_file import TensorFile
from bert_keras.weights.torch_file import TorchFile


class ShardedFile(TensorFile):
    """The tensors of all shards by name; each is read when asked for, as float32.

    Args:
        path: `model.safetensors.index.json` or `pytorch_model.bin.index.json`.

    Raises:
        InputError: the index is no JSON of that form or names a file outside of its folder; a shard is missing,
            damaged or lacks a tensor that the index says it has.
    """

    def __init__(self, path: Path):
        weight_map = _weight_map(path)
        shards = {shard: _open(path, shard) for shard in sorted(set(weight_map.values()))}
        for name, shard in weight_map.items():
            if name not in shards[shard]:
                raise InputError(f"{path}: the tensor {name} is not in {shard}: the files are of different models")
        self._held = {name: shards[shard] for name, shard in weight_map.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._held[name][name]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor, without reading it."""
        return self._held[name].shape(name)


def _weight_map(path: Path) -> dict[str, str]:
    weight_map = read_json(path).get("weight_map")
    if not isinstance(weight_map, dict) or not all(isinstance(shard, str) for shard in weight_map.values()):
        raise InputError(f"{path} has no weight_map from the tensors' names to the names of files")
    return weight_map


def _open(path: Path, shard: str) -> SafetensorsFile | TorchFile:
    if any(part in shard for part in ("/", "\\", ":", "\0")) or shard in ("", ".", ".."):
        raise InputError(f"{path} names the shard {shard!r}: it must be the name of a file beside the index")
    file = path.parent / shard
    if not file.is_file():
        raise InputError(f"{file} is missing: {path.name} says that it holds a part of the weights")
    return SafetensorsFile(file) if shard.endswith(".safetensors") else TorchFile(file)
