"""Indexes without and with a model."""

import numpy as np
import pytest
from search.bag_model import BagModel

from bert_keras.search import Index


@pytest.fixture
def plane(tmp_path):
    """Four vectors of two numbers, one of them zero, without a model."""
    with Index.create(tmp_path / "plane", dimension=2) as index:
        vectors = np.array([[2, 0], [0, 5], [3, 4], [0, 0]])
        index.add(["east", "north", "between", "nowhere"], ["to the east", "up", "a way", "here"], vectors=vectors)
        yield index


@pytest.fixture
def model():
    return BagModel()


@pytest.fixture
def index(tmp_path, model):
    """An index of three texts."""
    with Index.create(tmp_path / "index", model) as made:
        made.add(["a", "b", "c"], ["the film was good", "the film was bad", "un able"], [{"year": 1999}, {}, {}])
        model.took()
        yield made
