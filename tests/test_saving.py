"""Saving folders whole or not at all."""

import errno
import os
from pathlib import Path

import keras
import pytest
from tiny import golden

import bert_keras as bk


@pytest.fixture
def loaded():
    return bk.load(golden("fill-mask"))


def test_existing_folder_is_refused_and_left_as_it_is(tmp_path, loaded):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")

    with pytest.raises(bk.InputError, match=r"out exists: choose another path or pass force=True \(--force\)"):
        bk.save(*loaded, tmp_path / "out")

    assert [file.name for file in tmp_path.rglob("*")] == ["out", "mine.txt"]


def test_existing_folder_is_replaced_by_force(tmp_path, loaded):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.tflite").write_text("old")

    bk.save(*loaded, tmp_path / "out", force=True)

    assert not (tmp_path / "out" / "old.tflite").exists()
    assert (tmp_path / "out" / "model.safetensors").exists()
    assert os.listdir(tmp_path) == ["out"]


def spoil(monkeypatch, name, error):
    """Let the writing of one file break off in its middle."""
    write = Path.write_bytes

    def write_half(file, content):
        if file.name != name:
            return write(file, content)
        write(file, content[: len(content) // 2])
        raise error

    monkeypatch.setattr(Path, "write_bytes", write_half)


@pytest.mark.parametrize("file", ["model.safetensors", "vocab.txt"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_disk_that_fills_and_ctrl_c_leave_nothing(tmp_path, loaded, monkeypatch, file, error):
    spoil(monkeypatch, file, error)

    with pytest.raises(type(error)):
        bk.save(*loaded, tmp_path / "out")

    assert list(tmp_path.iterdir()) == []


def test_disk_that_fills_leaves_the_old_folder(tmp_path, loaded, monkeypatch):
    bk.save(*loaded, tmp_path / "out")
    before = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    spoil(monkeypatch, "model.safetensors", OSError(errno.ENOSPC, "No space left on device"))

    with pytest.raises(OSError, match="No space left on device"):
        bk.save(*loaded, tmp_path / "out", force=True)

    assert {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()} == before
    assert os.listdir(tmp_path) == ["out"]


def test_foreign_model_is_refused(tmp_path, loaded):
    x = keras.Input((3,))

    with pytest.raises(bk.InputError, match="was not made by bert_keras"):
        bk.save(keras.Model(x, keras.layers.Dense(2)(x)), loaded[1], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_tokenizer_of_another_model_is_refused(tmp_path, loaded):
    model, tokenizer = loaded
    other = bk.Tokenizer.from_vocabulary([*tokenizer.vocabulary, *(f"more{i}" for i in range(100))])

    with pytest.raises(bk.InputError, match="pass the tokenizer that belongs to the model"):
        bk.save(model, other, tmp_path / "out")

    assert not any(tmp_path.iterdir())
