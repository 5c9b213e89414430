"""Padding, and what stands under it, changes no token of any family (known fault 3.06)."""

import numpy as np
import pytest
import tiny
from families.parity import GOLDEN

import bert_keras as bk

# Each family, and the convolution, whose neighbours may be padding.
FOLDERS = [
    "albert/feature-extraction",
    "deberta/feature-extraction",
    "deberta-v2/feature-extraction.convolution",
    "distilbert/feature-extraction",
    "electra/feature-extraction",
    "roberta/feature-extraction",
]


@pytest.mark.parametrize("folder", FOLDERS)
def test_tokens_are_the_same_alone_and_padded_beside_a_longer_text(folder):
    model, _ = bk.load(GOLDEN / folder)
    random = np.random.default_rng(5)
    batch = {name: random.integers(0, 2, (2, 11), dtype="int32") for name in model.input}
    batch["token_ids"] = random.integers(0, 29, (2, 11), dtype="int32")  # random under the padding too
    batch["padding_mask"] = np.array([[1] * 4 + [0] * 7, [1] * 11], "int32")
    alone = {name: array[:1, :4] for name, array in batch.items()}

    found = tiny.outputs(model, batch)["sequence_output"]

    np.testing.assert_allclose(found[:1, :4], tiny.outputs(model, alone)["sequence_output"], atol=1e-5, rtol=0)
