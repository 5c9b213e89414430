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
    (tmp_path / "out" / "mine.txt").write_text("mine")
    rename = Path.rename

    def rename_all_but_the_new_one(path, target):
        if path.name == "out" and path.parent != tmp_path:
            raise error
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", rename_all_but_the_new_one)
    with pytest.raises(type(error)), output_folder(tmp_path / "out", force=True) as folder:
        (folder / "new.txt").write_text("new")

    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"
    assert os.listdir(tmp_path) == ["out"]


def test_force_replaces_a_link_and_not_what_it_points_to(tmp_path):
    (tmp_path / "theirs.txt").write_text("theirs")
    (tmp_path / "out.txt").symlink_to(tmp_path / "theirs.txt")

    with output_file(tmp_path / "out.txt", force=True) as file:
        file.write_text("new")

    assert (tmp_path / "out.txt").read_text() == "new"
    assert (tmp_path / "theirs.txt").read_text() == "theirs"
