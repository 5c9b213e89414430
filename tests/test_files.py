"""Results appear whole or not at all, and nothing is lost on the way."""

import os
from pathlib import Path

import pytest

from bert_keras.errors import InputError
from bert_keras.files import output_file, output_folder


def test_a_file_never_replaces_a_folder(tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "mine.txt").write_text("mine")

    refused = pytest.raises(InputError, match="runs is a folder: name the file to write in it")
    with refused, output_file(tmp_path / "runs", force=True):
        pytest.fail("the folder must be refused before any work")

    assert (tmp_path / "runs" / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("error", [OSError("the disk is gone"), KeyboardInterrupt()])
def test_a_folder_whose_successor_cannot_take_its_place_stays(tmp_path, monkeypatch, error):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "vocab.txt").write_text("mine")
    rename = Path.rename

    def rename_all_but_the_new_one(path, target):
        if path.name == "out" and path.parent != tmp_path:
            raise error
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", rename_all_but_the_new_one)
    with pytest.raises(type(error)), output_folder(tmp_path / "out", force=True) as folder:
        (folder / "new.txt").write_text("new")

    assert (tmp_path / "out" / "vocab.txt").read_text() == "mine"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize(
    "name", ["train.tsv", ".git", "model.bin", "7", "app_config.json", "assets/1.jpg", "model/a.py", "checkpoint/a"]
)
def test_a_folder_with_something_of_the_users_is_never_replaced(tmp_path, name):
    (tmp_path / "out" / name).parent.mkdir(parents=True)
    (tmp_path / "out" / "config.json").touch()
    (tmp_path / "out" / name).write_text("theirs")

    refused = pytest.raises(InputError, match=f"out holds {name}, which was not written by bert_keras")
    with refused, output_folder(tmp_path / "out", force=True):
        pytest.fail("the folder must be refused before any work")

    assert (tmp_path / "out" / name).read_text() == "theirs"


def test_force_replaces_a_link_and_not_what_it_points_to(tmp_path):
    (tmp_path / "theirs.txt").write_text("theirs")
    (tmp_path / "out.txt").symlink_to(tmp_path / "theirs.txt")

    with output_file(tmp_path / "out.txt", force=True) as file:
        file.write_text("new")

    assert (tmp_path / "out.txt").read_text() == "new"
    assert (tmp_path / "theirs.txt").read_text() == "theirs"


@pytest.mark.parametrize("path", [".", "..", "/", "", "../here", "link"])
def test_the_folder_one_works_in_is_never_replaced(tmp_path, monkeypatch, path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "link").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path / "here")

    refused = pytest.raises(InputError, match="is the folder you are in, or holds it")
    with refused, output_folder(path, force=True):
        pytest.fail("the folder must be refused before any work")


@pytest.mark.parametrize("kind", ["file", "link", "broken link"])
def test_a_folder_replaces_a_file_and_a_link(tmp_path, kind):
    theirs, out = tmp_path / "theirs", tmp_path / "out"
    theirs.mkdir()
    (theirs / "theirs.txt").write_text("theirs")
    if kind == "file":
        out.write_text("old")
    else:
        out.symlink_to("theirs" if kind == "link" else "nowhere")

    with output_folder(out, force=True) as folder:
        (folder / "new.txt").write_text("new")

    assert not out.is_symlink()
    assert os.listdir(out) == ["new.txt"]
    assert os.listdir(theirs) == ["theirs.txt"]
    assert sorted(os.listdir(tmp_path)) == ["out", "theirs"]


def test_a_path_that_goes_up_again_is_followed(tmp_path):
    (tmp_path / "out" / "model").mkdir(parents=True)

    with output_folder(tmp_path / "out" / "model" / "..", force=True) as folder:
        (folder / "new.txt").write_text("new")

    assert os.listdir(tmp_path) == ["out"]
    assert os.listdir(tmp_path / "out") == ["new.txt"]


def test_a_failure_takes_back_the_parents_that_it_made(tmp_path):
    (tmp_path / "kept").mkdir()

    with pytest.raises(OSError, match="full"), output_folder(tmp_path / "kept" / "new" / "newer" / "1"):
        raise OSError("full")

    assert os.listdir(tmp_path) == ["kept"]
    assert os.listdir(tmp_path / "kept") == []
