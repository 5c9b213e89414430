"""ALBERT's changes to the encoder against their formulas: narrow tables with a projection, blocks that are shared."""

import dataclasses

import numpy as np
import pytest
import reference
import tiny

import bert_keras as bk


@pytest.mark.parametrize("groups, blocks", [(1, [0, 0, 0]), (2, [0, 0, 1])])
def test_forward_pass_with_a_projection_and_shared_blocks_equals_the_formulas(groups, blocks):
    config = dataclasses.replace(tiny.CONFIG, embedding_size=12, num_hidden_layers=3, num_hidden_groups=groups)
    model, inputs = bk.encoder(config), tiny.batch()
    weights = tiny.randomize(model)

    found = tiny.outputs(model, inputs)["sequence_output"]

    assert weights["embeddings/token_embedding"].shape == (37, 12)
    for text, mask in enumerate(inputs["padding_mask"]):
        own = (inputs[name][text] for name in ("token_ids", "segment_ids"))
        state = reference.embeddings(weights, *own, config.layer_norm_eps)
        state = reference.dense(weights, "embedding_projection", state)
        for block in blocks:
            state, _ = reference.block(weights, f"block_{block}", state, mask, config)
        length = mask.sum()
        np.testing.assert_allclose(found[text, :length], state[:length], atol=1e-4)
