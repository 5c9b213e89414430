"""What an index holds, finds, keeps and refuses."""

import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from search.bag_model import BagModel

from bert_keras.errors import InputError
from bert_keras.search import Added, Index
from bert_keras.search.store import Store


def ids(results):
    return [[result["id"] for result in of_query] for of_query in results]


def test_the_score_is_the_cosine(plane):
    [results] = plane.search(np.array([[10.0, 0.0]]), k=3)
    assert [result["id"] for result in results[:2]] == ["east", "between"]
    assert [result["score"] for result in results] == pytest.approx([1, 0.6, 0], abs=1e-6)


def test_a_zero_vector_has_a_cosine_of_0(plane):
    [of_zero, of_north] = plane.search(np.array([[0.0, 0.0], [0.0, 1.0]]), k=4)
    assert [result["score"] for result in of_zero] == [0, 0, 0, 0]
    assert next(result["score"] for result in of_north if result["id"] == "nowhere") == 0


def test_vectors_of_any_size_are_finite(plane):
    plane.add(["huge"], ["huge"], vectors=[[3e38, 3e38]])
    assert plane.search(np.array([[1e-30, 1e-30]]), k=1)[0][0]["score"] == pytest.approx(1, abs=1e-6)


def test_a_text_finds_itself_with_cosine_1(index):
    [[best, *_]] = index.search(["the film was good"])
    assert best == {
        "id": "a",
        "text": "the film was good",
        "metadata": {"year": 1999},
        "score": pytest.approx(1, abs=1e-6),
    }


def test_queries_are_answered_in_their_order(index):
    assert ids(index.search(["un able", "the film was bad"], k=1)) == [["c"], ["b"]]


def test_k_may_exceed_what_is_there(index):
    assert len(index.search(["good"], k=50)[0]) == 3


def test_an_empty_index_finds_nothing(tmp_path):
    with Index.create(tmp_path / "index", dimension=2) as index:
        assert index.search(np.ones((2, 2))) == [[], []]
        assert index.search([]) == []


def test_an_opened_index_is_as_it_was(plane):
    with Index.open(plane.folder) as other:
        query = np.array([[1.0, 0.2]])
        assert other.search(query) == plane.search(query)
        assert len(other) == 4


def test_deleted_documents_are_found_no_more(plane):
    plane.delete(["east", "nowhere"])
    assert ids(plane.search(np.array([[1.0, 0.0]]))) == [["between", "north"]]
    assert len(plane) == plane.passages == 2


def test_a_delete_of_an_unknown_id_deletes_nothing(plane):
    with pytest.raises(InputError, match="has no document 'west'"):
        plane.delete(["east", "west"])
    assert len(plane) == 4


def test_adding_an_id_again_replaces_it(index):
    assert index.add(["a"], ["un able un"]) == Added(added=0, replaced=1, unchanged=0, embedded=1)
    assert len(index) == 3
    [results] = index.search(["un able un"])
    assert results[0]["id"] == "a"
    assert results[0]["metadata"] == {}


def test_a_text_that_is_there_is_not_embedded_again(index, model):
    done = index.add(["a", "d", "e"], ["the film was good", "un able", "mask"])
    assert done == Added(added=2, replaced=0, unchanged=1, embedded=1)
    assert model.took() == ["mask"]
    assert sorted(ids(index.search(["un able"], k=2))[0]) == ["c", "d"]


def test_a_text_that_comes_twice_is_embedded_once(index, model):
    index.add(["d", "e"], ["good good", "good good"])
    assert model.took() == ["good good"]


def test_new_metadata_of_an_unchanged_text_are_kept(index, model):
    index.add(["a"], ["the film was good"], [{"year": 2001}])
    assert model.took() == []
    assert index.search(["the film was good"], k=1)[0][0]["metadata"] == {"year": 2001}


