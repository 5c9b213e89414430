"""Approximate search: vectors in cells around centroids (faiss' inverted lists), of which a query looks into a few.

Source: Jégou, Douze, Schmid, "Product quantization for nearest neighbor search", 2011, section 4 (the inverted file).
N vectors, H numbers of each.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from bert_keras import files
from bert_keras.search.vectors import Vectors

# With fewer vectors comparing all is as fast.
LEAST = 20_000
# How many of the true ten nearest a query finds on average.
RECALL = 0.98
_SAMPLE_A_CELL = 64
_TRIALS = 256
# Trials are made with vectors of the index; a user's queries are less like those.
_FEWEST_PROBES = 8

# Numbers -> chunks of them with their vectors.
Source = Callable[[np.ndarray], Iterator[tuple[np.ndarray, np.ndarray]]]


def cells_for(count: int) -> int:
    """How many cells `count` vectors get."""
    return round(2 * math.sqrt(count))


def build(numbers: np.ndarray, dimension: int, source: Source) -> Vectors:
    """Make the cells, fill them, and find out how many a query must look into.

    Args:
        numbers: int64 `[N]`, rising.
        dimension: H.
        source: gives the vectors.
    """
    cells = cells_for(len(numbers))
    random = np.random.default_rng(0)
    size = min(len(numbers), cells * _SAMPLE_A_CELL)
    sample = np.concatenate([part for _, part in source(np.sort(random.choice(numbers, size, replace=False)))])
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dimension), dimension, cells, faiss.METRIC_INNER_PRODUCT)
    index.train(sample)
    for chunk, vectors in source(numbers):
        index.add_with_ids(vectors, chunk)
    index.nprobe = _probes(index, random.permutation(sample)[:_TRIALS])
    return Vectors(index, numbers)


def _probes(index: faiss.IndexIVFFlat, queries: np.ndarray) -> int:
    """The cells to look into: the fewest, half as many more at each step, that find `RECALL` of the ten nearest."""
    # Each query is in the index itself, which tells nothing.
    index.nprobe = index.nlist
    _, nearest = index.search(queries, 11)
    probes = _FEWEST_PROBES
    while probes < index.nlist:
        index.nprobe = probes
        _, found = index.search(queries, 11)
        hits = [len(np.intersect1d(a, b)) - 1 for a, b in zip(nearest, found, strict=True)]
        if np.mean(hits) >= 10 * RECALL:
            return probes
        probes += probes // 2
    return index.nlist


def are_in(vectors: Vectors) -> bool:
    """Whether `build` made these vectors."""
    return isinstance(vectors.index, faiss.IndexIVFFlat)


def outgrown(vectors: Vectors, count: int) -> bool:
    """Whether `count` vectors need other cells than there are: four times as many vectors came, or left."""
    cells = vectors.index.nlist
    return not cells / 2 <= cells_for(count) <= cells * 2


def read(path: Path, dimension: int) -> Vectors | None:
    """What `write` kept; None if it is missing or of no use.

    Args:
        path: the file.
        dimension: H.
    """
    if not path.is_file():
        return None
    try:
        index = faiss.read_index(str(path))
    except RuntimeError:
        return None
    if not isinstance(index, faiss.IndexIVFFlat) or index.d != dimension:
        return None
    lists: Any = index.invlists
    numbers = [
        faiss.rev_swig_ptr(lists.get_ids(cell), lists.list_size(cell)).copy()
        for cell in range(index.nlist)
        if lists.list_size(cell)
    ]
    return Vectors(index, np.sort(np.concatenate([np.empty(0, np.int64), *numbers])))


def write(vectors: Vectors, path: Path) -> None:
    """Keep the cells in a file; where the folder cannot be written they are made again next time.

    Args:
        vectors: what `build` made.
        path: the file; it is replaced.
    """
    with contextlib.suppress(OSError, RuntimeError), files.output_file(path, force=True) as file:
        faiss.write_index(vectors.index, str(file))
