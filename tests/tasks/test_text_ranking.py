"""Documents in the order in which they answer a query, from a file to every kind of predictor."""

import json

import numpy as np
import pytest
from classifier_goldens import GOLDENS, adapted
from tiny_training import answers_to, learned

import bert_keras as bk
from bert_keras.evaluation import SCORES
from bert_keras.export import RECIPES, saved_model, tflite
from bert_keras.pretrained import load_with_report
from bert_keras.tasks import task_of

TASK = "text-ranking"
# As sentence-transformers writes it into the config.json of its cross-encoders.
KEYS = {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity", "version": "5.0.0"}}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return learned(TASK, tmp_path_factory.mktemp("data"), "ranking.jsonl", bk.data.choices, epochs=15)


@pytest.fixture(scope="module")
def folder(trained, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "ranking"
    bk.save(trained[0], trained[1], folder)
    return folder


def scores(path, examples):
    return np.array([answer["scores"] for answer in bk.predictor(path)(examples.texts, examples.pairs)])


def test_a_small_file_is_learned_by_heart(trained):
    assert SCORES["choices"](trained[2], answers_to(*trained)).metrics["accuracy"] == 1


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_file_answers_as_the_folder(folder, trained, recipe, tmp_path):
    report = tflite(folder, tmp_path / "x.tflite", recipe, check=trained[2])
    assert (report.checked_on, report.examples) == ("data", 3 * len(trained[2]))
    tolerance = {"float32": 1e-4, "float16": 1e-2}.get(recipe, 0.3)
    np.testing.assert_allclose(scores(tmp_path / "x.tflite", trained[2]), scores(folder, trained[2]), atol=tolerance)


def test_a_saved_model_answers_as_the_folder(folder, trained, tmp_path):
    with pytest.warns(UserWarning, match="text-ranking takes several texts for one answer"):
        version = saved_model(folder, tmp_path / "serving")
    np.testing.assert_allclose(scores(version, trained[2]), scores(folder, trained[2]), atol=1e-5)


@pytest.mark.parametrize("family", GOLDENS)
def test_cross_encoders_of_transformers_have_its_logits(family, tmp_path):
    golden = adapted(family, tmp_path / "theirs", numbers=1, problem_type=None, **KEYS)
    model, _ = bk.load(tmp_path / "theirs")
    inputs = {name: values[None] for name, values in golden["inputs"].items()}  # one query, a document a row
    assert task_of(model) == TASK
    np.testing.assert_allclose(model(inputs, training=False), golden["logits"].T, atol=1e-5)


# transformers gives a head of one number, where no key says so, two classes.
def test_a_saved_folder_is_a_classifier_of_one_number(folder, trained):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert (config["architectures"], config["id2label"]) == (["BertForSequenceClassification"], {"0": "LABEL_0"})
    model, _, report = load_with_report(folder)
    assert (task_of(model), report.new) == (TASK, [])


def test_the_number_itself_is_read_as_text_regression(folder, trained):
    model, tokenizer = bk.load(folder, task="text-regression")
    examples = trained[2]
    found = bk.export.ModelPredictor(model, tokenizer)([examples.texts[0]] * 3, examples.pairs[0])
    logits = np.array([answer["score"] for answer in found])
    np.testing.assert_allclose(np.exp(logits) / np.exp(logits).sum(), scores(folder, examples)[0], atol=1e-5)


def test_a_head_of_classes_gives_way_to_one_for_ranking(tmp_path):
    adapted("bert", tmp_path / "theirs")
    _, _, report = load_with_report(tmp_path / "theirs", TASK)
    assert {path.split("/")[0] for path in report.new} == {"ranking_head"}
