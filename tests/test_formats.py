"""One model in every format that `load` opens and `save` writes: the same numbers."""

import fnmatch
import json
import shutil

import numpy as np
import pytest
import tiny
from safetensors.numpy import load_file, save_file
from tiny import golden

import bert_keras as bk
from bert_keras.encoder import config_of
from bert_keras.pretrained import load_with_report


@pytest.fixture(scope="module")
def right():
    return {variable.path: variable.numpy() for variable in bk.load(golden("pretraining"))[0].weights}


@pytest.fixture
def folder(tmp_path):
    """The golden folder without its weights."""
    shutil.copytree(golden("pretraining"), tmp_path / "model", ignore=shutil.ignore_patterns("*.safetensors"))
    return tmp_path / "model"


def assert_equal(model, right, rtol=0.0):
    assert {variable.path for variable in model.weights} == set(right)
    for variable in model.weights:
        np.testing.assert_allclose(variable.numpy(), right[variable.path], rtol=rtol, err_msg=variable.path)


def tensors():
    return load_file(golden("pretraining") / "model.safetensors")


def test_shards(folder, right):
    names = sorted(tensors())
    shards = {
        f"model-0000{i + 1}-of-00002.safetensors": {name: tensors()[name] for name in names[i::2]} for i in range(2)
    }
    for file, part in shards.items():
        save_file(part, folder / file)
    index = {"weight_map": {name: file for file, part in shards.items() for name in part}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))

    assert_equal(bk.load(folder)[0], right)


def test_float16_is_read_as_float32(folder, right):
    save_file({name: array.astype("float16") for name, array in tensors().items()}, folder / "model.safetensors")

    model, _ = bk.load(folder)

    assert {variable.dtype for variable in model.weights} == {"float32"}
    assert_equal(model, right, rtol=1e-3)


def test_torch_file(folder, right):
    torch = pytest.importorskip("torch", reason="pip install torch: it writes the file")
    torch.save({name: torch.tensor(array) for name, array in tensors().items()}, folder / "pytorch_model.bin")

    model, _, report = load_with_report(folder)

    assert set(report.read) == set(tensors())
    assert_equal(model, right)


def test_torch_shards(folder, right):
    torch = pytest.importorskip("torch", reason="pip install torch: it writes the files")
    names = sorted(tensors())
    index = {"weight_map": {}}
    for i in range(2):
        file = f"pytorch_model-0000{i + 1}-of-00002.bin"
        torch.save({name: torch.tensor(tensors()[name]) for name in names[i::2]}, folder / file)
        index["weight_map"] |= dict.fromkeys(names[i::2], file)
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index))

    assert_equal(bk.load(folder)[0], right)


@pytest.mark.parametrize("layout", ["hf", "tf1", "keras-hub"])
def test_layouts_are_read_again(tmp_path, layout):
    # Epsilon and activation are those of Google's and KerasHub's code.
    config = bk.EncoderConfig.from_dict({**tiny.CONFIG.to_dict(), "hidden_act": "gelu_new", "layer_norm_eps": 1e-12})
    model, tokenizer = bk.encoder(config), bk.load(golden("pretraining"))[1]
    tiny.randomize(model)

    bk.save(model, tokenizer, tmp_path / "saved", layout=layout)
    copy, copied_tokenizer = bk.load(tmp_path / "saved")

    assert copied_tokenizer.vocabulary == tokenizer.vocabulary
    assert_equal(copy, {variable.path: variable.numpy() for variable in model.weights})


def test_choice_head_of_a_tf1_checkpoint_is_read_where_it_is_asked_for(tmp_path):
    # Google's ALBERT names it as the head of a classifier.
    source = tiny.GOLDEN / "families" / "albert" / "multiple-choice"
    base, tokenizer = bk.load(source, task="feature-extraction")
    values = {**config_of(base).to_dict(), "hidden_act": "gelu_new", "layer_norm_eps": 1e-12}
    model = bk.tasks.multiple_choice(bk.encoder(bk.EncoderConfig.from_dict(values)))
    tiny.randomize(model)

    bk.save(model, tokenizer, tmp_path / "saved", layout="tf1")
    copy, _, report = load_with_report(tmp_path / "saved", task="multiple-choice")

    assert not report.new
    assert_equal(copy, {variable.path: variable.numpy() for variable in model.weights})


def test_unknown_layout_is_refused(tmp_path):
    model, tokenizer = bk.load(golden("pretraining"))

    with pytest.raises(bk.InputError, match="no layout is named 'onnx'; known are hf, tf1, keras-hub"):
        bk.save(model, tokenizer, tmp_path / "saved", layout="onnx")
    assert not (tmp_path / "saved").exists()


# `added_tokens.json`, which holds the mask of DeBERTa v3, was not asked for once.
@pytest.mark.parametrize("family", ["albert", "bert", "deberta", "deberta-v2", "roberta", "xlm-roberta"])
def test_every_file_of_a_folder_is_asked_of_the_hub(family, monkeypatch, tmp_path):
    folder = tiny.GOLDEN / "families" / family / "fill-mask"
    folder = folder if folder.exists() else folder.with_name("text-classification")

    def download(_, allow_patterns):
        asked = [file for file in folder.iterdir() if any(fnmatch.fnmatch(file.name, p) for p in allow_patterns)]
        for file in asked:
            shutil.copy(file, tmp_path)
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)

    bk.load("some-one/some-model")

    assert {file.name for file in folder.iterdir()} - {file.name for file in tmp_path.iterdir()} == {
        "expected.safetensors"
    }
