"""The largest difference between our numbers and those of transformers, for every family and head.

Both are computed from the same weights: tiny models of every family and head, which tests/golden/ holds with what
transformers made of them, and the real weights of tests/fetch_real.py. torch and transformers are not needed.
"""

import importlib
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import harness
import numpy as np

TESTS = Path(__file__).resolve().parent.parent / "tests"
GOLDEN = TESTS / "golden"
REAL = TESTS.parent / ".cache" / "real"

Row = dict[str, Any]


def tiny_models() -> Iterator[Row]:
    """A row for each golden folder."""
    sys.path.insert(0, str(TESTS))
    case = importlib.import_module("families.parity").Case
    folders = [*(GOLDEN / "bert").iterdir(), *(GOLDEN / "families").glob("*/*")]
    for folder in sorted(folders, key=lambda folder: (folder.parent.name, folder.name)):
        harness.say(f"{folder.parent.name}: {folder.name}")
        with tempfile.TemporaryDirectory() as scratch:
            yield {"family": folder.parent.name, "head": folder.name, **_of_golden(case(folder, Path(scratch)))}


def _of_golden(case: Any) -> Row:
    with tempfile.TemporaryDirectory() as scratch:
        gradients = case.compared_gradients(Path(scratch)).values()
    outputs = [(found, case.expected[name]) for name, found in case.compared_outputs().items()]
    return {"outputs": _largest(outputs), "gradients": _largest(list(gradients))}


def families(rows: list[Row]) -> Iterator[Row]:
    """A row for each family: the largest differences over its models."""
    for family in sorted({row["family"] for row in rows}):
        own = [row for row in rows if row["family"] == family]
        largest = {
            column: max((row[column] for row in own if row[column] != "–"), key=float)
            for column in ("outputs", "gradients")
        }
        yield {"family": family, "models": len(own), **largest}


def _largest(pairs: list[tuple[np.ndarray, np.ndarray]]) -> str:
    """The largest difference, `–` of nothing."""
    return f"{max(np.abs(one - other).max() for one, other in pairs):.1e}" if pairs else "–"


def real_models() -> Iterator[Row]:
    """A row for each real model; of one that is not there a line on stderr."""
    for source, compare in _REAL.items():
        if (REAL / source).exists():
            harness.say(source)
            yield {"model": source, **compare(REAL / source)}
        else:
            harness.say(f"{source} is skipped: `python tests/fetch_real.py` fetches it")


def _logits(source: Path, expected: Mapping[str, np.ndarray]) -> np.ndarray:
    """The logits `[B, L, V]` of a model for the token ids of its golden."""
    import bert_keras as bk

    model, _ = bk.load(source)
    shape = expected["token_ids"].shape
    inputs = {
        "padding_mask": np.ones(shape),
        "segment_ids": np.zeros(shape),
        **expected,
        "masked_positions": np.broadcast_to(np.arange(shape[1]), shape),
    }
    return model({name: inputs[name].astype("int32") for name in model.input}, training=False).numpy()


def _golden(name: str) -> dict[str, np.ndarray]:
    from safetensors.numpy import load_file

    return load_file(GOLDEN / name)


def _albert(source: Path) -> Row:
    expected = _golden("albert_rxn.safetensors")
    logits = _logits(source, expected)[expected["masked"] == 1]
    return {
        "compared": "logits of masked atoms in SMILES",
        "outputs": _largest([(logits[:, ::20], expected["logits"])]),
        "same top piece": _same(logits, expected["top_ids"]),
    }


def _roberta(source: Path) -> Row:
    expected = _golden("roberta_vh.safetensors")
    logits = _logits(source, expected)[expected["rows"], expected["columns"]]
    return {
        "compared": "logits of masked residues of antibodies",
        "outputs": _largest([(logits, expected["logits"])]),
        "same top piece": _same(logits, expected["best"]),
    }


def _splade(source: Path) -> Row:
    expected = _golden("splade_tiny.safetensors")
    logits = _logits(source, expected)[0, expected["masked_positions"][0], ::100]
    return {
        "compared": "logits of masked words",
        "outputs": _largest([(logits, expected["logits"])]),
        "same top piece": "–",
    }


def _same(logits: np.ndarray, best: np.ndarray) -> str:
    return f"{(logits.argmax(-1) == best).sum()} of {len(best)}"


def _minilm(source: Path) -> Row:
    import bert_keras as bk

    model, tokenizer = bk.load(source, task="sentence-similarity")
    embedding = model(tokenizer(["This is an example sentence"]), training=False).numpy()[0, :4]
    return {
        "compared": "four numbers of a sentence, which its card rounds to five digits",
        "outputs": _largest([(embedding, np.array([0.06766, 0.06350, 0.04871, 0.07930]))]),
        "same top piece": "–",
    }


_REAL = {
    "albert-rxn": _albert,
    "minilm": _minilm,
    "roberta-vh/checkpoint_vh.pt": _roberta,
    "splade-tiny": _splade,
}


def main() -> None:
    parser = harness.arguments("Largest differences to what transformers computed with the same weights.")
    options = parser.parse_args()

    harness.use_threads(1)
    heads, real = list(tiny_models()), list(real_models())
    tables = {"heads": heads, "families": list(families(heads))}
    if real:
        tables["real weights"] = real
    details = {
        "columns": "the largest absolute difference of any output, and of any gradient of a batch's loss, in float32; "
        "– where the golden holds none",
        "goldens": "transformers 5.24 with torch 2.13, by tests/golden/make_*.py",
        "versions": harness.versions(["tensorflow", "keras"]),
    }
    harness.show("Our numbers beside those of transformers", tables, details, options.json)


if __name__ == "__main__":
    main()
