"""A number a text, from a file to every kind of predictor."""

import json

import numpy as np
import pytest
import tiny
from classifier_goldens import GOLDENS, adapted
from tiny_training import answers_to, learned

import bert_keras as bk
from bert_keras.evaluation import SCORES
from bert_keras.export import RECIPES, saved_model, tflite
from bert_keras.pretrained import load_with_report
from bert_keras.tasks import labels_of, task_of, text_regression

TASK = "text-regression"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return learned(TASK, tmp_path_factory.mktemp("data"), "ratings.tsv", bk.data.table, epochs=50)


@pytest.fixture(scope="module")
def folder(trained, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "ratings"
    bk.save(trained[0], trained[1], folder)
    return folder


def scores(path, texts):
    return [answer["score"] for answer in bk.predictor(path)(texts)]


def test_a_small_file_is_learned_by_heart(trained):
    found = SCORES["numbers"](trained[2], answers_to(*trained)).metrics
    assert found["pearson"] > 0.999 and found["mae"] < 0.05


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_file_answers_as_the_folder(folder, trained, recipe, tmp_path):
    texts = trained[2].texts
    report = tflite(folder, tmp_path / "x.tflite", recipe, check=trained[2])
    assert (report.agreement, report.max_probability_difference, report.examples) == (None, None, len(texts))
    tolerance = {"float32": 1e-5, "float16": 1e-2}.get(recipe, 0.2)
    assert scores(tmp_path / "x.tflite", texts) == pytest.approx(scores(folder, texts), abs=tolerance)


def test_a_saved_model_answers_as_the_folder(folder, trained, tmp_path):
    texts = trained[2].texts
    assert scores(saved_model(folder, tmp_path / "serving"), texts) == pytest.approx(scores(folder, texts), abs=1e-5)


@pytest.mark.parametrize("problem_type", ["regression", None])
@pytest.mark.parametrize("family", GOLDENS)
def test_folders_of_transformers_with_one_number_have_its_value_and_loss(family, problem_type, tmp_path):
    golden = adapted(family, tmp_path / "theirs", numbers=1, problem_type=problem_type)
    model, _ = bk.load(tmp_path / "theirs")
    model.compile(**bk.training.recipe(model))
    wanted = np.array([[0.5], [-2], [3]], np.float32)

    found = model(golden["inputs"], training=False)

    assert (task_of(model), labels_of(model)) == (TASK, ["class 0"])
    np.testing.assert_allclose(found, golden["logits"], atol=1e-5)
    # MSELoss.
    right = np.mean((np.float64(golden["logits"]) - wanted) ** 2)
    assert float(model.compute_loss(x=golden["inputs"], y=wanted, y_pred=found)) == pytest.approx(right, rel=1e-5)


def test_folders_of_transformers_with_several_numbers_are_scored_by_name(tmp_path):
    golden = adapted("bert", tmp_path / "theirs", numbers=3, problem_type="regression")
    model, tokenizer = bk.load(tmp_path / "theirs")
    np.testing.assert_allclose(model(golden["inputs"], training=False), golden["logits"], atol=1e-5)
    [answer] = bk.predictor(tmp_path / "theirs")(["a b"])
    assert list(answer["scores"]) == ["class 0", "class 1", "class 2"]
    assert answer["score"] == answer["scores"]["class 0"]
    rows = bk.data.Rows("own.tsv", ["a"], None, ["1"], [2])
    with pytest.raises(bk.InputError, match=r"own\.tsv: a row holds one number, and the model gives 3"):
        bk.data.read(rows, tokenizer, model)


def test_a_saved_folder_says_regression_as_transformers_does(folder):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert (config["problem_type"], config["architectures"]) == ("regression", ["BertForSequenceClassification"])
    assert config["id2label"] == {"0": "score"}


def test_a_head_of_classes_gives_way_to_one_for_a_number(tmp_path):
    adapted("bert", tmp_path / "theirs")
    model, _, report = load_with_report(tmp_path / "theirs", TASK)
    assert (labels_of(model), {path.split("/")[0] for path in report.new}) == (["score"], {"regression_head"})


def test_a_head_for_a_number_stays(folder):
    model, _, report = load_with_report(folder, TASK)
    assert (labels_of(model), report.new) == (["score"], [])


def test_a_head_without_a_number_is_refused():
    with pytest.raises(bk.InputError, match="needs at least one label"):
        text_regression(bk.encoder(tiny.CONFIG), [])
