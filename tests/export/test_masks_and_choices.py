"""Fill-mask and multiple choice out of a folder, a .tflite file and a SavedModel."""

import functools

import numpy as np
import pytest
from tiny import GOLDEN, outputs

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.export import RECIPES, ModelPredictor, saved_model, tflite
from bert_keras.export.quantize import quantized
from bert_keras.export.tflite_graph import TfliteGraph

# Narrower tables than hidden states; relative positions.
MASKED = ["albert/fill-mask", "deberta-v2/fill-mask"]
# The encoder's pooler, though classifiers have their own; the head's own layer.
CHOOSING = ["roberta/multiple-choice", "distilbert/multiple-choice"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    @functools.cache
    def make(name):
        path = tmp_path_factory.mktemp("file") / "model.tflite"
        tflite(GOLDEN / "families" / name, path, "float32")
        return *bk.load(GOLDEN / "families" / name), path

    return make


def ids(model, length, seed=0):
    random = np.random.default_rng(seed)
    inputs = {
        "token_ids": random.integers(0, config_of(model).vocab_size, (1, length), dtype=np.int32),
        "segment_ids": np.zeros((1, length), np.int32),
        "padding_mask": np.ones((1, length), np.int32),
    }
    return {name: values for name, values in inputs.items() if name in [tensor.name for tensor in model.inputs]}


@pytest.mark.parametrize("name", MASKED)
def test_a_file_has_the_logits_of_any_number_of_masks(name, exported):
    model, _, path = exported(name)
    graph = TfliteGraph(path)
    for length, positions in ((9, [4]), (9, [7, 1, 1, 0]), (3, [2])):
        inputs = {**ids(model, length), "masked_positions": np.array([positions], np.int32)}
        np.testing.assert_allclose(graph.run(inputs)["logits"], outputs(model, inputs), atol=1e-4)


# The table is half of a small model's weights, and read twice: rows of it at the start, all of it at the end.
@pytest.mark.parametrize("recipe", ["float32", "float16", "int8"])
def test_the_token_table_is_in_the_file_once(recipe, exported):
    model, _, path = exported("albert/fill-mask")
    tree = quantized(path, RECIPES[recipe])
    table = (config_of(model).vocab_size, config_of(model).table_width)
    kept = [
        tensor
        for tensor in tree.subgraphs[0].tensors
        if tuple(tensor.shape) == table and tree.buffers[tensor.buffer].data is not None
    ]
    assert len(kept) == 1
    assert (
        len(tree.buffers[kept[0].buffer].data) == table[0] * table[1] * {"float32": 4, "float16": 2, "int8": 1}[recipe]
    )


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ([[9]], "masked_positions has values from 9 to 9; allowed are 0 to 8"),
        ([[]], r"masked_positions has the shape \[1, 0\]; it must be \[1, K\]"),
        ([1], r"masked_positions has the shape \[1\]"),
    ],
)
def test_masks_elsewhere_are_named(positions, message, exported):
    model, _, path = exported("albert/fill-mask")
    with pytest.raises(InputError, match=message):
        TfliteGraph(path).run({**ids(model, 9), "masked_positions": np.array(positions, np.int32)})


@pytest.mark.parametrize("name", CHOOSING)
def test_a_file_has_the_logit_of_a_choice(name, exported):
    model, _, path = exported(name)
    inputs = ids(model, 9)
    expected = outputs(model, {each: values[:, None] for each, values in inputs.items()})
    np.testing.assert_allclose(TfliteGraph(path).run(inputs)["logits"], expected, atol=1e-5)


def same(answers, others):
    assert len(answers) == len(others)
    for answer, other in zip(answers, others, strict=True):
        assert answer.keys() == other.keys()
        for name, value in answer.items():
            if isinstance(value, list):
                np.testing.assert_equal([plain(each) for each in value], [plain(each) for each in other[name]])
            else:
                assert plain(value) == plain(other[name])


def plain(value):
    """Without what rounding changes."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("name", "texts", "pairs"),
    [
        ("albert/fill-mask", ["the [MASK] cab [MASK]", "a b", "[MASK] fade " * 30], None),
        ("distilbert/multiple-choice", ["a b", "cab"], [["x", "the cab faded", "b"], ["ab", "ba"]]),
    ],
)
def test_folder_file_and_saved_model_answer_alike(name, texts, pairs, exported, tmp_path):
    model, tokenizer, path = exported(name)
    with pytest.warns(UserWarning, match="takes tokens only"):
        version = saved_model(model, tmp_path / "serving", tokenizer)
    bk.save(model, tokenizer, tmp_path / "folder")
    right = ModelPredictor(model, tokenizer)(texts, pairs)
    for place in (tmp_path / "folder", path, version):
        same(bk.predictor(place)(texts, pairs), right)
