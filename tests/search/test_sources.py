"""Documents from folders, tables and text files."""

import pytest

from bert_keras.errors import InputError
from bert_keras.search import documents


def test_a_folder_gives_its_text_files_by_their_paths(write, tmp_path):
    write("notes/b.md", "# B\r\n\r\ntext")
    write("notes/deep/a.TXT", "a text")
    for name in ("notes/c.pdf", "notes/.hidden.txt", "notes/.git/d.md", ".notes.txt"):
        write(name, "other")
    write("notes/empty.txt", " \n")
    found = documents(tmp_path / "notes")
    assert found.ids == ["b.md", "deep/a.TXT"]
    assert found.texts == ["# B\r\n\r\ntext", "a text"]
    assert found.metadata == [{}, {}]


def test_a_hidden_folder_that_is_named_is_read(write, tmp_path):
    write(".notes/a.txt", "text")
    assert documents(tmp_path / ".notes").ids == ["a.txt"]


def test_a_table_keeps_its_further_columns(write):
    path = write(
        "t.jsonl", '{"_id": 7, "text": "a", "year": 1999, "tags": ["x"]}\n\n{"_id": "b", "text": "c", "x": null}\n'
    )
    found = documents(path)
    assert found.ids == ["7", "b"]
    assert found.texts == ["a", "c"]
    assert found.metadata == [{"year": 1999, "tags": ["x"]}, {}]


def test_columns_may_be_named(write):
    found = documents(write("t.csv", 'key,body,text\nk,"a, b",x\n'), text="body", id="key")
    assert (found.ids, found.texts, found.metadata) == (["k"], ["a, b"], [{"text": "x"}])


def test_without_ids_the_line_is_the_id(write):
    assert documents(write("t.tsv", "label\ttext\n1\ta\n0\tb\n")).ids == ["t.tsv:2", "t.tsv:3"]


def test_a_text_file_has_a_text_a_line(write):
    found = documents(write("t.txt", "a\n\nb\u2028c\n"))
    assert (found.ids, found.texts) == (["t.txt:1", "t.txt:3"], ["a", "b\u2028c"])


def test_values_of_parquet_that_json_lacks_are_text(tmp_path):
    import datetime

    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(
        {"id": ["a"], "text": ["x"], "day": [datetime.date(2020, 1, 2)], "rank": [float("nan")], "n": [1.5]}
    )
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    assert documents(tmp_path / "t.parquet").metadata == [{"day": "2020-01-02", "n": 1.5}]


BAD = {
    "no text": ("t.jsonl", '{"text": "a"}\n{"text": null}\n', "t.jsonl, line 2: 'text' holds no text"),
    "blank": ("t.tsv", "id\ttext\n1\ta\n2\t \n", "t.tsv, line 3: 'text' holds no text"),
    "no id": ("t.jsonl", '{"id": "1", "text": "a"}\n{"text": "b"}\n', "t.jsonl, line 2: 'id' holds no id"),
    "id twice": ("t.csv", "id,text\n1,a\n2,b\n1,c\n", "t.csv, line 4: the id '1' is that of line 2 too"),
    "no JSON": ("t.jsonl", '{"text": "a"}\nb\n', "t.jsonl, line 2, column 1: not JSON"),
    "not UTF-8": ("t.txt", b"a\ncaf\xe9\n", "t.txt, line 2, byte 4"),
    "blank file": ("t.txt", "\n \n", "t.txt is empty"),
    "another kind": ("t.pdf", "a", r"t.pdf: give a folder, or a file that ends in .txt, .md, .csv"),
    "no column": ("t.csv", "a,b\n1,2\n", "no column"),
    "in a folder": ("d/t.md", b"\xff", "t.md, line 1, byte 1"),
    "no such files": ("d/t.pdf", "a", "d holds no text: no file in it ends in .txt or .md"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_sources_are_refused_with_the_place(write, name):
    file, content, words = BAD[name]
    path = write(file, content)
    with pytest.raises(InputError, match=words):
        documents(path.parent if file.startswith("d/") else path)


def test_a_missing_source_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no\.txt: there is no such file"):
        documents(tmp_path / "no.txt")


def test_a_missing_column_of_ids_is_refused(write):
    with pytest.raises(InputError, match="has no column 'key'"):
        documents(write("t.csv", "id,text\n1,a\n"), id="key")
