"""The quickstart, with fewer texts and steps than a user's."""

import importlib.resources
import shlex

import pytest
import tiny_text

import bert_keras as bk
from bert_keras import quickstart

SENTIMENT = importlib.resources.files("bert_keras.resources") / "sentiment"
ROWS = ["Keras", "float32", "float16", "int8", "SavedModel"]


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """A folder with a few of the bundled texts."""
    folder = tmp_path_factory.mktemp("sentiment")
    for name in ("train.tsv", "test.tsv"):
        lines = (SENTIMENT / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:41]), encoding="utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def short(bundled):
    """Few texts, and few steps on them; the sizes of the model stay, since the files' sizes depend on them."""
    with pytest.MonkeyPatch.context() as patch:
        documents = [document for document in quickstart._python_documents() if 50 < len(document) < 90][:2]
        patch.setattr(quickstart, "_python_documents", lambda: documents)
        patch.setattr(quickstart, "_bundled", lambda: bundled)
        patch.setattr(quickstart, "_VOCABULARY_SIZE", 1500)
        patch.setattr(quickstart, "_SMALL_EPOCHS", 1)
        patch.setattr(quickstart, "_REAL_EPOCHS", 1)
        yield


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """The folder that a quickstart made, its facts and the lines that it said."""
    out, said = tmp_path_factory.mktemp("quickstart") / "my out", []
    facts = quickstart.run(out, say=said.append)
    return out, facts, said


@pytest.fixture(scope="module")
def encoder_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "encoder"
    bk.save(tiny_text.model("feature-extraction"), tiny_text.tokenizer(), folder)
    return folder


def test_writes_the_model_and_every_export(done):
    out, _, _ = done
    assert sorted(path.name for path in out.iterdir()) == [
        *("float16.tflite", "float32.tflite", "int8.tflite", "model", "saved_model"),
    ]


def test_compares_every_file_with_keras(done):
    table = done[1]["table"]
    assert [row["name"] for row in table] == ROWS
    assert all(0 <= row["accuracy"] <= 1 and row["milliseconds"] > 0 for row in table)
    assert [row["agreement"] for row in table if row["name"] not in ("float16", "int8")] == [1.0] * 3


def test_accuracy_is_that_of_the_saved_model_on_the_test_texts(done, bundled):
    out, facts, _ = done
    rows = bk.data.table(bundled / "test.tsv")
    right = [
        answer["label"] == label
        for answer, label in zip(bk.predictor(out / "model")(rows.texts), rows.labels, strict=True)
    ]
    assert facts["table"][0]["accuracy"] == sum(right) / 40


def test_sizes_are_those_of_the_recipes(done):
    out, facts, _ = done
    megabytes = {row["name"]: row["megabytes"] for row in facts["table"]}
    assert megabytes["float32"] == (out / "float32.tflite").stat().st_size / 1e6
    assert megabytes["float16"] / megabytes["float32"] == pytest.approx(0.5, abs=0.03)
    assert megabytes["int8"] / megabytes["float32"] == pytest.approx(0.26, abs=0.03)


def test_answers_are_those_of_the_int8_file(done):
    out, facts, said = done
    answers = facts["answers"]
    texts = [answer["text"] for answer in answers]
    assert [answer["label"] for answer in answers] == [
        answer["label"] for answer in bk.predictor(out / "int8.tflite")(texts)
    ]
    assert all(line.endswith(text) for line, text in zip(said[-3:], texts, strict=True))


def test_the_next_command_can_be_typed(done):
    out, facts, _ = done
    assert shlex.split(facts["next"]) == ["bert-keras", "predict", str(out / "int8.tflite"), "your own text"]


def test_a_real_encoder_takes_the_place_of_pretraining(encoder_folder, tmp_path, monkeypatch):
    monkeypatch.delattr(quickstart, "_pretrain")
    monkeypatch.setattr(quickstart, "_export", lambda folder, *_: {"int8": folder / "model"})  # the others test it
    quickstart.run(tmp_path / "out", encoder=encoder_folder, say=lambda line: None)
    model, _ = bk.load(tmp_path / "out" / "model")
    assert bk.tasks.labels_of(model) == ["negative", "positive"]
    assert model.get_layer("embeddings").token_embedding.shape == (len(tiny_text.VOCABULARY), 16)


def test_an_existing_folder_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.delattr(quickstart, "_pretrain")
    with pytest.raises(bk.InputError, match="exists"):
        quickstart.run(tmp_path)


def test_nothing_is_left_or_lost_when_it_is_stopped_midway(encoder_folder, tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "model").touch()
    monkeypatch.setattr(quickstart, "_export", stopped)
    with pytest.raises(KeyboardInterrupt):
        quickstart.run(tmp_path / "out", encoder=encoder_folder, force=True, say=lambda line: None)
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == ["out", "out/model"]


def test_python_documents_are_english_sentences(monkeypatch):
    monkeypatch.undo()
    documents = quickstart._python_documents()
    sentences = [sentence for document in documents for sentence in document]
    words = [word for sentence in sentences for word in sentence.lower().split()]
    # In English text about every 20th word is "the".
    assert 0.03 < words.count("the") / len(words) < 0.1
    assert len(words) > 1000
