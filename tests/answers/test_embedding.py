"""Vectors of texts, from raw text."""

import numpy as np
import pytest
import tiny_text

from bert_keras.export import ModelPredictor

TEXTS = ["the film was good", "", "bad " * 40, "film", "a"]


# Row 5.14: the mean of a short text in a batch with a long one.
@pytest.mark.parametrize("pooling", ["mean", "max", "first"])
def test_a_text_has_the_same_vector_alone_and_in_a_batch(pooling):
    predict = ModelPredictor(tiny_text.model("sentence-similarity", pooling=pooling), tiny_text.tokenizer())
    together = np.stack([answer["embedding"] for answer in predict(TEXTS)])
    alone = np.stack([predict([text])[0]["embedding"] for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    # Row 5.15
    np.testing.assert_allclose((together * together).sum(axis=1), 1, atol=1e-6)
    assert abs(together[0] - together[2]).max() > 0.01