def test_a_long_text_is_found_by_each_of_its_parts(index, model):
    long = "good " * 20 + "\n\n" + "bad " * 20
    index.add(["d"], [long])
    assert model.took() == [("good " * 20).strip(), ("bad " * 20).strip()]
    assert (len(index), index.passages) == (4, 5)
    assert ids(index.search(["good", "bad"], k=1)) == [["d#1"], ["d#2"]]


def test_a_document_is_replaced_with_all_its_passages(index):
    index.add(["d"], ["good " * 60])
    assert index.passages == 6
    index.add(["d"], ["good"])
    assert index.passages == 4
    index.add(["d"], ["bad " * 60])
    index.delete(["d"])
    assert index.passages == 3


def test_a_passage_is_deleted_with_its_document_only(index):
    index.add(["d"], ["good " * 60])
    with pytest.raises(InputError, match="no document 'd#2'; 'd' is one, and goes as a whole"):
        index.delete(["d#2"])


def test_an_id_that_a_passage_has_is_refused(index):
    index.add(["d"], ["good " * 60])
    with pytest.raises(InputError, match="'d#2' is the id of a passage of another document"):
        index.add(["d#2"], ["good"])
    assert len(index) == 4


def test_an_interrupted_add_leaves_the_state_before(index, model):
    model.fails = True
    with pytest.raises(KeyboardInterrupt):
        index.add(["a", "d"], ["mask", "mask mask"])
    model.fails = False
    assert len(index) == 3
    assert index.search(["the film was good"], k=1)[0][0]["id"] == "a"


def test_a_killed_add_leaves_the_state_before(plane):
    code = """
import os, signal, sys
import numpy as np
from bert_keras.search import Index
from bert_keras.search.store import Store
insert = Store.insert
def insert_and_die(self, id, *row):
    insert(self, id, *row)
    if id == "late":
        os.kill(os.getpid(), signal.SIGKILL)
Store.insert = insert_and_die
Index.open(sys.argv[1]).add(["east", "late"], ["a", "b"], vectors=np.eye(2))
"""
    done = subprocess.run([sys.executable, "-c", code, str(plane.folder)], env={"PYTHONPATH": ":".join(sys.path)})
    assert done.returncode == -9
    with Index.open(plane.folder) as other:
        assert len(other) == 4
        assert other.search(np.array([[1.0, 0.0]]), k=1)[0][0]["text"] == "to the east"
        other.add(["late"], ["b"], vectors=np.ones((1, 2)))


def test_a_reader_sees_what_another_has_written(plane):
    query = np.array([[-1.0, 0.0]])
    with Index.open(plane.folder) as other:
        assert other.search(query, k=1)[0][0]["score"] == 0
        plane.add(["west"], ["to the west"], vectors=[[-1, 0]])
        plane.delete(["east"])
        assert ids(other.search(query))[0][0] == "west"
        assert len(other.search(query)[0]) == 4


def test_a_second_writer_is_told_to_wait_while_readers_read(index, model):
    asked = model.__class__.__call__

    class Busy(BagModel):
        def __call__(self, texts, pairs=None, batch_size=32):
            with Index.open(index.folder, BagModel()) as other:
                assert ids(other.search(["un able"], k=1)) == [["c"]]
                with pytest.raises(InputError, match=r"another process is writing .*: wait"):
                    other.delete(["a"])
            return asked(self, texts)

    model.__class__ = Busy
    index.add(["d"], ["good good"])
    assert len(index) == 4


def test_another_model_is_refused(index):
    with (
        Index.open(index.folder, BagModel(seed=1)) as other,
        pytest.raises(InputError, match="the model is another model than that of"),
    ):
        other.search(["good"])


def test_a_model_of_other_dimensions_is_refused(index):
    with (
        Index.open(index.folder, BagModel(dimension=5)) as other,
        pytest.raises(InputError, match=r"gives vectors of 5 numbers, but .* has 6"),
    ):
        other.add(["d"], ["good"])


