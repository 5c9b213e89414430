"""Every task's model against the formulas, and what its head may not lose."""

import dataclasses

import keras
import numpy as np
import pytest
import reference
import tiny
import tiny_text

import bert_keras as bk
from bert_keras.errors import InputError
from bert_keras.tasks import TASKS, labels_of, task_of, text_classification

LABELS = ["negative", "neutral", "positive"]
POSITIONS = np.array([[5, 1, 1], [3, 0, 2], [0, 0, 0]], "int32")


def make(task, config=tiny.CONFIG):
    base = bk.encoder(config)
    model = TASKS[task](base, LABELS) if TASKS[task].has_labels else TASKS[task](base)
    weights = tiny.randomize(model)
    inputs = tiny.batch()
    if len(model.input["token_ids"].shape) == 3:
        inputs = {name: np.stack([array, array[::-1]], axis=1) for name, array in inputs.items()}
    if "masked_positions" in model.input:
        inputs["masked_positions"] = POSITIONS
    return model, weights, inputs


def sequence_output(weights, inputs):
    names = ("token_ids", "segment_ids", "padding_mask")
    states, _ = reference.encoder(weights, tiny.CONFIG, *(inputs[name] for name in names))
    return states[-1]


def read(states):
    return np.stack([state[own] for state, own in zip(states, POSITIONS, strict=True)])


def test_text_classification_equals_the_formulas():
    model, weights, inputs = make("text-classification")

    right = reference.classification_logits(weights, reference.pooler(weights, sequence_output(weights, inputs)))

    np.testing.assert_allclose(tiny.outputs(model, inputs), right, atol=1e-4)


def test_next_sentence_prediction_equals_the_formulas():
    model, weights, inputs = make("next-sentence-prediction")

    right = reference.nsp_logits(weights, reference.pooler(weights, sequence_output(weights, inputs)))

    np.testing.assert_allclose(tiny.outputs(model, inputs), right, atol=1e-4)


def test_fill_mask_equals_the_formulas():
    model, weights, inputs = make("fill-mask")

    right = reference.mlm_logits(weights, read(sequence_output(weights, inputs)), tiny.CONFIG)

    np.testing.assert_allclose(tiny.outputs(model, inputs), right, atol=2e-4)


def test_pretraining_equals_the_formulas():
    model, weights, inputs = make("pretraining")
    states = sequence_output(weights, inputs)

    found = tiny.outputs(model, inputs)

    np.testing.assert_allclose(found["mlm"], reference.mlm_logits(weights, read(states), tiny.CONFIG), atol=2e-4)
    np.testing.assert_allclose(
        found["nsp"], reference.nsp_logits(weights, reference.pooler(weights, states)), atol=1e-4
    )


def test_sentence_similarity_equals_the_formulas():
    model, weights, inputs = make("sentence-similarity")

    right = reference.sentence_embedding(sequence_output(weights, inputs), inputs["padding_mask"])

    np.testing.assert_allclose(tiny.outputs(model, inputs), right, atol=1e-5)


def test_shapes_are_those_of_the_table():
    base = bk.encoder(tiny.CONFIG, hidden_states=True, attention_maps=True)
    inputs = tiny.batch()
    B, L, H, A, V, K, C = 3, 7, 20, 5, 37, 3, 3

    found = tiny.outputs(base, inputs)
    both = tiny.outputs(TASKS["pretraining"](base), {**inputs, "masked_positions": POSITIONS})

    assert found["sequence_output"].shape == (B, L, H)
    assert found["pooled_output"].shape == (B, H)
    assert {state.shape for state in found["hidden_states"]} == {(B, L, H)}
    assert {probabilities.shape for probabilities in found["attention_maps"]} == {(B, A, L, L)}
    assert both["mlm"].shape == (B, K, V)
    assert both["nsp"].shape == (B, 2)
    assert tiny.outputs(text_classification(base, LABELS), inputs).shape == (B, C)


def test_feature_extraction_is_the_encoder():
    base = bk.encoder(tiny.CONFIG)

    assert TASKS["feature-extraction"](base) is base


