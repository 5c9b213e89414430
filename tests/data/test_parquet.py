"""Parquet files, with the names of classes that Hugging Face's `datasets` keeps in them."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bert_keras import data
from bert_keras.errors import InputError


@pytest.fixture
def save(tmp_path):
    """Write columns, and the names of classes, to a Parquet file of two row groups."""

    def save(columns, **features):
        metadata = {"huggingface": json.dumps({"info": {"features": features}})} if features else None
        path = tmp_path / "lang=en" / "a.parquet"
        path.parent.mkdir()
        pq.write_table(pa.table(columns).replace_schema_metadata(metadata), path, row_group_size=2)
        return path

    return save


def classes(*names):
    return {"names": list(names), "_type": "ClassLabel"}


def test_table(save):
    rows = data.table(save({"text": ["a", "b", "c"], "label": [1, 0, 1]}))
    assert (rows.texts, rows.labels) == (["a", "b", "c"], ["1", "0", "1"])
    assert rows.where(2).endswith("a.parquet, row 3")


def test_names_of_classes(save):
    path = save({"text": ["a", "b"], "label": [1, 0]}, text={"dtype": "string"}, label=classes("bad", "good"))
    assert data.table(path).labels == ["good", "bad"]


def test_hidden_classes(save):
    assert data.table(save({"text": ["a", "b"], "label": [-1, -1]}, label=classes("bad", "good"))).labels is None


def test_tagged_words(save):
    tags = {"feature": classes("O", "B-PER", "I-PER"), "_type": "Sequence"}
    found = data.tagged(save({"tokens": [["Ann", "Lee"], ["is"]], "ner_tags": [[1, 2], [0]]}, ner_tags=tags))
    assert (found.words, found.tags) == ([["Ann", "Lee"], ["is"]], [["B-PER", "I-PER"], ["O"]])
    assert found.where(1, 0).endswith("row 2, word 1")


def test_questions(save):
    answers = [{"text": ["cat"], "answer_start": [2]}, {"text": [], "answer_start": []}]
    columns = {"id": ["x", "y"], "question": ["q", "r"], "context": ["a cat"] * 2, "answers": answers}
    assert data.questions(save(columns)).answers == [[("cat", 2)], []]


def test_lists_of_labels(save):
    assert data.table(save({"text": ["a", "b"], "labels": [["x", "y"], []]})).label_lists == [["x", "y"], []]


def test_null_names_its_row(save):
    path = save({"text": ["a", "b", None]})
    with pytest.raises(InputError, match=r"a\.parquet, row 3: 'text' holds no text"):
        data.table(path)


@pytest.mark.parametrize(("content", "message"), [(b"text\nx\n", "is no Parquet file"), (b"PAR1", "cannot be read as")])
def test_other_files(tmp_path, content, message):
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        data.table(path)


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        data.table(tmp_path / "a.parquet")


def test_no_rows(save):
    with pytest.raises(InputError, match="holds no rows"):
        data.table(save({"text": pa.array([], pa.string())}))