def test_the_same_model_in_another_precision_is_taken(index):
    near = BagModel()
    near._table = near._table + 0.02 * np.random.default_rng(3).standard_normal(near._table.shape)
    with Index.open(index.folder, near) as other:
        assert ids(other.search(["un able"], k=1)) == [["c"]]


def test_a_model_for_another_task_is_refused(tmp_path, model):
    model.task = "text-classification"
    with pytest.raises(InputError, match="the model is for text-classification"):
        Index.create(tmp_path / "index", model)
    assert not any(tmp_path.iterdir())


def test_a_model_that_was_never_a_file_must_be_named(index):
    with Index.open(index.folder) as other, pytest.raises(InputError, match="does not know where its model is"):
        other.search(["good"])


def test_texts_are_refused_where_there_is_no_model(plane):
    with pytest.raises(InputError, match="was made without a model: give vectors"):
        plane.search(["a text"])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vectors_that_are_not_finite_are_refused_by_their_id(plane, value):
    with pytest.raises(InputError, match="the vector of 'west' holds NaN or infinity"):
        plane.add(["south", "west"], ["a", "b"], vectors=[[0, 1], [0, value]])
    assert len(plane) == 4


def test_a_model_that_gives_nan_is_refused(index, model):
    model._table[:] = np.nan
    with pytest.raises(InputError, match="the vector of 'good good' holds NaN"):
        index.add(["d"], ["good good"])


