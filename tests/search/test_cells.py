"""Approximate search beside exact search."""

import numpy as np
import pytest

from bert_keras.search import Index, cells

COUNT, DIMENSION = 1200, 8


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(cells, "LEAST", 600)


def data(seed=0):
    return np.random.default_rng(seed).standard_normal((COUNT, DIMENSION)).astype("float32")


def add(index, vectors, begin=0):
    names = [str(number) for number in range(begin, begin + len(vectors))]
    index.add(names, names, vectors=vectors)


def nearest(vectors, queries, k=10):
    """By NumPy, over all."""
    units = [array / np.linalg.norm(array, axis=1, keepdims=True) for array in (queries, vectors)]
    return np.argsort(-(units[0] @ units[1].T), axis=1)[:, :k]


def found(index, queries, k=10):
    return [[int(result["id"]) for result in of_query] for of_query in index.search(queries, k)]


def recall(found, expected):
    return np.mean([len(set(a) & set(b.tolist())) / len(b) for a, b in zip(found, expected, strict=True)])


@pytest.fixture
def index(tmp_path):
    with Index.create(tmp_path / "index", dimension=DIMENSION, approximate=True) as made:
        add(made, data())
        yield made


def test_the_exact_index_finds_what_numpy_finds(tmp_path):
    with Index.create(tmp_path / "index", dimension=DIMENSION) as index:
        add(index, data())
        assert found(index, data(1)[:50]) == nearest(data(), data(1)[:50]).tolist()


def test_cells_find_nearly_all_of_the_nearest(index):
    assert cells.are_in(index._vectors)
    assert index._vectors.index.nprobe < index._vectors.index.nlist
    assert recall(found(index, data(1)[:200]), nearest(data(), data(1)[:200])) > 0.93


def test_few_vectors_are_compared_all(tmp_path):
    with Index.create(tmp_path / "index", dimension=DIMENSION, approximate=True) as index:
        add(index, data()[:500])
        assert found(index, data(1)[:20]) == nearest(data()[:500], data(1)[:20]).tolist()
        assert [path.name for path in index.folder.iterdir()] == ["documents.sqlite"]


def test_deleted_vectors_leave_their_cells(index):
    best = [row[0] for row in found(index, data()[:100], k=1)]
    assert best == list(range(100))
    index.delete([str(number) for number in range(100)])
    assert min(map(min, found(index, data()[:100]))) >= 100


def test_new_vectors_come_into_cells(index):
    built = index._vectors
    add(index, data(2)[:50], begin=COUNT)
    assert index._vectors is built
    assert found(index, data(2)[:50], k=1) == [[number] for number in range(COUNT, COUNT + 50)]


def test_a_file_that_lags_behind_is_brought_up_to_date(index):
    kept = (index.folder / "vectors.faiss").read_bytes()
    add(index, data(2)[:20], begin=COUNT)
    index.delete(["0"])
    assert (index.folder / "vectors.faiss").read_bytes() == kept
    with Index.open(index.folder) as other:
        assert found(other, data(2)[:20], k=1) == [[number] for number in range(COUNT, COUNT + 20)]
        assert found(other, data()[:1], k=1) != [[0]]


def test_the_file_follows_large_changes(index):
    kept = (index.folder / "vectors.faiss").read_bytes()
    index.delete([str(number) for number in range(300)])
    assert len((index.folder / "vectors.faiss").read_bytes()) < len(kept)


@pytest.mark.parametrize("content", [None, b"", b"no index at all"])
def test_a_file_of_no_use_is_made_anew(index, content):
    file = index.folder / "vectors.faiss"
    file.unlink() if content is None else file.write_bytes(content)
    with Index.open(index.folder) as other:
        assert found(other, data()[:20], k=1) == [[number] for number in range(20)]
    assert file.stat().st_size > 4 * COUNT * DIMENSION


def test_cells_are_made_anew_for_four_times_the_vectors(index):
    assert index._vectors.index.nlist == 69  # 2 √1200
    more = np.concatenate([data(seed) for seed in range(2, 7)])
    add(index, more[: 2 * COUNT], begin=COUNT)
    assert index._vectors.index.nlist == 69
    add(index, more[2 * COUNT :], begin=3 * COUNT)
    assert index._vectors.index.nlist == 170  # 2 √7200
