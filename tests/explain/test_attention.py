"""What the heads look at, beside transformers' own maps (tests/golden/make_explain.py)."""

import keras
import numpy as np
import pytest
import tiny_text
from safetensors.numpy import load_file
from tiny import GOLDEN, outputs

import bert_keras as bk
from bert_keras.errors import InputError
from bert_keras.explain import attention
from bert_keras.explain.graphs import attention_graph, run

EXPECTED = load_file(GOLDEN / "explain.safetensors")
FOLDERS = sorted(name.removesuffix("/attention") for name in EXPECTED if name.endswith("/attention"))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_head_looks_where_it_does_in_transformers(name):
    folder = GOLDEN / "families" / name
    model, _ = bk.load(folder)
    arrays = load_file(folder / "expected.safetensors")
    inputs = {key: arrays[key].astype("int32") for key in ("token_ids", "segment_ids", "padding_mask") if key in arrays}

    found = run(attention_graph(model), inputs).swapaxes(0, 1)

    texts = inputs["padding_mask"].astype(bool)[None, :, None, :, None]
    np.testing.assert_allclose(np.where(texts, found, 0), EXPECTED[f"{name}/attention"], atol=1e-5)
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-6)


@pytest.fixture(scope="module")
def model():
    return tiny_text.model()


def test_every_row_of_the_last_layer_is_there_though_the_head_reads_one(model):
    found = attention(model, tiny_text.tokenizer(), "the film was good")

    assert found.array.shape == (2, 2, 6, 6)
    assert found.array.dtype == np.float32
    np.testing.assert_allclose(found.array.sum(axis=-1), 1, atol=1e-6)


def test_a_model_may_have_one_layer():
    config = bk.EncoderConfig(
        vocab_size=len(tiny_text.VOCABULARY),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=16,
    )
    found = attention(bk.encoder(config), tiny_text.tokenizer(), "the film")

    assert found.array.shape == (1, 2, 4, 4)
    np.testing.assert_allclose(found.array.sum(axis=-1), 1, atol=1e-6)


def test_pieces_have_their_places_in_their_text(model):
    found = attention(model, tiny_text.tokenizer(), "films", "  was\tgood")

    assert found.pieces == ["[CLS]", "film", "##s", "[SEP]", "was", "good", "[SEP]"]
    assert found.parts == [-1, 0, 0, -1, 1, 1, -1]
    assert found.offsets == [(-1, -1), (0, 4), (4, 5), (-1, -1), (2, 5), (6, 10), (-1, -1)]


def test_maps_follow_the_weights():
    model = tiny_text.model()
    before = attention(model, tiny_text.tokenizer(), "the film").array
    kernel = model.get_layer("block_0").attention.query.kernel
    kernel.assign(kernel * 0)
    model.get_layer("block_0").attention.query.bias.assign(kernel[0] * 0)

    after = attention(model, tiny_text.tokenizer(), "the film").array

    assert not np.allclose(before[0], 0.25, atol=0.01)
    np.testing.assert_allclose(after[0], 0.25, atol=1e-6)  # no question is asked: all of four pieces alike


def test_the_model_saves_and_answers_as_before(tmp_path):
    model = tiny_text.model()
    inputs = tiny_text.tokenizer()(["the film was good"])
    before, layers = outputs(model, inputs), len(model.layers)

    attention(model, tiny_text.tokenizer(), "the film was good")
    model.save(tmp_path / "model.keras")

    assert len(model.layers) == layers
    np.testing.assert_array_equal(outputs(keras.models.load_model(tmp_path / "model.keras"), inputs), before)


def test_choices_are_read_one_by_one():
    found = attention(tiny_text.model("multiple-choice"), tiny_text.tokenizer(), "the film", "was good")

    assert found.array.shape == (2, 2, 7, 7)


def test_a_mask_in_the_text_is_a_piece():
    found = attention(tiny_text.model("fill-mask"), tiny_text.tokenizer(), "the [MASK] was")

    assert found.pieces == ["[CLS]", "the", "[MASK]", "was", "[SEP]"]


def test_a_picture_names_its_head_and_pieces(model):
    figure = attention(model, tiny_text.tokenizer(), "the $film$").figure(1, -1)

    axes = figure.axes[0]
    assert axes.get_title() == "layer 1, head -1"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["[CLS]", "the", "$", "film", "$", "[SEP]"]
    figure.canvas.draw()  # a lone $ is no formula


@pytest.mark.parametrize(("layer", "head", "message"), [(2, 0, "layer is 2"), (0, -3, "head is -3")])
def test_a_picture_of_a_head_that_is_not_there(model, layer, head, message):
    with pytest.raises(InputError, match=message):
        attention(model, tiny_text.tokenizer(), "film").figure(layer, head)
