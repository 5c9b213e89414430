"""Rows of tokenizers with segments and without."""

import numpy as np
import pytest
import tiny_text

from bert_keras.data.encode import encode


@pytest.mark.parametrize("segments", [True, False])
def test_tokenizer_without_segments_has_all_in_the_first(segments):
    encoded = encode(tiny_text.tokenizer(segments=segments), ["the film", "good"], ["bad", "was good"])
    inputs = encoded.padded(np.array([0, 1]), pad_id=0)
    np.testing.assert_array_equal(inputs["token_ids"], [[2, 5, 6, 3, 11, 3], [2, 10, 3, 9, 10, 3]])
    second = [[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]] if segments else np.zeros((2, 6))
    np.testing.assert_array_equal(inputs["segment_ids"], second)
