"""Milliseconds of a query over many vectors: the exact and the approximate index beside faiss itself and NumPy.

An index also reads texts and metadata of what it found from its file, which the others do not. Vectors of texts lie in
groups; `--spread` says how far from its group's centre each is, and vectors without any groups are the hardest case for
approximate search.
"""

import statistics
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import harness
import numpy as np
from harness import Turn

from bert_keras.search import Index

GROUPS = 500

# A query [1, H] to the numbers of the nearest vectors.
Search = Callable[[np.ndarray], list[int]]


def with_exact_index(turn: Turn, options: Namespace) -> None:
    _with_index(turn, options, approximate=False)


def with_approximate_index(turn: Turn, options: Namespace) -> None:
    _with_index(turn, options, approximate=True)


def _with_index(turn: Turn, options: Namespace, approximate: bool) -> None:
    vectors = _vectors(options)
    names = [str(number) for number in range(len(vectors))]
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        index = Index.create(Path(folder) / "index", dimension=options.dimension, approximate=approximate)
        index.add(names, names, vectors=vectors)
        built = time.perf_counter() - start
        index.close()
        del vectors
        start = time.perf_counter()
        index = Index.open(Path(folder) / "index")
        index.search(np.ones((1, options.dimension)))
        opened = time.perf_counter() - start

        def search(query: np.ndarray) -> list[int]:
            return [int(result["id"]) for result in index.search(query, options.k)[0]]

        size = sum(file.stat().st_size for file in (Path(folder) / "index").iterdir())
        _measure(turn, options, search, built=built, opened=opened, size=size)


def with_faiss(turn: Turn, options: Namespace) -> None:
    import faiss

    start = time.perf_counter()
    index = faiss.IndexFlatIP(options.dimension)
    index.add(_vectors(options))
    _measure(
        turn, options, lambda query: index.search(query, options.k)[1][0].tolist(), built=time.perf_counter() - start
    )


def with_numpy(turn: Turn, options: Namespace) -> None:
    vectors = _vectors(options)

    def search(query: np.ndarray) -> list[int]:
        scores = vectors @ query[0]
        best = np.argpartition(-scores, options.k)[: options.k]
        return best[np.argsort(-scores[best])].tolist()

    _measure(turn, options, search)


CONTENDERS = {
    "bert_keras": with_exact_index,
    "bert_keras-approximate": with_approximate_index,
    "faiss": with_faiss,
    "numpy": with_numpy,
}


def _measure(turn: Turn, options: Namespace, search: Search, **facts: float) -> None:
    queries = _queries(options)
    turn.ready(found=[search(query[None]) for query in queries], **facts)
    while True:
        for query in queries:
            search(query[None])
            turn.step()


def _vectors(options: Namespace) -> np.ndarray:
    return _random(options, options.count, seed=1)


def _queries(options: Namespace) -> np.ndarray:
    return _random(options, options.queries, seed=2)


def _random(options: Namespace, count: int, seed: int) -> np.ndarray:
    """Unit vectors, float32 `[count, H]`, around the centres that all share."""
    shape = (GROUPS, options.dimension)
    centres = np.random.default_rng(0).standard_normal(shape, np.float32) if options.spread else np.zeros(shape)
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, options.dimension), np.float32) * np.float32(options.spread or 1)
    vectors += centres[random.integers(0, GROUPS, count)]
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _row(result: harness.Result, first: harness.Result, truth: list[list[int]]) -> dict[str, str | float]:
    seconds = statistics.median(result.seconds)
    facts = result.facts
    hits = [len(set(found) & set(true)) / len(true) for found, true in zip(facts["found"], truth, strict=True)]
    return {
        "contender": result.name,
        "median ms": round(1000 * seconds, 3),
        "ratio": round(statistics.median(first.seconds) / seconds, 2),
        "recall": round(statistics.mean(hits), 4),
        "build s": round(facts["built"], 1) if "built" in facts else "",
        "open s": round(facts["opened"], 2) if "opened" in facts else "",
        "MB on disk": round(facts["size"] / 1e6) if "size" in facts else "",
        "peak MB": round(result.peak_bytes / 1e6),
    }


def main() -> None:
    parser = harness.arguments("Milliseconds of a query over many vectors: the index beside faiss and NumPy.")
    names = list(CONTENDERS)
    parser.add_argument("--contenders", nargs="+", choices=names, default=names, help="compared with the first")
    parser.add_argument("--count", type=int, default=100_000, help="vectors")
    parser.add_argument("--dimension", type=int, default=384, help="numbers of a vector")
    parser.add_argument("--spread", type=float, default=1.0, help="distance from the centres of groups; 0: no groups")
    parser.add_argument("--k", type=int, default=10, help="vectors to find")
    parser.add_argument("--queries", type=int, default=100, help="different queries")
    parser.add_argument("--rounds", type=int, default=5, help="turns of all queries that count; one before does not")
    parser.add_argument("--threads", type=int, default=harness.cores())
    parser.add_argument("--clock", choices=harness.CLOCKS, default="wall", help="cpu where other work runs beside")
    options = parser.parse_args()

    harness.use_threads(options.threads)
    # NumPy tells what is right.
    contenders = {name: CONTENDERS[name] for name in dict.fromkeys([*options.contenders, "numpy"])}
    results = harness.alternate(contenders, options, options.queries, options.rounds, options.clock)
    [truth] = [result.facts["found"] for result in results if result.name == "numpy"]
    details = {
        "ratio": f"time of {results[0].name} / time of the contender",
        "recall": f"share of the {options.k} nearest, by NumPy over all vectors, that are found",
        "open s": "until the first answer of an index that is on disk",
        "vectors": f"around {GROUPS} centres, spread {options.spread}" if options.spread else "without groups",
        "versions": harness.versions(["faiss-cpu", "numpy"]),
        "clock": options.clock,
        "threads": options.threads,
        "measured": f"median of {options.rounds} turns of {options.queries} queries, one at a time",
    }
    title = f"{options.count} vectors of {options.dimension} numbers"
    harness.show(title, {"search": [_row(result, results[0], truth) for result in results]}, details, options.json)


if __name__ == "__main__":
    main()
