"""TFDS names: prepared data is read, nothing is downloaded."""

import numpy as np
import pytest
import tensorflow_datasets as tfds

from bert_keras import data
from bert_keras.errors import InputError


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A data_dir with mini/pairs in two versions, written by TFDS itself."""
    root = tmp_path_factory.mktemp("tfds")
    write(root, "1.0.0", {"train": [("old", 0)]})
    write(root, "1.10.0", {"train": [("good", 1), ("bad é", 0), ("fine", 1)], "test": [("x", -1), ("y", -1)]})
    return root


def write(root, version, splits):
    folder = root / "mini" / "pairs" / version
    folder.mkdir(parents=True)
    names = tfds.features.ClassLabel(names=["negative", "positive"])
    features = tfds.features.FeaturesDict({"idx": np.int32, "label": names, "sentence": tfds.features.Text()})
    identity = tfds.core.DatasetIdentity(
        name="mini", version=tfds.core.Version(version), data_dir=str(folder), module_name="mini", config_name="pairs"
    )
    writer = tfds.core.SequentialWriter(tfds.core.DatasetInfo(builder=identity, features=features), 100)
    writer.initialize_splits(list(splits))
    for split, rows in splits.items():
        examples = [{"idx": i, "sentence": text, "label": label} for i, (text, label) in enumerate(rows)]
        writer.add_examples({split: examples})
    writer.close_all()


def test_rows_of_the_newest_version_with_names_of_labels(prepared):
    rows = data.table("tfds:mini/pairs", data_dir=prepared)
    assert rows.texts == ["good", "bad é", "fine"]
    assert rows.labels == ["positive", "negative", "positive"]
    assert rows.where(1) == "tfds:mini/pairs, example 2"


def test_version_by_name(prepared):
    assert data.table("tfds:mini/pairs/1.0.0", data_dir=prepared).texts == ["old"]


def test_split_with_hidden_labels(prepared):
    rows = data.table("tfds:mini/pairs:test", data_dir=prepared)
    assert (rows.texts, rows.labels) == (["x", "y"], None)


def test_labels(prepared):
    assert data.labels("tfds:mini/pairs", data_dir=prepared) == ["negative", "positive"]


def test_absent_split_lists_those_that_exist(prepared):
    with pytest.raises(InputError, match="no split 'validation'; the splits are test, train"):
        data.table("tfds:mini/pairs:validation", data_dir=prepared)


def test_unprepared_data_says_what_prepares_it(tmp_path):
    with pytest.raises(InputError, match=f"run `tfds build glue/sst2 --data_dir={tmp_path}`"):
        data.table("tfds:glue/sst2:validation", data_dir=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["tfds:", "tfds:a:b:c"])
def test_names_that_are_none(name):
    with pytest.raises(InputError, match="looks like tfds:glue/sst2"):
        data.table(name)
