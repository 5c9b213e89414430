"""TFDS names: prepared data is read, nothing is downloaded."""

import numpy as np
import pytest
import tensorflow_datasets as tfds

from bert_keras import data
from bert_keras.errors import InputError

NAMES = tfds.features.ClassLabel(names=["negative", "positive"])
PAIRS = tfds.features.FeaturesDict({"idx": np.int32, "label": NAMES, "sentence": tfds.features.Text()})


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A data_dir with mini/pairs in two versions, written by TFDS itself."""
    root = tmp_path_factory.mktemp("tfds")
    rows = {
        "train": [("good", 1), ("bad é", 0), ("fine", 1)],
        "test": [("x", -1), ("y", -1)],
        "some": [("x", -1), ("y", 1)],
    }
    write(root, "mini/pairs/1.0.0", PAIRS, {"train": examples([("old", 0)])})
    write(root, "mini/pairs/1.10.0", PAIRS, {split: examples(of_split) for split, of_split in rows.items()})
    return root


def examples(rows):
    return [{"idx": i, "sentence": text, "label": label} for i, (text, label) in enumerate(rows)]


def write(root, name, features, splits):
    folder = root / name
    folder.mkdir(parents=True)
    name, *config, version = name.split("/")
    identity = tfds.core.DatasetIdentity(
        name=name,
        version=tfds.core.Version(version),
        data_dir=str(folder),
        module_name=name,
        config_name=config[0] if config else None,
    )
    writer = tfds.core.SequentialWriter(tfds.core.DatasetInfo(builder=identity, features=features), 100)
    writer.initialize_splits(list(splits))
    for split, rows in splits.items():
        writer.add_examples({split: rows})
    writer.close_all()


@pytest.fixture
def prepare(tmp_path):
    """Prepare rows as the train split of a data set that TFDS knows, with its own features, and return its name."""

    def prepare(name, *rows):
        features = tfds.builder(name, data_dir=tmp_path / "none").info.features
        write(tmp_path, f"{name}/1.0.0", features, {"train": list(rows)})
        return {"source": f"tfds:{name}", "data_dir": tmp_path}

    return prepare


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
    with pytest.raises(InputError, match="no split 'validation'; the splits are some, test, train"):
        data.table("tfds:mini/pairs:validation", data_dir=prepared)


def test_unprepared_data_says_what_prepares_it(tmp_path):
    with pytest.raises(InputError, match=f"run `tfds build glue/sst2 --data_dir={tmp_path}`"):
        data.table("tfds:glue/sst2:validation", data_dir=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["tfds:", "tfds:a:b:c"])
def test_names_that_are_none(name):
    with pytest.raises(InputError, match="looks like tfds:glue/sst2"):
        data.table(name)


def test_examples_without_a_label_among_others_are_left_out(prepared):
    # SNLI has such, where people did not agree.
    with pytest.warns(UserWarning, match="1 examples without a label are left out"):
        rows = data.table("tfds:mini/pairs:some", data_dir=prepared)
    assert (rows.texts, rows.labels, rows.where(0)) == (["y"], ["positive"], "tfds:mini/pairs:some, example 2")


@pytest.mark.parametrize(
    ("task", "text", "pair", "label"),
    [
        ("cola", "sentence", None, "acceptable"),
        ("sst2", "sentence", None, "positive"),
        ("mrpc", "sentence1", "sentence2", "equivalent"),
        ("qqp", "question1", "question2", "duplicate"),
        ("stsb", "sentence1", "sentence2", "3.8"),
        ("mnli", "premise", "hypothesis", "neutral"),
        ("qnli", "question", "sentence", "not_entailment"),
        ("rte", "sentence1", "sentence2", "not_entailment"),
        ("wnli", "sentence1", "sentence2", "entailment"),
        ("ax", "premise", "hypothesis", "neutral"),
    ],
)
def test_glue(prepare, task, text, pair, label):
    row = {"idx": 0, text: "first", "label": 3.8 if task == "stsb" else 1}
    rows = data.table(**prepare(f"glue/{task}", row if pair is None else {**row, pair: "second"}))
    assert (rows.texts, rows.pairs, rows.labels) == (["first"], ["second"] if pair else None, [label])
    assert (rows.columns.text, rows.columns.pair, rows.columns.label) == (text, pair, "label")


def test_hidden_scores(prepare):
    row = {"idx": 0, "sentence1": "a", "sentence2": "b", "label": -1.0}
    assert data.table(**prepare("glue/stsb", row, {**row, "idx": 1})).labels is None


def test_news_by_their_description(prepare):
    rows = data.table(**prepare("ag_news_subset", {"label": 2, "title": "a", "description": "b"}))
    assert (rows.texts, rows.labels) == (["b"], ["Business"])


def test_tagged_words_of_conll2003(prepare):
    row = {"tokens": ["EU", "calls"], "pos": [22, 42], "chunks": [11, 21], "ner": [3, 0]}
    found = data.tagged(**prepare("conll2003", row))
    assert (found.words, found.tags) == ([["EU", "calls"]], [["B-ORG", "O"]])
    assert found.where(0, 1) == "tfds:conll2003, example 1, word 2"


def test_parts_of_speech_of_conll2003(prepare):
    row = {"tokens": ["EU", "calls"], "pos": [22, 42], "chunks": [11, 21], "ner": [3, 0]}
    found = data.tagged(**prepare("conll2003", row), tags="pos")
    assert (found.tags, found.plain) == ([["NNP", "VBZ"]], True)


@pytest.mark.parametrize("version", ["v1.1", "v2.0"])
def test_questions_of_squad(prepare, version):
    row = {
        "title": "t",
        "id": "a",
        "question": "q",
        "context": "é cat",
        "answers": {"text": ["cat"], "answer_start": [2]},
    }
    rows, right = [row], [[("cat", 2)]]
    if version == "v2.0":
        others = {"plausible_answers": {"text": [], "answer_start": []}, "is_impossible": False}
        none = {"answers": others["plausible_answers"], "is_impossible": True, "id": "b"}
        rows, right = [{**row, **others}, {**row, **others, **none}], [[("cat", 2)], []]
    found = data.questions(**prepare(f"squad/{version}", *rows))
    assert (found.contexts[0], found.answers) == ("é cat", right)


def test_choices_of_copa(prepare):
    row = {"idx": 0, "premise": "p", "choice1": "a", "choice2": "b", "question": "cause"}
    found = data.choices(**prepare("super_glue/copa", {**row, "label": 1}, {**row, "label": 0}))
    assert (found.prompts[0], found.choices[0], found.labels) == ("p", ["cause a", "cause b"], [1, 0])
