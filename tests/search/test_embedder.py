"""Vectors of texts in their order, of length 1."""

import numpy as np
import pytest
from search.bag_model import BagModel

from bert_keras.errors import InputError
from bert_keras.search import Embedder, embedder


def expected(texts, dimensions=None):
    vectors = np.array([answer["embedding"] for answer in BagModel()(texts)])[:, :dimensions]
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


TEXTS = ["good", "the film was good", "bad", "a"]


def test_vectors_stand_in_the_order_of_the_texts(monkeypatch):
    monkeypatch.setattr(embedder, "_CHUNK", 3)
    vectors = Embedder(BagModel())(TEXTS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected(TEXTS), atol=1e-6)


def test_fewer_dimensions_have_length_1_again():
    np.testing.assert_allclose(Embedder(BagModel())(TEXTS, dimensions=2), expected(TEXTS, 2), atol=1e-6)


@pytest.mark.parametrize("dimensions", [0, 7])
def test_dimensions_that_are_not_there_are_refused(dimensions):
    with pytest.raises(InputError, match=f"dimensions is {dimensions}; the model's vectors have 1 to 6"):
        Embedder(BagModel())(TEXTS, dimensions=dimensions)


def test_progress_ends_at_the_number_of_texts(monkeypatch):
    monkeypatch.setattr(embedder, "_CHUNK", 3)
    seen = []
    Embedder(BagModel())(TEXTS, progress=lambda *counts: seen.append(counts))
    assert seen == [(3, 4), (4, 4)]


def test_texts_that_are_not_read_to_their_end_are_counted():
    assert Embedder(BagModel()).too_long(["good " * 22, "good " * 23]) == 1
