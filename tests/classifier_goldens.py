"""Golden classifiers of transformers with another `problem_type`: the same logits, other losses and answers."""

import json
from pathlib import Path

from safetensors.numpy import load_file, save_file
from tiny import GOLDEN

# Families whose heads differ: dense, dense behind a dense layer of its own, no pooler, a pooler of its own.
GOLDENS = ["bert", "roberta", "distilbert", "deberta-v2"]
_LAST = ("classifier.weight", "classifier.bias", "classifier.out_proj.weight", "classifier.out_proj.bias")


def adapted(family: str, folder: Path, numbers: int | None = None, **keys) -> dict:
    """Write the family's golden classifier with some keys of its config changed.

    Args:
        family: one of `GOLDENS`.
        folder: where to.
        numbers: keep the first outputs of the head alone, so many.
        **keys: of config.json.

    Returns:
        `inputs`, and transformers' `logits`.
    """
    source = GOLDEN / "families" / family / "text-classification"
    folder.mkdir()
    for file in source.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    tensors, expected = load_file(source / "model.safetensors"), load_file(source / "expected.safetensors")
    if numbers is not None:
        kept = {name: tensors[name][:numbers].copy() for name in _LAST if name in tensors}
        save_file({**tensors, **kept}, folder / "model.safetensors", metadata={"format": "pt"})
        config |= {name: dict(list(config[name].items())[:numbers]) for name in ("id2label", "label2id")}
    (folder / "config.json").write_text(json.dumps({**config, **keys}), encoding="utf-8")
    names = ("token_ids", "segment_ids", "padding_mask")
    inputs = {name: expected[name].astype("int32") for name in names if name in expected}
    return {"inputs": inputs, "logits": expected["logits"][:, :numbers]}
