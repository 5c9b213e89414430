"""Folders that cannot be loaded: one clear sentence each."""

import json
import shutil

import huggingface_hub.constants
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tiny import GOLDEN, golden

import bert_keras as bk
from bert_keras.pretrained import load_with_report
from bert_keras.tasks import task_of

HEAD = ("weight", "bias")


@pytest.fixture
def folder(tmp_path):
    """A copy of a folder to spoil."""
    shutil.copytree(golden("pretraining"), tmp_path / "model")
    return tmp_path / "model"


def change_config(folder, **changes):
    values = {**json.loads((folder / "config.json").read_text()), **changes}
    (folder / "config.json").write_text(json.dumps(values))


def change_tensors(folder, change):
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


def test_missing_folder():
    with pytest.raises(bk.InputError, match="/no/such/folder does not exist: pass a model's folder or a hub id"):
        bk.load("/no/such/folder")


def test_empty_folder(tmp_path):
    with pytest.raises(bk.InputError, match=r"is no model: neither config\.json with model\.safetensors"):
        bk.load(tmp_path)


def test_file_for_a_folder(folder):
    with pytest.raises(bk.InputError, match=r"is a file: pass the folder that holds config\.json"):
        bk.load(folder / "model.safetensors")


def test_hub_id_without_network_and_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))

    with pytest.raises(
        bk.InputError, match="some-one/some-model is neither a folder nor a model that the hub gives or the cache"
    ):
        bk.load("some-one/some-model")


def test_hub_id_in_the_cache_needs_no_network(monkeypatch, tmp_path):
    snapshot = tmp_path / "models--some-one--some-model" / "snapshots" / ("0" * 40)
    shutil.copytree(golden("fill-mask"), snapshot)
    (tmp_path / "models--some-one--some-model" / "refs").mkdir()
    (tmp_path / "models--some-one--some-model" / "refs" / "main").write_text("0" * 40)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))

    model, _ = bk.load("some-one/some-model")

    assert task_of(model) == "fill-mask"


def test_broken_config(folder):
    (folder / "config.json").write_text('{"vocab_size": 29,')

    with pytest.raises(bk.InputError, match=r"config\.json is not JSON: .*line 1 column"):
        bk.load(folder)


def test_config_in_another_encoding(folder):
    (folder / "config.json").write_bytes(b'{"name": "caf\xe9"}')

    with pytest.raises(bk.InputError, match=r"config\.json is not JSON"):
        bk.load(folder)


def test_config_that_is_no_object(folder):
    (folder / "config.json").write_text("[]")

    with pytest.raises(bk.InputError, match=r"config\.json holds no JSON object"):
        bk.load(folder)


def test_impossible_value_in_the_config(folder):
    change_config(folder, num_attention_heads=3)

    with pytest.raises(bk.InputError, match=r"config\.json: config: hidden_size 20 is not a multiple of"):
        bk.load(folder)


def test_another_family(folder):
    change_config(folder, model_type="llama")

    with pytest.raises(bk.InputError, match="the model is of the family 'llama'; this version loads albert, bert"):
        bk.load(folder)


def test_positions_of_another_kind(folder):
    change_config(folder, position_embedding_type="relative_key")

    with pytest.raises(bk.InputError, match="position_embedding_type 'relative_key' is not supported"):
        bk.load(folder)


@pytest.mark.parametrize("key, value", [("intermediate_size", 32), ("max_position_embeddings", 512)])
def test_config_with_other_sizes(folder, key, value):
    change_config(folder, **{key: value})

    with pytest.raises(bk.InputError, match=r"model\.safetensors: bert\.\S+ has the shape \(.*\); config\.json asks"):
        bk.load(folder)


def test_truncated_safetensors(folder):
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1000])

    with pytest.raises(bk.InputError, match=r"model\.safetensors cannot be read .* truncated or damaged"):
        bk.load(folder)


