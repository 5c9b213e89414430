"""RoBERTa's positions."""

import dataclasses

import numpy as np
import pytest
import tiny

import bert_keras as bk
from bert_keras.layers import CountedPositions

ROBERTA = dataclasses.replace(
    tiny.CONFIG, model_type="roberta", type_vocab_size=1, pad_token_id=1, position_offset=2, classifier_act="tanh"
)


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
def test_tokens_count_from_the_offset_and_padding_has_the_row_before(dtype):
    # ids [0, 9, 8, 2, 1, 1] of fairseq, whose padding has the id 1 (transformers#1363).
    mask = np.array([[1, 1, 1, 1, 0, 0]]).astype(dtype)

    np.testing.assert_array_equal(CountedPositions(2)(mask), [[2, 3, 4, 5, 1, 1]])


def test_padding_in_front_does_not_count():
    np.testing.assert_array_equal(CountedPositions(2)(np.array([[0, 0, 1, 1]])), [[1, 1, 2, 3]])


def test_positions_before_the_first_token_are_not_usable():
    # 514 rows are 512 tokens; here 11 rows are 9.
    model = bk.encoder(ROBERTA)
    inputs = {name: np.ones((1, 9), "int32") for name in model.input}

    assert ROBERTA.max_length == 9
    assert model(inputs)["sequence_output"].shape == (1, 9, 20)
    with pytest.raises(bk.InputError, match="10 tokens long, but the position table has 9 rows for tokens"):
        model({name: np.ones((1, 10), "int32") for name in inputs})


def test_position_does_not_depend_on_where_padding_stands():
    model = bk.encoder(ROBERTA)
    tiny.randomize(model)
    ids = np.array([[5, 6, 7]], "int32")
    right = tiny.outputs(model, {"token_ids": ids, "padding_mask": np.ones((1, 3), "int32")})["sequence_output"]

    front = np.array([[1, 1, 5, 6, 7]], "int32"), np.array([[0, 0, 1, 1, 1]], "int32")
    found = tiny.outputs(model, dict(zip(("token_ids", "padding_mask"), front, strict=True)))["sequence_output"]

    np.testing.assert_allclose(found[:, 2:], right, atol=1e-5)


def test_id_of_the_first_special_token_is_no_padding():
    # `<s>` has id 0 (keras-hub#138): the mask alone tells.
    model = bk.encoder(ROBERTA)
    tiny.randomize(model)
    inputs = {"token_ids": np.array([[0, 5, 2]], "int32"), "padding_mask": np.ones((1, 3), "int32")}
    other = {**inputs, "token_ids": np.array([[3, 5, 2]], "int32")}

    difference = tiny.outputs(model, inputs)["sequence_output"] - tiny.outputs(model, other)["sequence_output"]

    assert np.abs(difference[0, 1]).max() > 1e-3


def test_encoder_with_one_segment_takes_none():
    # RoBERTa given type 1 looks beyond its table (transformers#1114): here there is no such input.
    model = bk.encoder(ROBERTA)

    assert set(model.input) == {"token_ids", "padding_mask"}
    assert model.get_layer("embeddings").segment_embedding.shape == (1, 20)