@pytest.mark.parametrize("task", TASKS)
def test_model_tells_its_task_and_labels(task):
    model, _, _ = make(task)

    assert task_of(model) == task
    fixed = list(TASKS[task].labels) or None
    assert labels_of(model) == (LABELS if TASKS[task].has_labels else fixed)


@pytest.mark.parametrize("task", [task for task in TASKS if task != "feature-extraction"])
def test_answers_are_float32_under_mixed_precision(task):
    keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        model, _, inputs = make(task)
    finally:
        keras.config.set_dtype_policy("float32")

    for output in keras.tree.flatten(model(inputs, training=False)):
        assert output.dtype == "float32" or task in ("fill-mask", "pretraining")
        assert np.isfinite(np.float32(output)).all()


@pytest.mark.parametrize("count", [1, 17])
def test_last_batch_of_one_keeps_its_axis(count):
    model, _, _ = make("text-classification")
    inputs = tiny.batch(lengths=(3,) * count, length=3)

    found = model.predict(inputs, batch_size=16, verbose=0)

    assert found.shape == (count, 3)
    last = tiny.outputs(model, {name: array[-1:] for name, array in inputs.items()})
    np.testing.assert_allclose(found[-1:], last, atol=1e-5)


def test_heads_of_one_encoder_share_its_weights():
    base = bk.encoder(tiny.CONFIG)
    classifier, filler = text_classification(base, LABELS), TASKS["fill-mask"](base)

    assert classifier.get_layer("embeddings") is filler.get_layer("embeddings") is base.get_layer("embeddings")


def test_token_table_is_the_decoder_of_the_masked_tokens():
    # transformers PR#2928: tied, with one bias, also after the table has changed.
    model, _, inputs = make("fill-mask")
    table = model.get_layer("embeddings").token_embedding
    table.assign(table.numpy() * 0.5)

    right = reference.mlm_logits(tiny.values(model), read(sequence_output(tiny.values(model), inputs)), tiny.CONFIG)

    np.testing.assert_allclose(tiny.outputs(model, inputs), right, atol=2e-4)
    assert sum(tuple(variable.shape) == (37, 20) for variable in model.weights) == 1


@pytest.mark.parametrize(
    "extra, argument, right", [({}, None, 0.1), ({"classifier_dropout": 0.3}, None, 0.3), ({}, 0.4, 0.4)]
)
def test_dropout_of_the_classification_head(extra, argument, right):
    base = bk.encoder(dataclasses.replace(tiny.CONFIG, **extra))

    assert text_classification(base, LABELS, dropout=argument).get_layer("classification_head").dropout.rate == right


@pytest.mark.parametrize(
    "labels, message",
    [
        (["one"], "at least two labels"),
        ("ab", "labels is the text 'ab'; pass a list"),
        (["a", "b", "a"], "named twice"),
        (["a", "b\nc"], r"the label 'b\\nc' has a line end"),
        (["a\r", "b"], r"the label 'a\\r' has a line end"),
    ],
)
def test_labels_that_no_head_can_have_are_refused(labels, message):
    with pytest.raises(bk.InputError, match=message):
        text_classification(bk.encoder(tiny.CONFIG), labels)


NO_FLAG = ("no", 0, 1, None, [True])
NO_WHOLE_NUMBER = ("4", 0, -1, 2.5, True, float("nan"), [4])
NO_NUMBER = ("0.5", float("nan"), float("inf"), True, [0.5])
OPTIONS = {
    "windows": NO_FLAG,
    "no_answer": NO_FLAG,
    "normalize": NO_FLAG,
    "null_threshold": NO_NUMBER,
    "thresholds": ("ab", 0.5, [0.5], [0.5, "a"], [0.5, 2], [0.5, float("nan")], [True, 0.5]),
    "pooling": ("avg", ["mean"], None),
    "dimensions": (*NO_WHOLE_NUMBER, 17),
    "max_length": (*NO_WHOLE_NUMBER, 2, 25),
}


@pytest.mark.parametrize(("task", "option"), [(name, option) for name in TASKS for option in TASKS[name].options])
def test_an_option_of_another_kind_is_named(task, option):
    for value in OPTIONS[option]:
        with pytest.raises(InputError, match=option.removesuffix("s")):
            tiny_text.model(task, **{option: value})
