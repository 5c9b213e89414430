"""An index of texts: a folder that is searched by meaning and changed bit by bit. N texts, H numbers of a vector."""

import dataclasses
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras import files
from bert_keras.errors import InputError, whole_number
from bert_keras.search import cells
from bert_keras.search.embedder import Embedder, Progress
from bert_keras.search.store import Facts, Passage, Store
from bert_keras.search.unit import unit_vectors
from bert_keras.search.vectors import Vectors
from bert_keras.text.surrogates import without_surrogates

# The truth; the other file is made from it and may lag behind, or be absent.
_STORE, _CELLS = "documents.sqlite", "vectors.faiss"
# An int8 file's vectors are as near as that to the float model's, those of another model far from it.
_SAME_MODEL = 0.97
# The share of vectors that may come or go before the cells are written anew.
_LAG = 0.1


@dataclasses.dataclass(frozen=True)
class Added:
    """What `Index.add` did: documents by what became of them, and how many texts the model embedded."""

    added: int
    replaced: int
    unchanged: int
    embedded: int


class Index:
    """Texts with their vectors, searched by cosine; made by `create`, opened by `open`.

    An object is used by the thread that made it. While one process writes, others search the state before; what is
    interrupted, however it is, leaves that state.

    Args:
        folder: where the index is.
        store: its open file.
        model: what embeds texts: see `open`.
    """

    def __init__(self, folder: Path, store: Store, model: str | os.PathLike | Any = None):
        self.folder = folder
        self._store = store
        self._model = model
        self._embedder: Embedder | None = None
        self._vectors: Vectors | None = None
        self._seen: tuple[int, int] | None = None

    @classmethod
    def create(
        cls,
        folder: str | os.PathLike,
        model: str | os.PathLike | Any = None,
        dimension: int | None = None,
        approximate: bool = False,
    ) -> "Index":
        """Make an empty index.

        Args:
            folder: the new folder.
            model: a model folder, `.tflite` file or SavedModel for sentence-similarity, or what `bert_keras.predictor`
                made of it; None for an index of vectors that are given.
            dimension: H, for an index without a model.
            approximate: for hundreds of thousands of texts: a query is compared with a part of them, and finds 98 % of
                the ten nearest. Up to 20,000 texts it stays exact.

        Raises:
            InputError: `folder` exists; the model is of no use; neither a model nor a dimension is given, or both.
        """
        files.refuse_existing(folder)
        if (model is None) == (dimension is None):
            raise InputError("an index needs a model, or the dimension of the vectors that will be given, and not both")
        embedder = None if model is None else Embedder(model)
        if embedder is None:
            facts = Facts(whole_number(dimension, "dimension"), approximate)
        else:
            probes = embedder.probes()
            facts = Facts(probes.shape[1], approximate, embedder.source, probes.tolist())
        with files.output_folder(folder) as new:
            Store.create(new / _STORE, facts)
        index = cls(Path(folder), Store(Path(folder) / _STORE), model)
        index._embedder = embedder
        return index

    @classmethod
    def open(cls, folder: str | os.PathLike, model: str | os.PathLike | Any = None) -> "Index":
        """Open an index.

        Args:
            folder: what `create` made.
            model: as for `create`: the model of the index, in whatever form; if None, the one that it was made with,
                from where it was then. It is opened when it is needed.

        Raises:
            InputError: there is no index, or it is damaged.
        """
        path = Path(folder) / _STORE
        if not path.is_file():
            raise InputError(f"{os.fspath(folder)} is no index: there is no {_STORE} in it")
        return cls(Path(folder), Store(path), model)

    def close(self) -> None:
        """Close the files."""
        self._store.close()

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """How many documents there are."""
        return self._store.count()

    @property
    def passages(self) -> int:
        """How many parts the documents have, a vector each."""
        return self._store.count("passages")

    @property
    def facts(self) -> Facts:
        """What holds for the whole index."""
        return self._store.facts

    def add(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        metadata: Sequence[dict[str, Any]] | None = None,
        vectors: Any = None,
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Added:
        """Add documents; one whose id is there is replaced. All are added, or after an error none.

        A text that is longer than the model reads becomes several passages, ID#1, ID#2 and so on, and none of it is
        lost. A text that is in the index already, under whatever id, is not embedded again.

        Args:
            ids: N different names.
            texts: N texts, not blank.
            metadata: N dicts of JSON's types, given back with the results.
            vectors: N vectors of H numbers instead of the model's; they are scaled to length 1.
            batch_size: texts that the model computes together.
            progress: called with the number of texts embedded, and of those to embed.

        Raises:
            InputError: lists of different lengths, a repeated id, a blank text, metadata that JSON cannot hold, vectors
                of another dimension or with NaN; another process is writing; no model, or another than the index's.
        """
        ids, texts, described = _checked(ids, texts, metadata)
        with self._store.writing():
            if vectors is None:
                new, counts = self._changed(ids, texts, described)
                known, embedded = self._embedded(new, batch_size, progress)
                changed = [id for id, _, _ in new]
                rows = ((id, about, [(part, known[part.digest]) for part in parts]) for id, about, parts in new)
            else:
                units = unit_vectors(vectors, ids, self.facts.dimension)
                changed = ids
                rows = (
                    (id, about, [(_passage(id, text), unit.tobytes())])
                    for id, text, about, unit in zip(ids, texts, described, units, strict=True)
                )
                replaced = sum(self._store.document(id) is not None for id in ids)
                counts, embedded = (len(ids) - replaced, replaced, 0), 0
            # All old ones go first: a new id may be that of a passage that goes.
            for id in changed:
                self._store.remove(id)
            for row in rows:
                self._store.insert(*row)
        self._keep_cells()
        return Added(*counts, embedded)

    def delete(self, ids: Sequence[str]) -> None:
        """Remove documents, each with all its passages; after an error all are still there.

        Args:
            ids: ids of documents.

        Raises:
            InputError: there is no such document, or another process is writing.
        """
        if isinstance(ids, str):
            raise InputError(f"ids is one text; give a list, such as [{ids!r}]")
        for place, id in enumerate(ids):
            if not isinstance(id, str):
                raise InputError(f"ids[{place}] is {id!r}; it must be a text")
        with self._store.writing():
            for id in map(without_surrogates, ids):
                if not self._store.remove(id):
                    whole = id.rpartition("#")[0]
                    part = whole and self._store.document(whole) is not None
                    hint = f"; {whole!r} is one, and goes as a whole" if part else ""
                    raise InputError(f"{self.folder} has no document {id!r}{hint}")
        self._keep_cells()

    def search(self, queries: Sequence[str] | np.ndarray, k: int = 10, batch_size: int = 32) -> list[list[dict]]:
        """Find the passages whose vectors are nearest to those of queries.

        Args:
            queries: Q texts, or Q vectors of H numbers.
            k: how many passages at most.
            batch_size: queries that the model computes together.

        Returns:
            For each query dicts of `id`, `text`, `metadata` and `score` (the cosine), best first.

        Raises:
            InputError: `k` is below 1, vectors of another dimension or with NaN; no model, or another than the index's.
        """
        k = whole_number(k, "k")
        if isinstance(queries, str):
            raise InputError(f"queries is one text; give a list, such as [{queries[:20]!r}]")
        if len(queries) == 0:
            return []
        texts = [query for query in queries if isinstance(query, str)]
        if len(texts) == len(queries):
            vectors = self._model_of()(texts, batch_size)
        else:
            vectors = unit_vectors(queries, [f"query {n}" for n in range(1, len(queries) + 1)], self.facts.dimension)
        with self._store.reading():
            scores, numbers = self._fresh().search(vectors, k)
            entries = self._store.entries(np.unique(numbers[numbers >= 0]).tolist())
        return [
            [
                {**entries[number], "score": score}
                for number, score in zip(of_query, scores_of_query, strict=True)
                if number >= 0
            ]
            for of_query, scores_of_query in zip(numbers.tolist(), scores.tolist(), strict=True)
        ]

    def _changed(
        self, ids: list[str], texts: list[str], described: list[str]
    ) -> tuple[list[tuple[str, str, list[Passage]]], tuple[int, int, int]]:
        """The documents to write, after setting the metadata of those whose texts are as before; and how many."""
        new = []
        replaced = unchanged = 0
        for id, about, parts in zip(ids, described, self._model_of().passages(texts), strict=True):
            names = [id] if len(parts) == 1 else [f"{id}#{number}" for number in range(1, len(parts) + 1)]
            before = self._store.document(id)
            if before is not None and before[1] == dict(zip(names, parts, strict=True)):
                unchanged += 1
                self._store.set_metadata(id, about)
                continue
            replaced += before is not None
            new.append((id, about, [_passage(*part) for part in zip(names, parts, strict=True)]))
        return new, (len(new) - replaced, replaced, unchanged)

    def _embedded(
        self, new: list[tuple[str, str, list[Passage]]], batch_size: int, progress: Progress | None
    ) -> tuple[dict[bytes, bytes], int]:
        """The vectors of all passages by their digests, and how many the model computed."""
        texts = {part.digest: part.text for _, _, parts in new for part in parts}
        known = {digest: vector for digest in texts if (vector := self._store.vector_of(digest)) is not None}
        missing = [digest for digest in texts if digest not in known]
        if missing:
            vectors = self._model_of()([texts[digest] for digest in missing], batch_size, progress)
            known.update(zip(missing, map(np.ndarray.tobytes, vectors), strict=True))
        return known, len(missing)

    def _model_of(self) -> Embedder:
        """The model, opened and compared with that of the index."""
        if self._embedder is not None:
            return self._embedder
        facts = self.facts
        if facts.probes is None:
            raise InputError(f"{self.folder} was made without a model: give vectors instead of texts")
        model = self._model or facts.model
        if model is None:
            raise InputError(f"{self.folder} does not know where its model is: name it (model=, --model)")
        if self._model is None and not os.path.exists(model):
            raise InputError(f"{model}, the model of {self.folder}, is gone: name where it is now (model=, --model)")
        embedder = Embedder(model)
        probes = embedder.probes()
        if probes.shape[1] != facts.dimension:
            raise InputError(
                f"{_name(model)} gives vectors of {probes.shape[1]} numbers, but {self.folder} has {facts.dimension}: "
                f"use the model that it was made with{_at(facts)}"
            )
        cosine = float((probes * np.array(facts.probes)).sum(axis=1).min())
        if cosine < _SAME_MODEL:
            raise InputError(
                f"{_name(model)} is another model than that of {self.folder} (cosine {cosine:.2f} for the same text): "
                f"use the one that it was made with{_at(facts)}, or make an index anew"
            )
        self._embedder = embedder
        return embedder

    def _keep_cells(self) -> None:
        """Let the writer do what else the next reader would have to."""
        if self.facts.approximate:
            with self._store.reading():
                self._fresh()

    def _fresh(self) -> Vectors:
        """The vectors in memory, brought to the state of the file."""
        state = self._store.state()
        if self._vectors is not None and state == self._seen:
            return self._vectors
        numbers = self._store.numbers()
        if self.facts.approximate and len(numbers) >= cells.LEAST:
            self._vectors = self._fresh_cells(numbers)
        else:
            if self._vectors is None or cells.are_in(self._vectors):
                self._vectors = Vectors.exact(self.facts.dimension)
            self._follow(self._vectors, numbers)
        self._seen = state
        return self._vectors

    def _fresh_cells(self, numbers: np.ndarray) -> Vectors:
        path, dimension = self.folder / _CELLS, self.facts.dimension
        vectors = self._vectors
        if vectors is None or not cells.are_in(vectors):
            vectors = cells.read(path, dimension)
        if vectors is None or cells.outgrown(vectors, len(numbers)):
            vectors = cells.build(numbers, dimension, self._store.vectors)
            cells.write(vectors, path)
            return vectors
        if self._follow(vectors, numbers) > _LAG * len(numbers):
            cells.write(vectors, path)
        return vectors

    def _follow(self, vectors: Vectors, numbers: np.ndarray) -> int:
        """Remove and add what differs; return how many did."""
        gone = np.setdiff1d(vectors.numbers, numbers, assume_unique=True)
        new = np.setdiff1d(numbers, vectors.numbers, assume_unique=True)
        if gone.size:
            vectors.remove(gone)
        for chunk, found in self._store.vectors(new):
            vectors.add(chunk, found)
        return gone.size + new.size


def _checked(
    ids: Sequence[str], texts: Sequence[str], metadata: Sequence[dict[str, Any]] | None
) -> tuple[list[str], list[str], list[str]]:
    """Ids, texts and the metadata as JSON, or InputError with the first thing that is wrong."""
    for name, values in (("ids", ids), ("texts", texts)):
        if isinstance(values, str):
            raise InputError(f"{name} is one text; give a list of texts, such as [{values[:20]!r}]")
    metadata = [{}] * len(ids) if metadata is None else metadata
    if not len(ids) == len(texts) == len(metadata):
        raise InputError(f"there are {len(ids)} ids, {len(texts)} texts and {len(metadata)} metadata: give one of each")
    ids = [without_surrogates(id) if isinstance(id, str) else id for id in ids]
    places: dict[str, int] = {}
    for place, (id, text) in enumerate(zip(ids, texts, strict=True)):
        if not isinstance(id, str) or not id:
            raise InputError(f"ids[{place}] is {id!r}; it must be a text that is not empty")
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"texts[{place}], of {id!r}, is {text!r}; it must be a text that is not blank")
        if places.setdefault(id, place) != place:
            raise InputError(f"ids[{places[id]}] and ids[{place}] are both {id!r}: each document needs its own")
    return ids, [*map(without_surrogates, texts)], [*map(_json, ids, metadata)]


def _json(id: str, metadata: Any) -> str:
    try:
        if not isinstance(metadata, dict):
            raise TypeError(f"it is {metadata!r:.40}, not a dict")
        return without_surrogates(json.dumps(metadata, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the metadata of {id!r} cannot be kept as JSON: {error}") from None


def _passage(id: str, text: str) -> Passage:
    return Passage(id, text, hashlib.blake2b(text.encode(), digest_size=16).digest())


def _name(model: Any) -> str:
    return os.fspath(model) if isinstance(model, (str, os.PathLike)) else "the model"


def _at(facts: Facts) -> str:
    return f", {facts.model}" if facts.model else ""
