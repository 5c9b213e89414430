"""Models of sentence similarity in every form: poolings, dimensions, the real MiniLM."""

import json

import numpy as np
import pytest
import tiny_text
from safetensors import safe_open
from tiny import GOLDEN

import bert_keras as bk
from bert_keras.data import table
from bert_keras.export import ModelPredictor, tflite

TEXTS = ["the film was good", "", "a film, unaffable! " * 4, "東京"]


def vectors(predict, texts, **options):
    return np.stack([answer["embedding"] for answer in predict(texts, **options)])


@pytest.mark.parametrize(
    "options",
    [
        {"pooling": "first"},
        {"pooling": "max", "dimensions": 5, "normalize": False, "max_length": 12},
    ],
    ids=str,
)
def test_file_gives_the_models_vectors(options, tmp_path):
    model, tokenizer = tiny_text.model("sentence-similarity", **options), tiny_text.tokenizer()

    tflite(model, tmp_path / "x.tflite", "float32", tokenizer=tokenizer)

    right = vectors(ModelPredictor(model, tokenizer), TEXTS)
    predict = bk.predictor(tmp_path / "x.tflite")
    assert predict.max_length == options.get("max_length", tiny_text.MAX_LENGTH)
    np.testing.assert_allclose(vectors(predict, TEXTS), right, atol=1e-5)


@pytest.fixture(scope="module")
def minilm(real):
    return bk.predictor(real / "minilm")


def test_vectors_of_minilm_equal_those_of_sentence_transformers(minilm):
    with safe_open(GOLDEN / "minilm.safetensors", framework="numpy") as golden:
        texts, right = json.loads(golden.metadata()["texts"]), golden.get_tensor("vectors")

    found = vectors(minilm, texts)

    np.testing.assert_allclose(found, right, atol=1e-5)
    # Pairs of sentences: the first two, and the next two, mean the same.
    np.testing.assert_allclose(found @ found.T, right @ right.T, atol=1e-5)
    np.testing.assert_allclose(found, np.concatenate([vectors(minilm, [text]) for text in texts]), atol=1e-6)


def test_one_command_makes_an_embedder_of_a_quarter_of_the_size(embedder):
    assert embedder["task"] == "sentence-similarity"
    assert embedder["megabytes"] < 24
    assert not [name for name in embedder["operators"] if name.startswith(("CUSTOM", "FLEX"))]


def test_int8_vectors_keep_their_direction_and_their_neighbours(embedder, minilm, real):
    texts = table(real / "sentiment" / "test.tsv").texts

    exact, found = vectors(minilm, texts), vectors(bk.predictor(embedder["out"]), texts)

    assert len(texts) == 1054
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert (exact * found).sum(axis=1).min() >= 0.99
    assert recall(exact, found) >= 0.9


def recall(exact, found, count=10):
    """The mean share of each text's nearest others that are the same in both."""
    nearest = []
    for each in (exact, found):
        similar = each @ each.T
        np.fill_diagonal(similar, -1)
        nearest.append(np.argpartition(-similar, count, axis=1)[:, :count])
    return np.mean([len(set(a) & set(b)) / count for a, b in zip(*nearest, strict=True)])
