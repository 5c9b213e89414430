"""Any number of labels a text, from a file to every kind of predictor."""

import json
import shutil

import keras
import numpy as np
import pytest
import tiny
from classifier_goldens import GOLDENS, adapted
from tiny_training import SPECIAL, answers_to, learned, new_model

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.evaluation import SCORES
from bert_keras.export import RECIPES, ModelPredictor, saved_model, tflite
from bert_keras.pretrained import load_for_labels, load_with_report
from bert_keras.tasks import labels_of, multi_label_classification, options_of, task_of

TASK = "multi-label-classification"
LABELS = ["food", "sport", "travel"]
THRESHOLDS = [0.25, 0.5, 0.75]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return learned(TASK, tmp_path_factory.mktemp("data"), "topics.jsonl", bk.data.table, epochs=60, labels=LABELS)


@pytest.fixture(scope="module")
def folder(trained, tmp_path_factory):
    """The model with thresholds of its own, as a folder."""
    model, tokenizer, _ = trained
    model.get_layer("multi_label_head").thresholds = THRESHOLDS
    folder = tmp_path_factory.mktemp("model") / "topics"
    bk.save(model, tokenizer, folder)
    model.get_layer("multi_label_head").thresholds = [0.5] * 3
    return folder


def test_a_small_file_is_learned_by_heart(trained):
    found = SCORES["multi-label"](trained[2], answers_to(*trained)).metrics
    assert (found["micro_f1"], found["subset_accuracy"]) == (1, 1)


def test_scores_of_labels_do_not_compete(trained):
    model, tokenizer, _ = trained
    texts = ["the soup was warm and the team won the match", "nothing happened today"]
    logits = tiny.outputs(model, tokenizer(texts))
    [both, none] = ModelPredictor(model, tokenizer)(texts)
    np.testing.assert_allclose(list(both["scores"].values()), 1 / (1 + np.exp(-np.float64(logits[0]))), atol=1e-6)
    assert (sorted(both["labels"]), none["labels"]) == (["food", "sport"], [])


# The cuts of one label: 0.8 and 0.7 are right, 0.6 is wrong, so the threshold lies at 0.65.
def test_thresholds_are_tuned_on_held_out_answers():
    model = new_model(TASK, bk.Tokenizer.from_vocabulary(SPECIAL), ["a", "b"])
    rows = bk.data.Rows("valid", ["x"] * 4, None, None, range(1, 5), label_lists=[["a"], ["a"], [], ["b"]])
    scores = [(0.8, 0.1), (0.7, 0.1), (0.6, 0.1), (0.2, 0.2)]
    told = bk.training.tune(model, rows, [{"scores": {"a": a, "b": b}} for a, b in scores])
    assert model.get_layer("multi_label_head").thresholds == pytest.approx([0.65, 0.15])
    assert told == "thresholds: a 0.65, b 0.15"


def test_a_task_without_thresholds_is_named():
    model = new_model("text-regression", bk.Tokenizer.from_vocabulary(SPECIAL))
    with pytest.raises(bk.InputError, match=f"nothing to tune for text-regression; tasks with something are .*{TASK}"):
        bk.training.tune(model, None, [])


def test_thresholds_are_saved_with_the_model(folder, tmp_path):
    model, _ = bk.load(folder)
    assert options_of(model) == {"windows": False, "thresholds": THRESHOLDS}
    model.save(tmp_path / "x.keras")
    assert options_of(keras.saving.load_model(tmp_path / "x.keras"))["thresholds"] == THRESHOLDS


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_file_answers_as_the_folder(folder, trained, recipe, tmp_path):
    examples = trained[2]
    report = tflite(folder, tmp_path / "x.tflite", recipe, check=examples)
    right, found = (bk.predictor(path)(examples.texts) for path in (folder, tmp_path / "x.tflite"))
    assert (report.agreement, report.examples, report.model_accuracy) == (1, len(examples), None)
    assert report.max_probability_difference < {"float32": 1e-5, "float16": 2e-3}.get(recipe, 0.1)
    assert [sorted(answer["labels"]) for answer in found] == [sorted(answer["labels"]) for answer in right]


def test_a_saved_model_answers_as_the_folder(folder, trained, tmp_path):
    texts = trained[2].texts
    version = saved_model(folder, tmp_path / "serving")
    for theirs, ours in zip(bk.predictor(folder)(texts), bk.predictor(version)(texts), strict=True):
        assert ours["labels"] == theirs["labels"]
        assert ours["scores"] == pytest.approx(theirs["scores"], abs=1e-5)


def test_a_threshold_decides_and_the_user_s_wins(folder):
    scores = bk.predictor(folder)(["the soup was late"])[0]["scores"]
    found = bk.predictor(folder, thresholds=list(scores.values()))(["the soup was late"])[0]
    assert found["labels"] == sorted(LABELS, key=lambda label: -scores[label])  # a label is given from its threshold on
    assert bk.predictor(folder, thresholds=[1.1] * 3)(["the soup was late"])[0]["labels"] == []
    with pytest.raises(bk.InputError, match="there are 2 thresholds for 3 labels"):
        bk.predictor(folder, thresholds=[0.5, 0.5])


