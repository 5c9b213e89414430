"""Heads of tokens, answers, choices and replaced tokens against their formulas."""

import numpy as np
import pytest
import reference
import tiny

from bert_keras.layers import AnswerHead, ChoiceHead, MergeChoices, RtdHead, TokenHead

STATES = np.random.default_rng(5).normal(size=(3, 4, 20)).astype("float32")


@pytest.mark.parametrize("classes", [3, 20])  # 20: a transposed kernel would have the right shape
def test_token_head_equals_the_formula(classes):
    layer = TokenHead([f"{i}" for i in range(classes)], 0.1, 0.02, name="head")
    layer.build((None, None, 20))
    weights = tiny.randomize(layer)

    right = reference.dense(weights, "head/dense", STATES.astype(float))

    np.testing.assert_allclose(layer(STATES, training=False), right, atol=1e-5)


def test_answer_head_gives_the_start_first():
    layer = AnswerHead(0.1, 0.02, name="head")
    layer.build((None, None, 20))
    weights = tiny.randomize(layer)

    start, end = layer(STATES, training=False)

    right = reference.dense(weights, "head/dense", STATES.astype(float))
    np.testing.assert_allclose(start, right[..., 0], atol=1e-5)
    np.testing.assert_allclose(end, right[..., 1], atol=1e-5)


def test_choices_are_merged_and_their_logits_split_again_in_order():
    head = ChoiceHead(0.1, 0.02, name="head")
    head.build((None, 20))
    weights = tiny.randomize(head)
    choices = np.arange(2 * 3 * 5).reshape(2, 3, 5)

    merged = np.asarray(MergeChoices()(choices))
    pooled = np.random.default_rng(6).normal(size=(6, 20)).astype("float32")
    found = head(pooled, choices, training=False)

    np.testing.assert_array_equal(merged[4], choices[1, 1])
    right = reference.dense(weights, "head/dense", pooled.astype(float))[:, 0]
    np.testing.assert_allclose(found, [right[:3], right[3:]], atol=1e-5)


@pytest.mark.parametrize("length", [4, 1])  # a bare squeeze would lose the axis of a text of one token
def test_rtd_head_equals_the_formula(length):
    layer = RtdHead(20, "gelu", 0.02, name="head")
    layer.build((None, None, 20))
    weights = tiny.randomize(layer)
    states = STATES[:, :length]

    hidden = reference.ACTIVATIONS["gelu"](reference.dense(weights, "head/transform", states.astype(float)))
    right = reference.dense(weights, "head/dense", hidden)[..., 0]

    assert layer(states).shape == (3, length)
    np.testing.assert_allclose(layer(states), right, atol=1e-4)
