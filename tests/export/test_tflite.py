"""The .tflite export: what it writes, what it reports, what it refuses."""

import json

import numpy as np
import pytest
import tiny_text
from tiny import randomize

import bert_keras as bk
from bert_keras.errors import InputError
from bert_keras.export import RECIPES, model_file, tflite
from bert_keras.export.check import Comparison, accuracy_warning, refuse_bad
from bert_keras.export.examples import examples
from bert_keras.export.tflite_runner import TfliteRunner
from bert_keras.tasks import TASKS
from bert_keras.text import WordPieceTokenizer

TEXTS = ["The film was good.", "", "bad " * 50, "a film", "was the film bad?", "good"]


@pytest.fixture(scope="module")
def model():
    return tiny_text.model()


# BERT-tiny, 4,385,920 parameters with the pooler (known fault 7.09).
@pytest.fixture(scope="module")
def bert_tiny():
    model = TASKS["text-classification"](bk.encoder(bk.config("bert-tiny")), ["negative", "positive"])
    randomize(model)
    vocabulary = [*tiny_text.VOCABULARY, *(f"word{i}" for i in range(30522 - len(tiny_text.VOCABULARY)))]
    return model, WordPieceTokenizer(vocabulary)


@pytest.fixture(scope="module")
def bert_tiny_files(bert_tiny, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert-tiny")
    model, tokenizer = bert_tiny
    return {name: tflite(model, folder / f"{name}.tflite", name, tokenizer=tokenizer) for name in RECIPES}


# Known fault 7.09: a file that is barely smaller, since its embeddings stay float.
@pytest.mark.parametrize(
    ("recipe", "megabytes", "ratio"),
    [("float32", 17.5, 1.0), ("float16", 8.8, 0.55), ("int8", 4.4, 0.30), ("int8-weights", 4.4, 0.30)],
)
def test_sizes_are_those_of_the_recipe(bert_tiny_files, recipe, megabytes, ratio):
    report = bert_tiny_files[recipe]
    # On top of the weights: vocab.txt (0.3 MB) and, for int8, a scale and a zero point for each row of the table.
    assert report.megabytes == pytest.approx(megabytes, abs=0.75)
    assert report.ratio <= ratio + 1e-3
    assert report.float32_megabytes == pytest.approx(bert_tiny_files["float32"].megabytes, rel=1e-3)


# Known fault 7.07: ids cut to one or two bytes.
def test_rows_of_large_ids_are_looked_up(bert_tiny, bert_tiny_files):
    model, _ = bert_tiny
    runner = TfliteRunner(bert_tiny_files["int8"].path)
    tree = model_file.unpack(runner.graph.path.read_bytes())
    graph = tree.subgraphs[0]
    [table] = [tensor for tensor in graph.tensors if list(tensor.shape) == [30522, 128]]
    stored = np.asarray(tree.buffers[table.buffer].data).view(np.int8).reshape(30522, 128)
    scale = np.asarray(table.quantization.scale)
    expected = model.get_layer("embeddings").token_embedding.numpy()
    for row in (0, 127, 128, 255, 256, 30000, 30521):
        np.testing.assert_allclose(stored[row] * scale[row], expected[row], atol=scale[row] / 2 + 1e-7)
    # Ids that are equal in their lowest byte have different answers.
    answers = [runner.graph.run({"token_ids": np.array([[2, row, 3]])})["probabilities"] for row in (48, 304, 30000)]
    assert len({answer.tobytes() for answer in answers}) == 3


@pytest.mark.parametrize(
    ("recipe", "tolerance"), [("float32", 1e-5), ("float16", 2e-3), ("int8", 0.05), ("int8-weights", 0.03)]
)
def test_answers_are_near_the_model_s(model, recipe, tolerance, tmp_path):
    report = tflite(model, tmp_path / "model.tflite", recipe, check=TEXTS, tokenizer=tiny_text.tokenizer())
    assert (report.recipe, report.task, report.examples, report.checked_on) == (
        recipe,
        "text-classification",
        6,
        "data",
    )
    assert report.max_probability_difference <= tolerance
    assert report.agreement == 1
    assert report.latency_ms > 0
    assert json.loads(json.dumps(report.to_dict()))["operators"]["FULLY_CONNECTED"] == 11


@pytest.mark.parametrize("task", ["feature-extraction", "next-sentence-prediction", "sentence-similarity"])
def test_other_tasks_are_exported(task, tflite_file):
    _, report = tflite_file(task)
    assert (report.task, report.checked_on) == (task, "probe")
    assert 0 < report.mean_difference < 1e-5


def table(path, rows):
    path.write_text("label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows), encoding="utf-8")
    return path


def test_a_labelled_file_gives_accuracies(model, tmp_path):
    data = table(tmp_path / "check.tsv", [("negative", text.strip() or ".") for text in TEXTS])
    report = tflite(model, tmp_path / "model.tflite", "float32", check=data, tokenizer=tiny_text.tokenizer())
    runner = TfliteRunner(report.path)
    right = np.mean([answer["label"] == "negative" for answer in runner([text.strip() or "." for text in TEXTS])])
    assert report.model_accuracy == report.file_accuracy == pytest.approx(right)


def test_a_dataset_can_be_the_check(model, tmp_path):
    data = table(tmp_path / "check.tsv", [("negative", "good film"), ("positive", "bad"), ("positive", "a film")])
    dataset = bk.data.read(data, tiny_text.tokenizer(), model, batch_size=2, shuffle=False)
    found = examples(dataset, model, tiny_text.tokenizer(), 24)
    assert [example.label for example in found] == [0, 1, 1]
    assert [example.token_ids.tolist() for example in found] == [
        tiny_text.tokenizer()([text])["token_ids"][0].tolist() for text in ("good film", "bad", "a film")
    ]


def test_a_folder_is_exported_with_its_own_tokenizer(model, tmp_path):
    bk.save(model, tiny_text.tokenizer(), tmp_path / "folder")
    tflite(tmp_path / "folder", tmp_path / "model.tflite", "float32")
    runner = TfliteRunner(tmp_path / "model.tflite")
    assert runner.labels == ["negative", "positive"]
    assert runner.tokenizer.vocabulary == tiny_text.VOCABULARY


def test_the_same_model_gives_the_same_file(model, tflite_file, tmp_path):
    tflite(model, tmp_path / "model.tflite", "float32", tokenizer=tiny_text.tokenizer())
    assert (tmp_path / "model.tflite").read_bytes() == tflite_file()[0].read_bytes()


def test_labels_can_be_renamed(model, tmp_path):
    tflite(model, tmp_path / "model.tflite", tokenizer=tiny_text.tokenizer(), labels=["schlecht", "gut"])
    assert TfliteRunner(tmp_path / "model.tflite").labels == ["schlecht", "gut"]


def test_a_cased_model_is_exported_without_mediapipe_s_tokenizer(model, tmp_path):
    report = tflite(model, tmp_path / "model.tflite", tokenizer=tiny_text.tokenizer(lowercase=False))
    assert "MediaPipe's tokenizer always lower-cases" in report.notes[0]
    assert TfliteRunner(tmp_path / "model.tflite").tokenizer.lowercase is False


def test_an_existing_file_is_kept(model, tmp_path):
    (tmp_path / "model.tflite").write_text("mine")
    with pytest.raises(InputError, match="exists"):
        tflite(model, tmp_path / "model.tflite", tokenizer=tiny_text.tokenizer())
    assert (tmp_path / "model.tflite").read_text() == "mine"
    tflite(model, tmp_path / "model.tflite", tokenizer=tiny_text.tokenizer(), force=True)
    assert TfliteRunner(tmp_path / "model.tflite").task == "text-classification"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"recipe": "int2"}, "no recipe is named 'int2'; known are float32, float16, int8, int8-weights"),
        ({"tokenizer": None}, "pass tokenizer="),
        ({"tokenizer": WordPieceTokenizer([*tiny_text.VOCABULARY, "more"])}, "pieces, the model's token table"),
        ({"labels": ["one"]}, "labels has 1 names, but the model has 2 classes"),
        ({"labels": ["one", "t\nwo"]}, "holds a line end"),
        ({"labels": ["one", "one"]}, "a label is named twice"),
        ({"check": []}, "the check has no texts"),
        ({"max_length": 25}, "max_length is 25; this model takes 5 to 24"),
    ],
    ids=str,
)
def test_wrong_use_is_named_and_leaves_nothing(model, tmp_path, arguments, message):
    with pytest.raises(InputError, match=message):
        tflite(model, tmp_path / "model.tflite", **{"tokenizer": tiny_text.tokenizer(), **arguments})
    assert list(tmp_path.iterdir()) == []


