"""Our own predictor over a .tflite file."""

import json
import threading
import zipfile

import numpy as np
import pytest
import tiny_text

import bert_keras as bk
from bert_keras.errors import InputError
from bert_keras.export import ModelPredictor as Predictor
from bert_keras.export import metadata, tflite
from bert_keras.export.tflite_runner import TfliteRunner

TEXTS = ["The film was good.", "", "bad " * 50, "a film", "was the film bad?", "good"]
PAIRS = ["good", "a film", "bad " * 50, "", "the film", "unaffable"]


@pytest.fixture(scope="module")
def model():
    return tiny_text.model()


@pytest.fixture(scope="module")
def path(tflite_file):
    return tflite_file()[0]


@pytest.fixture(scope="module")
def runner(path):
    return TfliteRunner(path)


# Long texts are cut as they were in training.
@pytest.mark.parametrize("pairs", [None, PAIRS], ids=["texts", "pairs"])
def test_answers_are_those_of_the_model_in_memory(model, runner, pairs):
    for ours, theirs in zip(runner(TEXTS, pairs), Predictor(model, tiny_text.tokenizer())(TEXTS, pairs), strict=True):
        assert list(ours) == list(theirs)
        assert ours["label"] == theirs["label"]
        assert ours["scores"] == pytest.approx(theirs["scores"], abs=1e-5)


def test_the_predictor_opens_the_file(path, runner):
    assert bk.predictor(path)(TEXTS) == runner(TEXTS)


def test_no_texts_no_answers(runner):
    assert runner([]) == []


@pytest.mark.parametrize("task", ["sentence-similarity", "feature-extraction", "next-sentence-prediction"])
def test_other_tasks_answer_as_the_model_in_memory(task, tflite_file):
    model = tiny_text.model(task)
    pairs = PAIRS if task == "next-sentence-prediction" else None
    answers = TfliteRunner(tflite_file(task)[0])(TEXTS, pairs)
    for ours, theirs in zip(answers, Predictor(model, tiny_text.tokenizer())(TEXTS, pairs), strict=True):
        assert list(ours) == list(theirs)
        for name, value in theirs.items():
            if name not in ("label", "scores"):
                np.testing.assert_allclose(ours[name], value, atol=1e-5)


def test_the_tokenizer_is_rebuilt_with_its_settings(model, tmp_path):
    tokenizer = tiny_text.tokenizer(lowercase=False, strip_accents=True)
    tflite(model, tmp_path / "model.tflite", tokenizer=tokenizer, max_length=9)
    runner = TfliteRunner(tmp_path / "model.tflite")
    text = "The caf\u00e9 " + "x" * 101
    assert runner.tokenizer.tokenize(text) == tokenizer.tokenize(text)
    assert runner.max_length == 9


# Known fault 7.13: one interpreter in many threads.
def test_many_threads_have_the_answers_of_one(runner):
    random = np.random.default_rng(0)
    texts = [random.integers(0, 60, (1, length), dtype=np.int32) for length in random.integers(2, 24, 100)]
    expected = [runner.graph.run({"token_ids": ids})["probabilities"] for ids in texts]
    found = [[] for _ in range(8)]

    def work(answers):
        answers += [runner.graph.run({"token_ids": ids})["probabilities"] for ids in texts]

    threads = [threading.Thread(target=work, args=(answers,)) for answers in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answers in found:
        np.testing.assert_array_equal(answers, expected)


def test_an_answer_is_not_changed_by_the_next(runner):
    first = runner.graph.run({"token_ids": np.array([[2, 5, 3]])})["probabilities"]
    kept = first.copy()
    runner.graph.run({"token_ids": np.array([[2, 6, 3]])})
    np.testing.assert_array_equal(first, kept)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"token_ids": np.zeros((1, 25))}, r"token_ids has the shape \[1, 25\]; it must be \[1, 1 to 24\]"),
        ({"token_ids": np.zeros((3, 4))}, r"token_ids has the shape \[3, 4\]"),
        ({"token_ids": np.zeros((1, 0))}, r"token_ids has the shape \[1, 0\]"),
        ({"token_ids": np.full((1, 4), 500)}, "token_ids has values from 500 to 500; allowed are 0 to"),
        ({"token_ids": np.full((1, 4), -1)}, "token_ids has values from -1 to -1"),
        ({"token_ids": np.zeros((1, 4)), "segment_ids": np.full((1, 4), 2)}, "segment_ids has values from 2 to 2"),
        ({"token_ids": np.zeros((1, 4)), "padding_mask": np.ones((1, 5))}, r"padding_mask has the shape \[1, 5\]"),
    ],
    ids=str,
)
def test_wrong_ids_are_named(runner, inputs, message):
    with pytest.raises(InputError, match=message):
        runner.graph.run(inputs)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one text"], "texts is one text; pass a list of texts"),
        ([["a", None]], r"texts\[1\] is None"),
        ([["a", "b"], ["c"]], "2 texts have 1 pairs"),
    ],
    ids=str,
)
def test_wrong_texts_are_named(runner, arguments, message):
    with pytest.raises(InputError, match=message):
        runner(*arguments)


