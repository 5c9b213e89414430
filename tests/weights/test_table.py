"""Applying a checkpoint strictly: every variable once, shapes equal, nothing left over in silence."""

import numpy as np
import pytest
import tiny

import bert_keras as bk
from bert_keras.families import FAMILIES
from bert_keras.weights import apply, bert, canonical, collect

ROWS = bert.rows(tiny.CONFIG, "pretraining")


@pytest.fixture(scope="module")
def source():
    model = bk.tasks.pretraining(bk.encoder(tiny.CONFIG))
    tiny.randomize(model)
    return model


@pytest.fixture
def tensors(source):
    return collect(source, ROWS)


def read_into(model, tensors):
    return apply(model, tensors, canonical(tensors, "file", bert.PREFIX, bert.ALIASES), ROWS, "file")


def test_what_is_collected_is_applied_again(source, tensors):
    copy = bk.tasks.pretraining(bk.encoder(tiny.CONFIG))

    report = read_into(copy, tensors)

    right = tiny.values(source)
    assert set(report.read) == set(tensors) and len(report.read) == len(right)
    assert not report.new and not report.ignored
    for path, value in tiny.values(copy).items():
        np.testing.assert_array_equal(value, right[path], err_msg=path)


def test_matrices_of_dense_layers_are_transposed_and_tables_are_not(source, tensors):
    weights = tiny.values(source)

    np.testing.assert_array_equal(
        tensors["encoder.layer.1.attention.self.key.weight"], weights["block_1/attention/key/kernel"].T
    )
    np.testing.assert_array_equal(tensors["cls.seq_relationship.weight"], weights["nsp_head/dense/kernel"].T)
    np.testing.assert_array_equal(tensors["embeddings.word_embeddings.weight"], weights["embeddings/token_embedding"])


@pytest.mark.parametrize("task", [*FAMILIES["bert"].HEADS.values(), "sentence-similarity"])
def test_every_variable_of_every_task_has_a_row(task):
    labels = [["a", "b"]] if task in ("text-classification", "token-classification") else []

    model = bk.tasks.TASKS[task](bk.encoder(tiny.CONFIG), *labels)

    named = {row.variable for row in bert.rows(tiny.CONFIG, task)}
    assert {variable.path for variable in model.weights} <= named


def test_renamed_tensor_is_named(tensors):
    tensors["encoder.layer.0.intermediate.dense.wieght"] = tensors.pop("encoder.layer.0.intermediate.dense.weight")

    with pytest.raises(bk.InputError, match=r"file: unknown tensor encoder\.layer\.0\.intermediate\.dense\.wieght"):
        read_into(bk.encoder(tiny.CONFIG), tensors)


def test_missing_tensors_are_named(tensors):
    del tensors["encoder.layer.1.output.dense.bias"], tensors["embeddings.LayerNorm.weight"]

    with pytest.raises(
        bk.InputError, match=r"missing tensors embeddings\.LayerNorm\.weight, encoder\.layer\.1\.output\.dense\.bias"
    ):
        read_into(bk.encoder(tiny.CONFIG), tensors)


def test_head_that_is_there_in_part_is_no_new_head(tensors):
    del tensors["pooler.dense.bias"]

    with pytest.raises(bk.InputError, match=r"missing tensor pooler\.dense\.bias"):
        read_into(bk.encoder(tiny.CONFIG), tensors)


def test_absent_pooler_is_told_as_new(tensors):
    del tensors["pooler.dense.weight"], tensors["pooler.dense.bias"]

    report = read_into(bk.encoder(tiny.CONFIG), tensors)

    assert report.new == ["pooler/dense/kernel", "pooler/dense/bias"]


def test_head_that_the_model_lacks_is_told_as_ignored(tensors):
    report = read_into(bk.encoder(tiny.CONFIG), tensors)

    assert report.ignored["cls.seq_relationship.weight"] == "the model has no such part"
    assert all(name.startswith("cls.") for name in report.ignored)


def test_wrong_shape_is_named_with_both_shapes(tensors):
    tensors["encoder.layer.0.intermediate.dense.weight"] = tensors["encoder.layer.0.intermediate.dense.weight"].T

    with pytest.raises(
        bk.InputError, match=r"dense\.weight has the shape \(20, 28\); config\.json asks for \(28, 20\)"
    ):
        read_into(bk.encoder(tiny.CONFIG), tensors)


def test_names_of_old_files_are_understood(source, tensors):
    old = {f"bert.{name}" if not name.startswith("cls.") else name: array for name, array in tensors.items()}
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): array
        for name, array in old.items()
    }
    old["bert.embeddings.position_ids"] = np.arange(11)[None, :]
    copy = bk.tasks.pretraining(bk.encoder(tiny.CONFIG))

    report = read_into(copy, old)

    assert report.ignored == {"bert.embeddings.position_ids": "a constant, not a weight"}
    right = tiny.values(source)
    for path, value in tiny.values(copy).items():
        np.testing.assert_array_equal(value, right[path], err_msg=path)


@pytest.mark.parametrize("names", [("cls.predictions.bias",), ("cls.predictions.decoder.bias",), None])
def test_bias_of_the_decoder_is_read_once_under_either_name(source, tensors, names):
    # transformers PR#2928: added twice or dropped.
    bias = tensors.pop("cls.predictions.bias")
    for name in names or ("cls.predictions.bias", "cls.predictions.decoder.bias"):
        tensors[name] = bias
    tensors["cls.predictions.decoder.weight"] = tensors["embeddings.word_embeddings.weight"]
    copy = bk.tasks.fill_mask(bk.encoder(tiny.CONFIG))

    report = read_into(copy, tensors)

    np.testing.assert_array_equal(tiny.values(copy)["mlm_head/bias"], tiny.values(source)["mlm_head/bias"])
    assert report.ignored["cls.predictions.decoder.weight"] == "the same as embeddings.word_embeddings.weight"


def test_decoder_that_differs_from_the_token_table_is_refused(tensors):
    tensors["cls.predictions.decoder.weight"] = tensors["embeddings.word_embeddings.weight"] + 1

    with pytest.raises(bk.InputError, match=r"decoder\.weight differs from .*: an untied decoder cannot be loaded"):
        read_into(bk.tasks.fill_mask(bk.encoder(tiny.CONFIG)), tensors)


def test_two_names_for_one_tensor_are_refused(tensors):
    tensors["bert.pooler.dense.bias"] = tensors["pooler.dense.bias"]

    with pytest.raises(bk.InputError, match=r"pooler\.dense\.bias and bert\.pooler\.dense\.bias are the same tensor"):
        read_into(bk.encoder(tiny.CONFIG), tensors)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_neither_written_nor_read(value):
    model = bk.encoder(tiny.CONFIG)
    spoiled = {**collect(model, ROWS), "pooler.dense.bias": np.full(tiny.CONFIG.hidden_size, value, np.float32)}
    with pytest.raises(bk.InputError, match=r"file: pooler\.dense\.bias holds NaN or infinity"):
        read_into(model, spoiled)

    bias = next(variable for variable in model.weights if variable.path == "pooler/dense/bias")
    bias.assign(spoiled["pooler.dense.bias"])
    with pytest.raises(bk.InputError, match="the weight pooler/dense/bias holds NaN or infinity"):
        collect(model, ROWS)
