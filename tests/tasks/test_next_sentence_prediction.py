"""Pairs of sentences, from a file to every kind of predictor."""

import pytest
from tiny_training import answers_to, learned

import bert_keras as bk
from bert_keras.evaluation import SCORES
from bert_keras.export import saved_model, tflite
from bert_keras.pretrained import load_with_report

TASK = "next-sentence-prediction"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return learned(TASK, tmp_path_factory.mktemp("data"), "follows.tsv", bk.data.table, epochs=40)


def test_a_small_file_is_learned_by_heart(trained):
    assert SCORES["labels"](trained[2], answers_to(*trained)).metrics["accuracy"] == 1


def test_folder_file_and_saved_model_answer_alike(trained, tmp_path):
    model, tokenizer, examples = trained
    bk.save(model, tokenizer, tmp_path / "folder")
    # A trained head is kept: its labels are always the same.
    assert load_with_report(tmp_path / "folder", TASK)[2].new == []
    report = tflite(tmp_path / "folder", tmp_path / "x.tflite", "float32", check=examples)
    assert (report.file_accuracy, report.agreement) == (1, 1)
    version = saved_model(tmp_path / "folder", tmp_path / "serving")
    right = [answer["scores"] for answer in answers_to(*trained)]
    for place in (tmp_path / "folder", tmp_path / "x.tflite", version):
        found = [answer["scores"] for answer in bk.predictor(place)(examples.texts, examples.pairs)]
        assert [list(scores) for scores in found] == [["is_next", "not_next"]] * len(examples)
        assert [scores["is_next"] for scores in found] == pytest.approx([each["is_next"] for each in right], abs=1e-4)


def test_another_label_is_named(trained):
    model, tokenizer, _ = trained
    rows = bk.data.Rows("own.tsv", ["a", "b"], ["c", "d"], ["is_next", "maybe"], [2, 3])
    with pytest.raises(bk.InputError, match=r"own\.tsv, line 3: .*'maybe'"):
        bk.data.read(rows, tokenizer, model)