@pytest.mark.parametrize("family", GOLDENS)
def test_folders_of_transformers_have_its_logits_and_loss(family, tmp_path):
    golden = adapted(family, tmp_path / "theirs", problem_type="multi_label_classification")
    model, _ = bk.load(tmp_path / "theirs")
    marks = np.random.default_rng(0).integers(0, 2, golden["logits"].shape).astype(np.float32)
    model.compile(**bk.training.recipe(model))
    logits = np.float64(golden["logits"])
    # BCEWithLogitsLoss: the mean of ln(1 + e^x) - x·y.
    right = np.mean(np.logaddexp(0, logits) - logits * marks)

    found = model(golden["inputs"], training=False)

    assert (task_of(model), len(labels_of(model))) == (TASK, 12)
    np.testing.assert_allclose(found, logits, atol=1e-5)
    assert float(model.compute_loss(x=golden["inputs"], y=marks, y_pred=found)) == pytest.approx(right, abs=1e-5)


def test_a_saved_folder_is_multi_label_in_transformers(folder, trained):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    inputs = trained[1](["the soup was warm", "nothing happened today"])
    marks = np.array([[1, 0, 0], [0, 0, 0]], np.float32)
    theirs = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    model, _ = bk.load(folder)
    logits = np.float64(model(inputs, training=False))

    names = {"input_ids": "token_ids", "token_type_ids": "segment_ids", "attention_mask": "padding_mask"}
    found = theirs(**{name: torch.tensor(inputs[own]) for name, own in names.items()}, labels=torch.tensor(marks))

    assert theirs.config.problem_type == "multi_label_classification"
    assert list(theirs.config.id2label.values()) == LABELS
    np.testing.assert_allclose(found.logits.detach().numpy(), logits, atol=1e-5)
    assert found.loss.item() == pytest.approx(np.mean(np.logaddexp(0, logits) - logits * marks), abs=1e-5)


def test_a_head_for_the_same_labels_stays_with_its_thresholds(folder):
    model, _, report = load_for_labels(folder, TASK, LABELS[::-1])
    assert (labels_of(model), report.new) == (LABELS, [])
    assert options_of(model)["thresholds"] == THRESHOLDS


def test_a_head_for_other_labels_is_new_with_new_thresholds(folder):
    model, _, report = load_for_labels(folder, TASK, ["x", "y", "z"])
    assert {path.split("/")[0] for path in report.new} == {"multi_label_head"}
    assert options_of(model)["thresholds"] == [0.5] * 3


# Each was trained for something else: one label of several, or any number of them.
@pytest.mark.parametrize("task", ["text-classification", "text-regression"])
def test_a_head_of_another_kind_is_not_taken_over(folder, task):
    model, _, report = load_for_labels(folder, task, LABELS)
    assert task_of(model) == task
    assert len(report.new) == 2 and "the model has no such part" in report.ignored.values()


# transformers keeps the key that tells our task where it trains another head.
def test_what_transformers_trained_since_wins(folder, tmp_path):
    config = json.loads((folder / "config.json").read_text())
    shutil.copytree(folder, tmp_path / "since")
    (tmp_path / "since" / "config.json").write_text(json.dumps({**config, "problem_type": "regression"}))
    assert task_of(bk.load(tmp_path / "since")[0]) == "text-regression"


def test_a_tensorflow_1_checkpoint_keeps_labels_and_thresholds(folder, tmp_path):
    model, tokenizer = bk.load(folder)
    values = {**config_of(model).to_dict(), "layer_norm_eps": 1e-12, "hidden_act": "gelu_new"}
    made = multi_label_classification(bk.encoder(bk.EncoderConfig.from_dict(values)), LABELS, thresholds=THRESHOLDS)
    bk.save(made, tokenizer, tmp_path / "tf1", layout="tf1")
    copy, _, report = load_with_report(tmp_path / "tf1")
    assert (task_of(copy), labels_of(copy), report.new) == (TASK, LABELS, [])
    assert options_of(copy)["thresholds"] == THRESHOLDS


def test_keras_hub_has_no_such_classifier(folder, tmp_path):
    with pytest.raises(bk.InputError, match="choose one of several labels, this one is for multi_label_classification"):
        bk.save(*bk.load(folder), tmp_path / "preset", layout="keras-hub")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"labels": []}, "needs at least one label"),
        ({"labels": ["a", "a"]}, "named twice"),
        ({"labels": ["a", "b"], "thresholds": [0.5]}, "1 thresholds for 2 labels"),
        ({"labels": ["a", "b"], "thresholds": [0.5, 2]}, "threshold of 'b' is 2"),
    ],
)
def test_heads_that_cannot_be_are_refused(options, words):
    with pytest.raises(bk.InputError, match=words):
        multi_label_classification(bk.encoder(tiny.CONFIG), **options)