BAD = {
    "dimension": ({"vectors": np.ones((1, 3))}, "have 3 numbers where the index has 2"),
    "ragged": ({"vectors": [[1, 2], [3]]}, "the vectors are not 1 lists of as many numbers each"),
    "count": ({"vectors": np.ones((2, 2))}, r"shape \[2, 2\]; 1 vectors need \[1, H\]"),
    "no lists": ({"ids": "a"}, "ids is one text"),
    "lengths": ({"ids": ["a", "b"]}, "2 ids, 1 texts and 2 metadata"),
    "id": ({"ids": [7]}, r"ids\[0\] is 7"),
    "blank": ({"texts": [" \n"]}, r"texts\[0\], of 'a', is ' \\n'"),
    "metadata": ({"metadata": [{"when": object()}]}, "metadata of 'a' cannot be kept as JSON"),
    "list": ({"metadata": [[1]]}, r"metadata of 'a' .* it is \[1\], not a dict"),
    "twice": ({"ids": ["a", "a"], "texts": ["x", "y"], "vectors": np.eye(2)}, r"ids\[0\] and ids\[1\] are both 'a'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_documents_are_refused_in_one_sentence(plane, name):
    changed, words = BAD[name]
    with pytest.raises(InputError, match=words):
        plane.add(**{"ids": ["a"], "texts": ["x"], "vectors": np.ones((1, 2)), **changed})
    assert len(plane) == 4


def test_half_characters_become_whole(plane):
    plane.add(["\ud83d"], ["x \ud83d"], [{"\ud83d": "y"}], vectors=[[-1, 0]])
    [result] = plane.search(np.array([[-1.0, 0.0]]), k=1)[0]
    assert (result["id"], result["text"], result["metadata"]) == ("\ufffd", "x \ufffd", {"\ufffd": "y"})


def test_texts_and_vectors_in_one_query_are_refused(plane):
    with pytest.raises(InputError, match="the vectors are not 2 lists of as many numbers each"):
        plane.search(["east", [1.0, 0.0]])


def test_what_is_no_index_is_refused(tmp_path):
    with pytest.raises(InputError, match="is no index"):
        Index.open(tmp_path)


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "documents.sqlite").write_bytes(b"no database, but some bytes" * 100)
    with pytest.raises(InputError, match="is damaged"):
        Index.open(tmp_path)


def test_a_cut_vector_is_refused(plane):
    with sqlite3.connect(plane.folder / "documents.sqlite") as file:
        file.execute("UPDATE vectors SET vector = x'0000'")
    file.close()
    with Index.open(plane.folder) as other, pytest.raises(InputError, match="is damaged: vectors are missing or cut"):
        other.search(np.ones((1, 2)))


def test_an_index_of_a_later_version_is_refused(plane):
    with sqlite3.connect(plane.folder / "documents.sqlite") as file:
        file.execute("UPDATE facts SET value = '2' WHERE name = 'format'")
    file.close()
    with pytest.raises(InputError, match="has the format 2, this version reads 1"):
        Index.open(plane.folder)


def test_an_existing_folder_is_not_replaced(plane):
    with pytest.raises(InputError, match="exists"):
        Index.create(plane.folder, dimension=2)


@pytest.mark.parametrize("options", [{}, {"model": BagModel(), "dimension": 6}, {"dimension": 0}])
def test_an_index_needs_a_model_or_a_dimension(tmp_path, options):
    with pytest.raises(InputError, match="dimension"):
        Index.create(tmp_path / "index", **options)


def test_a_folder_that_may_not_be_written_is_searched(plane):
    for path in (plane.folder / "documents.sqlite", plane.folder):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        with Index.open(plane.folder) as other:
            assert ids(other.search(np.array([[1.0, 0.0]]), k=1)) == [["east"]]
    finally:
        plane.folder.chmod(0o755)


# A page is read when it is needed: the file opens, and fails later.
@pytest.mark.parametrize("page", range(3, 9))
def test_a_damaged_page_is_named_wherever_it_is(plane, page):
    plane.close()
    file = plane.folder / "documents.sqlite"
    content, size = file.read_bytes(), 16384
    file.write_bytes(content[: page * size] + b"\xff" * size + content[(page + 1) * size :])
    with pytest.raises(InputError, match=r"documents\.sqlite (is damaged|cannot be read or written)"):
        use(plane.folder)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM documents",
        "DELETE FROM passages",
        "DROP TABLE passages",
        "UPDATE documents SET metadata = '{'",
        "UPDATE vectors SET vector = 'text'",
        "UPDATE facts SET value = '\"two\"' WHERE name = 'dimension'",
        "UPDATE facts SET value = '\"text\"' WHERE name = 'probes'",
    ],
)
def test_what_is_missing_in_a_file_is_named(plane, change):
    with sqlite3.connect(plane.folder / "documents.sqlite") as file:
        file.execute(change)
    file.close()
    with pytest.raises(InputError, match=r"documents\.sqlite (is damaged|cannot be read or written)"):
        use(plane.folder)


def use(folder):
    """Read every table and every index of an index without a model."""
    with Index.open(folder) as index:
        index.search(np.ones((1, 2)), k=4)
        index.add(["east", "new"], ["to the east", "far"], vectors=np.ones((2, 2)))
        index.delete(["north"])
        Store(folder / "documents.sqlite").vector_of(b"")


def test_ids_that_are_the_same_when_kept_are_refused(plane):
    with pytest.raises(InputError, match=r"ids\[0\] and ids\[1\] are both"):
        plane.add(["a\ud800", "a\ufffd"], ["one", "two"], vectors=np.ones((2, 2)))


def test_ids_with_half_characters_are_deleted_as_they_were_added(plane):
    plane.add(["a\ud800"], ["one"], vectors=np.ones((1, 2)))
    plane.delete(["a\ud800"])
    assert len(plane) == 4


def test_ids_that_are_no_texts_are_not_deleted(plane):
    with pytest.raises(InputError, match=r"ids\[1\] is 5; it must be a text"):
        plane.delete(["east", 5])
    assert len(plane) == 4


@pytest.mark.parametrize("k", [0, 2.5, "3", None, True])
def test_k_is_a_whole_number(plane, k):
    with pytest.raises(InputError, match=r"k is .*; it must be a whole number, 1 or more"):
        plane.search(np.ones((1, 2)), k=k)