def test_files_that_are_not_ours_are_named(path, tmp_path):
    content = path.read_bytes()
    flatbuffer = json.loads(zipfile.ZipFile(path).read("bert_keras.json"))["bytes"]
    cases = {
        "text": (b"label\ttext\n", "is not a .tflite file"),
        "foreign": (content[:flatbuffer], "was not written by bert_keras or was cut off"),
        "short": (content[: len(content) // 2], "was not written by bert_keras or was cut off"),
        "flipped": (content[:9000] + bytes([content[9000] ^ 1]) + content[9001:], "do not have the checksum"),
    }
    for name, (damaged, message) in cases.items():
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(InputError, match=message):
            TfliteRunner(tmp_path / name)
    with pytest.raises(InputError, match="there is no such file"):
        TfliteRunner(tmp_path / "absent")


# What is behind the weights is an archive, whose headers may ask for a password or an unknown method.
def test_a_file_with_changed_bytes_behind_the_weights_is_named(path, tmp_path):
    content = path.read_bytes()
    flatbuffer = json.loads(zipfile.ZipFile(path).read("bert_keras.json"))["bytes"]
    places, named = range(flatbuffer, len(content), 3), 0
    for place in places:
        (tmp_path / "changed").write_bytes(content[:place] + b"\xff" * 8 + content[place + 8 :])
        try:
            metadata.read(tmp_path / "changed")
        except InputError:
            named += 1
    assert 0.9 * len(places) < named < len(places)  # some bytes, such as dates, say nothing


@pytest.mark.parametrize("about", ["{", "[]", "{}", '{"bytes": "x", "crc32": 1}', "[" * 100_000])
def test_facts_that_were_changed_are_named(path, tmp_path, about):
    rewrite(path, tmp_path / "changed.tflite", {"bert_keras.json": about})
    with pytest.raises(InputError, match=r"changed\.tflite was changed: its bert_keras\.json"):
        TfliteRunner(tmp_path / "changed.tflite")


def test_a_file_without_its_vocabulary_is_named(path, tmp_path):
    rewrite(path, tmp_path / "changed.tflite", {"vocab.txt": None})
    with pytest.raises(InputError, match=r"no vocab\.txt"):
        TfliteRunner(tmp_path / "changed.tflite")


def test_other_files_in_the_zip_are_not_unpacked(path, tmp_path):
    rewrite(path, tmp_path / "bomb.tflite", {"bomb": b"\0" * 10_000_000})
    _, files = metadata.read(tmp_path / "bomb.tflite")
    assert sorted(files) == ["labels.txt", "vocab.txt"]


def rewrite(path, new, changes):
    """Copy a .tflite file with other files behind its flatbuffer; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    new.write_bytes(path.read_bytes()[: json.loads(files["bert_keras.json"])["bytes"]])
    with zipfile.ZipFile(new, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, **changes}.items():
            if content is not None:
                archive.writestr(name, content)


def test_a_file_of_another_format_is_named(path, tmp_path, monkeypatch):
    monkeypatch.setattr("bert_keras.export.tflite_graph.FORMAT", 0)
    with pytest.raises(InputError, match="format 3, and this version of bert_keras reads 0: export the model again"):
        TfliteRunner(path)


def test_threads_are_at_least_one(path):
    with pytest.raises(InputError, match="num_threads is 0"):
        TfliteRunner(path, num_threads=0)


@pytest.mark.parametrize("size", [0, -1, "3", 2.0, None])
def test_a_batch_size_that_is_none_is_named(runner, size):
    with pytest.raises(InputError, match=f"batch_size is {size!r}"):
        runner(["a film"], batch_size=size)
