"""Which words an answer rests on."""

import sys

import keras
import numpy as np
import pytest
import tensorflow as tf
import tiny_text
from safetensors.numpy import load_file
from tiny import GOLDEN

import bert_keras as bk
from bert_keras.errors import InputError
from bert_keras.explain import attributions
from bert_keras.explain.graphs import VECTORS, vector_graph

EXPECTED = load_file(GOLDEN / "explain.safetensors")
TEXT = "the films was unaffable, good"
TAGS = {"labels": ["O", "B-PER", "I-PER"]}
# Task -> options of the model, text and pair.
CASES = {
    "fill-mask": ({}, "the [MASK] was good", None),
    "multiple-choice": ({}, "the film", ["was good", "bad films"]),
    "next-sentence-prediction": ({}, "the film", "was good"),
    "question-answering": ({}, "good film", "the film was bad"),
    "replaced-token-detection": ({}, TEXT, None),
    "sentence-similarity": ({}, TEXT, "bad films"),
    "text-classification": ({}, TEXT, "good film"),
    "token-classification": (TAGS, TEXT, None),
}


@pytest.fixture(scope="module")
def models():
    return {task: tiny_text.model(task, **options) for task, (options, _, _) in CASES.items()}


def explained(models, task, **options):
    _, text, pair = CASES[task]
    return attributions(models[task], tiny_text.tokenizer(), text, pair, **options)


@pytest.mark.parametrize("name", sorted(name.removesuffix("/gradient") for name in EXPECTED if "gradient" in name))
def test_gradients_at_token_vectors_equal_those_of_transformers(name):
    folder = GOLDEN / "families" / name
    model, _ = bk.load(folder)
    arrays = load_file(folder / "expected.safetensors")
    inputs = {key: tf.constant(arrays[key], tf.int32) for key in model.input}
    vectors = tf.gather(tf.convert_to_tensor(model.get_layer("embeddings").token_embedding), inputs["token_ids"])

    with tf.GradientTape() as tape:
        tape.watch(vectors)
        logits = vector_graph(model)({**inputs, VECTORS: vectors}, training=False)
        total = tf.reduce_sum(logits[:, 0])

    np.testing.assert_allclose(logits, arrays["logits"], atol=1e-5)
    found = tape.gradient(total, vectors).numpy() * arrays["padding_mask"][:, :, None]
    np.testing.assert_allclose(found, EXPECTED[f"{name}/gradient"], atol=1e-4)


@pytest.mark.parametrize("task", CASES)
def test_scores_share_out_what_the_text_adds_to_the_baseline(models, task):
    found = explained(models, task)

    assert abs(found.value - found.baseline_value) > 0.01
    np.testing.assert_allclose(found.scores.sum(), found.value - found.baseline_value, atol=1e-4)
    assert abs(found.gap) < 1e-4


def test_integrated_gradients_are_the_mean_gradient_on_the_way_from_the_masks(models):
    model, tokenizer = models["text-classification"], tiny_text.tokenizer()
    inputs = tokenizer(["the film"], max_length=4)
    table = model.get_layer("embeddings").token_embedding.numpy()
    text, masked = table[inputs["token_ids"][0]], table[inputs["token_ids"][0]]
    masked[1:3] = table[tokenizer.mask_id]
    steps = (np.arange(400) + 0.5)[:, None, None] / 400  # the middle rule, not the points of ours
    points = tf.constant(masked + steps * (text - masked), tf.float32)
    rows = {name: tf.repeat(array, 400, axis=0) for name, array in inputs.items()}

    with tf.GradientTape() as tape:
        tape.watch(points)
        total = tf.reduce_sum(vector_graph(model)({**rows, VECTORS: points}, training=False)[:, 1])
    expected = ((text - masked) * tape.gradient(total, points).numpy().mean(axis=0)).sum(axis=1)

    found = attributions(model, tokenizer, "the film", target="positive")
    np.testing.assert_allclose(found.scores, expected, atol=1e-5)


def test_gradient_x_input_is_the_gradient_of_the_token_table(models):
    model, tokenizer = models["text-classification"], tiny_text.tokenizer()
    inputs = tokenizer(["the film was good"])  # no piece twice: a row of the table is one place of the text
    table = model.get_layer("embeddings").token_embedding.value

    with tf.GradientTape() as tape:
        logit = model(inputs, training=False)[0, 0]
    gradient = tf.convert_to_tensor(tape.gradient(logit, table)).numpy()
    found = attributions(model, tokenizer, "the film was good", target="negative", method="gradient-x-input")

    np.testing.assert_allclose(found.scores, (table.numpy() * gradient).sum(1)[inputs["token_ids"][0]], atol=1e-5)
    assert found.value == pytest.approx(float(logit), abs=1e-5)
    assert found.baseline_value is None and found.gap is None


def test_special_tokens_and_masks_add_nothing(models):
    found = explained(models, "fill-mask")

    assert found.pieces == ["[CLS]", "the", "[MASK]", "was", "good", "[SEP]"]
    assert np.flatnonzero(found.scores).tolist() == [1, 3, 4]


def test_a_word_has_the_sum_of_its_pieces(models):
    found = explained(models, "text-classification")

    assert found.pieces[4:8] == ["was", "un", "##aff", "##able"]
    assert [word.text for word in found.words] == ["the", "films", "was", "unaffable", ",", "good", "good", "film"]
    assert [word.part for word in found.words] == [0, 0, 0, 0, 0, 0, 1, 1]
    assert found.word_scores[3] == pytest.approx(found.scores[5:8].sum())
    assert found.word_scores.sum() == pytest.approx(found.scores.sum())


def test_the_top_words_are_those_for_and_against(models):
    found = explained(models, "text-classification")
    scores = [score for _, score in found.top(3)]

    assert sorted(map(abs, scores), reverse=True) == pytest.approx(sorted(np.abs(found.word_scores))[:-4:-1])
    assert all(found.word_scores[found.words.index(word)] == score for word, score in found.top(3))


def test_steps_of_a_long_text_are_computed_in_parts(models, monkeypatch):
    whole = explained(models, "text-classification").scores
    monkeypatch.setattr(sys.modules["bert_keras.explain.attributions"], "_TOKENS", 100)

    np.testing.assert_allclose(explained(models, "text-classification").scores, whole, atol=1e-6)


def test_an_empty_text_has_no_words(models):
    found = attributions(models["text-classification"], tiny_text.tokenizer(), "")

    assert found.words == [] and found.top() == []
    assert found.gap == 0


def test_a_compiled_model_stays_as_it_is():
    model = tiny_text.model()
    model.compile(**bk.training.recipe(model))
    optimizer = model.optimizer

    attributions(model, tiny_text.tokenizer(), "the film")

    assert model.optimizer is optimizer
    assert isinstance(model.loss, keras.losses.Loss)


def test_a_picture_colours_for_and_against_apart(models):
    found = explained(models, "text-classification")
    figure = found.figure()

    bars = figure.axes[0].patches
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [word.text for word in found.words]
    assert [bar.get_width() for bar in bars] == pytest.approx(found.word_scores.tolist())
    assert len({bar.get_facecolor() for bar in bars}) == 2
    figure.canvas.draw()


def test_an_unknown_method_is_named(models):
    with pytest.raises(InputError, match="'saliency'; known are integrated-gradients, gradient-x-input"):
        explained(models, "text-classification", method="saliency")
