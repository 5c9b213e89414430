"""How near the exported embedder stays to the float model: cosine of each sentence's vectors, and its neighbours.

Each recipe's file embeds the test sentences, as `bert-keras export FOLDER --to tflite` makes it. A neighbour is one of
the ten sentences of the set that are nearest by cosine.
"""

import statistics
import tempfile
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import harness
import numpy as np

import bert_keras as bk
from bert_keras.export import Predictor

NEIGHBOURS = 10


def _row(recipe: str, exact: np.ndarray, options: Namespace) -> dict[str, str | float]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "embedder.tflite"
        report = bk.export.tflite(options.model, file, recipe)
        predict = bk.predictor(file)
        start = time.perf_counter()
        found = _vectors(predict, options.texts)
        seconds = time.perf_counter() - start
    cosines = (exact * found).sum(axis=1)
    shares = _recalls(exact, found)
    return {
        "recipe": recipe,
        "MB": round(report.megabytes, 1),
        "least cosine": round(float(cosines.min()), 4),
        "1 % below": round(float(np.quantile(cosines, 0.01)), 4),
        "mean cosine": round(float(cosines.mean()), 4),
        f"recall@{NEIGHBOURS}": round(statistics.mean(shares), 3),
        "worst": min(shares),
        "ms a sentence": round(1000 * seconds / len(options.texts), 2),
    }


def _vectors(predict: Predictor, texts: Sequence[str]) -> np.ndarray:
    return np.stack([answer["embedding"] for answer in predict(texts)])


def _recalls(exact: np.ndarray, found: np.ndarray) -> list[float]:
    """The share of each sentence's neighbours by the float model that are neighbours by the file, too."""
    nearest = []
    for vectors in (exact, found):
        similar = vectors @ vectors.T
        np.fill_diagonal(similar, -1)
        nearest.append(np.argpartition(-similar, NEIGHBOURS, axis=1)[:, :NEIGHBOURS])
    return [len(set(right) & set(its)) / NEIGHBOURS for right, its in zip(*nearest, strict=True)]


def main() -> None:
    parser = harness.arguments("How near the exported embedder's vectors are to the float model's.")
    parser.add_argument("--model", default=str(harness.REAL / "minilm"), help="model folder")
    parser.add_argument("--texts", default=str(harness.REAL / "sentiment" / "test.tsv"), help="table with texts")
    recipes = list(bk.export.RECIPES)
    parser.add_argument("--recipes", nargs="+", choices=recipes, default=recipes)
    options = parser.parse_args()

    harness.use_threads(1)
    options.texts = bk.data.table(options.texts).texts
    exact = _vectors(bk.predictor(options.model), options.texts)
    rows = [_row(recipe, exact, options) for recipe in options.recipes]
    details = {
        "sentences": len(options.texts),
        "versions": harness.versions(["tensorflow", "ai-edge-litert", "ai-edge-quantizer"]),
    }
    harness.show("Exported embedders beside their float model", {"rows": rows}, details, options.json)


if __name__ == "__main__":
    main()