def test_renamed_tensor(folder):
    change_tensors(folder, lambda t: t.update({"bert.pooler.dense.wieght": t.pop("bert.pooler.dense.weight")}))

    with pytest.raises(bk.InputError, match=r"model\.safetensors: unknown tensor bert\.pooler\.dense\.wieght"):
        bk.load(folder)


def test_missing_tensor(folder):
    change_tensors(folder, lambda t: t.pop("bert.encoder.layer.0.output.dense.bias"))

    with pytest.raises(
        bk.InputError, match=r"model\.safetensors: missing tensor encoder\.layer\.0\.output\.dense\.bias"
    ):
        bk.load(folder)


def test_pickle_that_is_no_torch_file_is_never_opened(folder):
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04cos\nsystem\n.")

    with pytest.raises(bk.InputError, match=r"pytorch_model\.bin cannot be read as a torch file"):
        bk.load(folder)


def test_index_of_shards_that_lists_none(folder):
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    (folder / "model.safetensors.index.json").write_text("{}")

    with pytest.raises(bk.InputError, match=r"model\.safetensors\.index\.json has no weight_map"):
        bk.load(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
@pytest.mark.parametrize(
    "content, reason",
    [(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "is a pointer of git-lfs"), (b"", "is empty")],
)
def test_what_stands_in_the_place_of_the_weights_is_named(folder, name, content, reason):
    (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(content)

    with pytest.raises(bk.InputError, match=f"{name} {reason}"):
        bk.load(folder)


def test_missing_weights(folder):
    (folder / "model.safetensors").unlink()

    with pytest.raises(bk.InputError, match=r"the weights are missing; beside config\.json there must be model\.saf"):
        bk.load(folder)


def test_vocabulary_over_the_token_table(folder):
    with (folder / "vocab.txt").open("a") as file:
        file.write("\n".join(f"word{i}" for i in range(10)) + "\n")

    with pytest.raises(bk.InputError, match="the vocabulary has 35 pieces, but the token table only 29 rows"):
        bk.load(folder)


def test_vocabulary_under_the_token_table_is_loaded_whole(folder):
    # Tables padded for speed: the rows beyond the vocabulary are weights like others.
    model, tokenizer = bk.load(folder)

    assert len(tokenizer.vocabulary) == 25
    assert model.get_layer("embeddings").token_embedding.shape == (29, 20)


def test_head_that_this_version_lacks_is_named(folder):
    change_config(folder, architectures=["BertLMHeadModel"])

    with pytest.raises(bk.InputError, match="has no head for BertLMHeadModel; pass task='feature-extraction'"):
        bk.load(folder)
    assert task_of(bk.load(folder, task="feature-extraction")[0]) == "feature-extraction"


@pytest.mark.parametrize("kind", ["BertForTokenClassification", "BertForMultipleChoice"])
def test_classifier_of_another_task_is_not_taken_for_one_of_texts(folder, kind):
    change_config(folder, architectures=[kind])
    head = {"classifier.weight": "cls.seq_relationship.weight", "classifier.bias": "cls.seq_relationship.bias"}
    change_tensors(folder, lambda t: t.update({name: t[other] for name, other in head.items()}))

    _, _, report = load_with_report(folder, task="text-classification", labels=["a", "b"])

    assert report.new == ["classification_head/dense/bias", "classification_head/dense/kernel"]
    assert {report.ignored[name] for name in head} == {"the model has no such part"}


def test_decoder_is_refused(folder):
    change_config(folder, is_decoder=True)

    with pytest.raises(bk.InputError, match=r"the model is a decoder \(is_decoder\)"):
        bk.load(folder)


def test_head_that_the_config_does_not_name_is_found_by_its_tensors(folder):
    change_config(folder, architectures=None)

    assert task_of(bk.load(folder)[0]) == "pretraining"


@pytest.mark.parametrize("value", [["x"], {"x": ["y"]}, "x", 3, True])
@pytest.mark.parametrize("key", ["model_type", "position_embedding_type", "architectures", "id2label", "bert_keras"])
def test_values_of_another_kind_in_the_config_are_named_or_ignored(folder, key, value):
    change_config(folder, **{key: value})

    try:
        bk.load(folder)
    except bk.InputError as error:
        assert str(folder) in str(error)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"hidden_size": ' + "9" * 5000 + "}"])
def test_config_that_json_cannot_read(folder, content):
    (folder / "config.json").write_text(content)

    with pytest.raises(bk.InputError, match=r"config\.json is not JSON"):
        bk.load(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (
            "num_hidden_layers",
            10_000_000,
            "has the tensors of 2 blocks; its config asks for num_hidden_layers = 10000000",
        ),
        ("num_hidden_layers", 3, "has the tensors of 2 blocks; its config asks for num_hidden_layers = 3"),
        ("num_hidden_layers", 1, "has the tensors of 2 blocks; its config asks for num_hidden_layers = 1"),
        ("vocab_size", 10**12, r"word_embeddings\.weight has the shape .*; config\.json asks for \(1000000000000, "),
        ("max_position_embeddings", 10**12, r"position_embeddings\.weight has the shape"),
        ("type_vocab_size", 10**12, r"token_type_embeddings\.weight has the shape"),
        ("intermediate_size", 10**12, r"intermediate\.dense\.weight has the shape"),
    ],
)
def test_sizes_that_are_not_the_files_are_refused_before_a_model_is_made(folder, key, value, message):
    change_config(folder, **{key: value})
    with pytest.raises(bk.InputError, match=message):
        bk.load(folder)


@pytest.mark.parametrize("problem", ["multi_label_classification", "regression"])
def test_head_whose_scores_are_no_choice_of_one_label(tmp_path, problem):
    shutil.copytree(golden("text-classification"), tmp_path / "model")
    change_config(tmp_path / "model", problem_type=problem)

    with pytest.raises(bk.InputError, match="model holds no head for text-classification: pass labels"):
        bk.load(tmp_path / "model", task="text-classification")


def test_head_of_one_number(tmp_path):
    # A reranker's, or a regression's.
    shutil.copytree(golden("text-classification"), tmp_path / "model")
    change_tensors(
        tmp_path / "model",
        lambda tensors: tensors.update({f"classifier.{end}": tensors[f"classifier.{end}"][:1] for end in HEAD}),
    )

    with pytest.raises(bk.InputError, match="model holds no head for text-classification: pass labels"):
        bk.load(tmp_path / "model", task="text-classification")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((), r"text-classification needs at least two labels, not \[\]"),
        ((20, 1), r"classifier\.bias has the shape \(20, 1\); config\.json asks for \(20,\)"),
    ],
)
def test_bias_of_a_head_in_another_shape(tmp_path, shape, message):
    shutil.copytree(golden("text-classification"), tmp_path / "model")
    change_tensors(tmp_path / "model", lambda tensors: tensors.update({"classifier.bias": np.ones(shape, np.float32)}))

    with pytest.raises(bk.InputError, match=message):
        bk.load(tmp_path / "model")


def test_heads_of_no_number_in_deberta(tmp_path):
    shutil.copytree(GOLDEN / "families" / "deberta-v2" / "feature-extraction", tmp_path / "model")
    change_config(tmp_path / "model", num_attention_heads=0)

    with pytest.raises(bk.InputError, match=r"config\.json: config: num_attention_heads is 0"):
        bk.load(tmp_path / "model")


@pytest.mark.parametrize(("key", "value"), [("summary_activation", "tanh"), ("summary_type", "mean")])
def test_choice_head_of_electra_that_sums_up_in_another_way(tmp_path, key, value):
    shutil.copytree(GOLDEN / "families" / "electra" / "multiple-choice", tmp_path / "model")
    change_config(tmp_path / "model", **{key: value})

    with pytest.raises(bk.InputError, match=f"config: {key} is '{value}'; a head for multiple choice is read with"):
        bk.load(tmp_path / "model")
