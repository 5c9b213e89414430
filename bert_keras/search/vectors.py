"""Vectors in memory, by numbers, and the nearest of them. N vectors, H numbers of each, Q queries, K results."""

from typing import Any

import faiss
import numpy as np

# A graph (HNSW) would be faster still, but faiss cannot take a vector out of one. In cells (inverted lists) both
# adding and removing are cheap.


class Vectors:
    """A structure of faiss' with the numbers that it holds.

    Args:
        index: a faiss index that keeps int64 ids and the inner product.
        numbers: int64, rising: what it holds already.
    """

    def __init__(self, index: Any, numbers: np.ndarray):
        self.index = index
        self.numbers = numbers

    @classmethod
    def exact(cls, dimension: int) -> "Vectors":
        """An empty one that compares a query with every vector.

        Args:
            dimension: H.
        """
        return cls(faiss.IndexIDMap2(faiss.IndexFlatIP(dimension)), np.empty(0, np.int64))

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add vectors.

        Args:
            numbers: int64 `[N]`, rising, all greater than those here or between them; none is here.
            vectors: float32 `[N, H]` of length 1.
        """
        self.index.add_with_ids(vectors, numbers)
        self.numbers = np.sort(np.concatenate([self.numbers, numbers]))

    def remove(self, numbers: np.ndarray) -> None:
        """Remove vectors.

        Args:
            numbers: int64; all are here.
        """
        self.index.remove_ids(faiss.IDSelectorBatch(numbers))
        self.numbers = np.setdiff1d(self.numbers, numbers, assume_unique=True)

    def search(self, queries: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The nearest vectors, best first.

        Args:
            queries: float32 `[Q, H]` of length 1.
            k: how many at most.

        Returns:
            cosines, float32 `[Q, K]`, and numbers, int64 `[Q, K]`; -1 where there is none.
        """
        k = min(k, len(self.numbers))
        if k == 0:
            return np.empty((len(queries), 0), np.float32), np.empty((len(queries), 0), np.int64)
        return self.index.search(queries, k)
