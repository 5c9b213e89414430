"""Long documents by windows: what decides stands where a model without windows does not look."""

import random

import numpy as np
import pytest
from tiny_training import SPECIAL, answers_to, learn, new_model

import bert_keras as bk
from bert_keras.export import ModelPredictor, saved_model, tflite

POSITIONS = 16
FILLING = "the"
TOKENIZER = bk.Tokenizer.from_vocabulary([*SPECIAL, FILLING, "good", "bad", "which"])


def document(label, place, length):
    """A text of `length` words, with one that tells the label from `place` on."""
    words = [FILLING] * length
    words[place : place + 4] = [label] * 4
    return " ".join(words)


def documents(seed, pairs):
    """Texts of 40 words whose label stands behind the last position of a model."""
    rng = random.Random(seed)
    labels = ["good", "bad"] * 12
    texts = [document(label, 22 + rng.randrange(8), 40) for label in labels]
    asked = ["which"] * len(texts)
    return bk.data.Rows("documents", *((asked, texts) if pairs else (texts, None)), labels, range(len(texts)))


@pytest.fixture(scope="module", params=[False, True], ids=["texts", "pairs"])
def trained(request):
    """A model that has learned long documents by windows, and others like them."""
    model = new_model("text-classification", TOKENIZER, ["bad", "good"], positions=POSITIONS, windows=True)
    learn(model, TOKENIZER, documents(0, request.param), epochs=20)
    return model, documents(1, request.param)


def accuracy(answers, documents):
    return np.mean([answer["label"] == label for answer, label in zip(answers, documents.labels, strict=True)])


def test_windows_see_what_stands_behind_the_last_position(trained):
    model, late = trained
    assert accuracy(answers_to(model, TOKENIZER, late), late) == 1
    assert accuracy(answers_to(model, TOKENIZER, late, windows=False), late) < 0.7


def test_the_scores_are_the_mean_of_those_of_the_windows(trained):
    model, late = trained
    words = (late.pairs or late.texts)[0].split()
    # Windows begin every three quarters: 14 words without a second text, 12 beside [CLS], one word and two [SEP].
    room, begins = (14, (0, 10, 20, 30)) if late.pairs is None else (12, (0, 9, 18, 27, 36))
    windows = [" ".join(words[begin : begin + room]) for begin in begins]
    given = (windows, None) if late.pairs is None else (["which"] * len(windows), windows)
    one_by_one = [answer["scores"]["good"] for answer in ModelPredictor(model, TOKENIZER, windows=False)(*given)]
    [whole] = ModelPredictor(model, TOKENIZER)(late.texts[:1], late.pairs and late.pairs[:1])
    assert whole["scores"]["good"] == pytest.approx(np.mean(one_by_one), abs=1e-6)


def test_every_kind_of_file_reads_windows_as_the_folder(tmp_path):
    model = new_model("text-classification", TOKENIZER, ["bad", "good"], positions=POSITIONS, windows=True)
    late = documents(1, pairs=True)
    bk.save(model, TOKENIZER, tmp_path / "folder")
    report = tflite(tmp_path / "folder", tmp_path / "x.tflite", "float32", check=late)
    files = (tmp_path / "folder", tmp_path / "x.tflite", saved_model(tmp_path / "folder", tmp_path / "serving"))
    right, *others = (bk.predictor(file)(late.texts, late.pairs) for file in files)
    for found in others:
        for theirs, ours in zip(right, found, strict=True):
            assert ours["scores"] == pytest.approx(theirs["scores"], abs=1e-5)
    # A row a window, none of which is right or wrong by itself.
    assert (report.examples, report.agreement, report.file_accuracy) == (5 * len(late), 1, None)


def test_training_reads_every_window_with_the_document_s_label():
    model = new_model("text-classification", TOKENIZER, ["bad", "good"], positions=POSITIONS, windows=True)
    rows = bk.data.Rows("documents", ["good " * 40, "bad"], None, ["good", "bad"], [1, 2])
    [(inputs, labels)] = bk.data.read(rows, TOKENIZER, model, shuffle=False).as_numpy_iterator()
    assert labels.tolist() == [1, 1, 1, 1, 0]
    assert inputs["padding_mask"].sum(axis=1).tolist() == [16, 16, 16, 12, 3]


# The first text then fills the row, and leaves no room for windows of the second.
@pytest.mark.parametrize("length", [0, 12, 13, 40])
def test_a_second_text_may_be_empty(length):
    model = new_model("text-classification", TOKENIZER, ["bad", "good"], positions=POSITIONS, windows=True)
    text = " ".join([FILLING] * length)
    windows, cut = (ModelPredictor(model, TOKENIZER, windows=read)([text], [""]) for read in (True, False))
    assert windows == cut
