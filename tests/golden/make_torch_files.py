"""Makes the small torch files of tests/golden/torch_files: the same object in both layouts, and what is in it.

    python tests/golden/make_torch_files.py          # needs the extra `bench`: torch

`expected.safetensors` holds the tensors of the files as float32, as torch gives them.
"""

import argparse
from pathlib import Path
from unittest import mock

import torch
from safetensors.numpy import save_file

FOLDER = Path(__file__).resolve().parent / "torch_files"


def tensors() -> dict[str, torch.Tensor]:
    """Every type, and views of every kind."""
    weight = torch.arange(12, dtype=torch.float32).reshape(3, 4) / 8 - 0.5
    parameter = torch.nn.Parameter(torch.tensor([0.1, -0.2]))
    labelled = torch.nn.Parameter(torch.tensor([7.0, 9.0]))
    labelled.purpose = "an attribute of its own"
    return {
        "float32": weight,
        "transposed": weight.t(),
        "row of the same storage": weight[1],
        "every second": weight[1:, ::2],
        "float16": torch.tensor([[0.1, -2.0, 65504.0]], dtype=torch.float16),
        "bfloat16": torch.tensor([[0.1, -2.0], [3e38, float("inf")]], dtype=torch.bfloat16).t(),
        "float64": torch.tensor([0.1, 1e-30], dtype=torch.float64),
        "int64": torch.arange(5).expand((1, -1)),
        "int32": torch.tensor([-(2**20), 3], dtype=torch.int32),
        "int16": torch.tensor([-300], dtype=torch.int16),
        "int8": torch.tensor([-128, 127], dtype=torch.int8),
        "uint8": torch.tensor([255], dtype=torch.uint8),
        "bool": torch.tensor([True, False]),
        "scalar": torch.tensor(2.5),
        "bfloat16 scalar": torch.tensor(2.5, dtype=torch.bfloat16),
        "empty": torch.zeros((0, 3)),
        "repeated": torch.tensor([1.5]).expand(3),
        "parameter": parameter,
        "parameter with attributes": labelled,
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    found = tensors()
    save_file(
        {name: tensor.detach().float().contiguous().numpy() for name, tensor in found.items()},
        FOLDER / "expected.safetensors",
    )
    contents = {"model": found, "args": argparse.Namespace(layers=2, name="tiny"), "epochs": {1, 2}}
    torch.save(contents, FOLDER / "zip.pt")
    # The machine that makes the files need not have a GPU.
    with mock.patch.object(torch.serialization, "location_tag", lambda _: "cuda:0"):
        torch.save(contents, FOLDER / "legacy_cuda.pt", _use_new_zipfile_serialization=False)
    # A type that torch has no kind of storage for is written in another way, which the old layout lacks.
    torch.save({"uint16": torch.tensor([1, 65535, 3], dtype=torch.uint16)[1:]}, FOLDER / "zip_uint16.pt")


if __name__ == "__main__":
    main()