def test_a_task_without_such_a_file_is_named(tmp_path):
    with pytest.raises(InputError, match="a model for pretraining cannot be exported to tflite"):
        tflite(tiny_text.model("pretraining"), tmp_path / "model.tflite", tokenizer=tiny_text.tokenizer())


def test_a_weight_that_is_not_finite_is_named(tmp_path):
    model = tiny_text.model()
    kernel = next(variable for variable in model.weights if variable.path == "block_1/output/kernel")
    kernel.assign(np.full(kernel.shape, np.nan))
    with pytest.raises(InputError, match="block_1/output/kernel holds NaN"):
        tflite(model, tmp_path / "model.tflite", tokenizer=tiny_text.tokenizer())
    assert list(tmp_path.iterdir()) == []


# A converter or quantizer that spoils the weights without an error (`wi8b32`, READ_VARIABLE).
@pytest.mark.parametrize(
    ("spoil", "message"),
    [(lambda weight: weight * 3, "outputs differ"), (lambda weight: weight * np.nan, "not finite")],
    ids=["other weights", "NaN"],
)
def test_a_file_that_answers_otherwise_is_refused_and_leaves_nothing(model, tmp_path, monkeypatch, spoil, message):
    def spoiled(file, recipe):
        tree = model_file.unpack(file.read_bytes())
        for tensor in tree.subgraphs[0].tensors:
            buffer = tree.buffers[tensor.buffer]
            if buffer.data is not None and list(tensor.shape) == [32, 16]:
                buffer.data = spoil(np.asarray(buffer.data).view(np.float32)).astype(np.float32).view(np.uint8)
        return tree

    monkeypatch.setattr("bert_keras.export.tflite_file.quantized", spoiled)
    with pytest.raises(InputError, match=message):
        tflite(model, tmp_path / "model.tflite", "float32", tokenizer=tiny_text.tokenizer())
    assert list(tmp_path.iterdir()) == []


def comparison(**changes):
    values = {
        "examples": 200,
        "agreement": 1.0,
        "model_accuracy": 0.95,
        "file_accuracy": 0.95,
        "mean_difference": 0.0,
        "max_difference": 0.0,
        "max_probability_difference": 0.0,
        "latency_ms": 1.0,
    }
    return Comparison(**{**values, **changes})


def test_agreement_is_bounded_where_there_are_enough_examples():
    refuse_bad("int8", RECIPES["int8"], comparison(agreement=0.95))
    refuse_bad("int8", RECIPES["int8"], comparison(agreement=0.90, examples=49))
    with pytest.raises(InputError, match=r"for 94.9% of 200 examples; accepted are 95% or more"):
        refuse_bad("int8", RECIPES["int8"], comparison(agreement=0.949))


# Known fault 7.06: accuracy collapses and nobody says so.
def test_a_drop_of_more_than_two_points_is_told():
    assert accuracy_warning("int8", comparison(file_accuracy=0.93)) is None
    assert accuracy_warning("int8", comparison(file_accuracy=0.90, examples=199)) is None
    assert accuracy_warning("int8", comparison(model_accuracy=None)) is None
    told = accuracy_warning("int8", comparison(file_accuracy=0.92))
    assert told == "the int8 file has 92.0% accuracy where the model has 95.0%: consider recipe float16"


def test_a_drop_in_accuracy_is_a_warning_and_a_note(model, tmp_path, monkeypatch):
    monkeypatch.setattr("bert_keras.export.tflite_file.accuracy_warning", lambda *_: "less accurate")
    with pytest.warns(UserWarning, match="less accurate"):
        report = tflite(model, tmp_path / "model.tflite", check=TEXTS, tokenizer=tiny_text.tokenizer())
    assert report.notes == ["less accurate"]
