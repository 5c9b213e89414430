"""TensorFlow 1 checkpoints as Google's code reads them: names, arrays, config, and what cannot be written."""

import json

import google_names
import numpy as np
import pytest
import tensorflow as tf

import bert_keras as bk
from bert_keras.weights.tf1_checkpoint import Tf1Checkpoint, config_values
from bert_keras.weights.tf1_writer import write_tf1

SIZES = {
    "attention_probs_dropout_prob": 0.25,
    "hidden_dropout_prob": 0.125,
    "hidden_size": 4,
    "initializer_range": 0.5,
    "intermediate_size": 6,
    "max_position_embeddings": 5,
    "num_attention_heads": 2,
    "num_hidden_layers": 1,
    "type_vocab_size": 2,
    "vocab_size": 9,
}
VALUES = {
    "bert": {"model_type": "bert", "hidden_act": "gelu_new", **SIZES},
    "albert": {"model_type": "albert", "hidden_act": "gelu_new", "embedding_size": 3, **SIZES},
    "discriminator": {"model_type": "electra", "hidden_act": "gelu", "embedding_size": 3, **SIZES},
    "generator": {"model_type": "electra", "hidden_act": "gelu", "embedding_size": 3, **SIZES, "hidden_size": 2},
}
FILES = {"bert": "bert_model.ckpt", "albert": "model.ckpt-best"}


def tensors_of(family):
    rows = google_names.FAMILIES[family]
    return google_names.expected(rows, google_names.arrays(rows))


@pytest.mark.parametrize("family", google_names.FAMILIES)
def test_tensors_have_googles_names_and_orientation(tmp_path, family):
    rows = google_names.FAMILIES[family]

    prefix = write_tf1(tensors_of(family), VALUES[family], tmp_path)

    assert prefix.name == FILES.get(family, "electra_model.ckpt")
    assert tf.train.list_variables(str(prefix)) == sorted((name, list(shape)) for name, shape, _ in rows)
    reader = tf.train.load_checkpoint(str(prefix))
    for name, value in google_names.arrays(rows).items():
        np.testing.assert_array_equal(reader.get_tensor(name), value, err_msg=name)


@pytest.mark.parametrize("family", google_names.FAMILIES)
def test_what_was_written_is_read_again(tmp_path, family):
    tensors = tensors_of(family)

    prefix = write_tf1(tensors, VALUES[family], tmp_path)

    checkpoint = Tf1Checkpoint(prefix)
    assert not checkpoint.skipped and set(checkpoint) == set(tensors)
    for name, value in tensors.items():
        np.testing.assert_array_equal(checkpoint[name], value, err_msg=name)
    values = config_values(prefix)
    assert {key: values[key] for key in VALUES[family]} == VALUES[family]


@pytest.mark.parametrize("family", ["bert", "albert", "discriminator"])
def test_prefix_of_the_encoder_may_be_missing(tmp_path, family):
    rows = google_names.FAMILIES[family]
    scope = f"{VALUES[family]['model_type']}."
    encoder = {name: value for name, value in tensors_of(family).items() if name.startswith(scope)}

    prefix = write_tf1({name.removeprefix(scope): v for name, v in encoder.items()}, VALUES[family], tmp_path)

    wanted = {theirs for theirs, _, ours in rows if ours in encoder}
    assert {name for name, _ in tf.train.list_variables(str(prefix))} == wanted


def test_repeated_tensors_and_constants_are_left_out(tmp_path):
    tensors = tensors_of("bert")
    tensors["cls.predictions.decoder.weight"] = tensors["bert.embeddings.word_embeddings.weight"]
    tensors["cls.predictions.decoder.bias"] = tensors["cls.predictions.bias"]
    tensors["bert.embeddings.position_ids"] = np.arange(5)

    prefix = write_tf1(tensors, VALUES["bert"], tmp_path)

    assert len(tf.train.list_variables(str(prefix))) == len(google_names.BERT)


def test_tensorflow_finds_the_checkpoint_of_the_folder(tmp_path):
    prefix = write_tf1(tensors_of("discriminator"), VALUES["discriminator"], tmp_path)

    assert tf.train.latest_checkpoint(str(tmp_path)) == str(prefix)


@pytest.mark.parametrize(
    ("family", "file", "more"),
    [
        ("bert", "bert_config.json", {}),
        (
            "albert",
            "albert_config.json",
            {
                "embedding_size": 3,
                "num_hidden_groups": 1,
                "inner_group_num": 1,
                "down_scale_factor": 1,
                "net_structure_type": 0,
                "gap_size": 0,
                "num_memory_blocks": 0,
            },
        ),
        ("discriminator", "bert_config.json", {"embedding_size": 3}),
    ],
)
def test_config_file_holds_the_keys_of_googles(tmp_path, family, file, more):
    values = {**VALUES[family], "layer_norm_eps": 1e-12, "pad_token_id": 0, "architectures": ["X"]}

    write_tf1(tensors_of(family), values, tmp_path)

    assert json.loads((tmp_path / file).read_text()) == {"hidden_act": "gelu", **SIZES, **more}


def test_labels_are_kept_beside_the_config(tmp_path):
    labels = {"0": "no", "1": "yes"}

    prefix = write_tf1(tensors_of("bert"), {**VALUES["bert"], "id2label": labels}, tmp_path)

    assert config_values(prefix)["id2label"] == labels


@pytest.mark.parametrize(
    ("family", "activation", "message"),
    [
        ("bert", "gelu", "activation is gelu; Google's code for bert computes gelu by tanh, up to 4.73e-4 away"),
        ("albert", "gelu", "activation is gelu; Google's code for albert computes gelu by tanh"),
        ("discriminator", "gelu_new", "activation is gelu_new; Google's code for electra computes gelu by erf"),
        ("bert", "gelu_pytorch_tanh", None),
        ("discriminator", "gelu", None),
        ("bert", "relu", None),
    ],
)
def test_gelu_of_the_other_formula_is_a_warning(tmp_path, caplog, family, activation, message):
    prefix = write_tf1(tensors_of(family), {**VALUES[family], "hidden_act": activation}, tmp_path)

    assert message in caplog.text if message else not caplog.records
    file = json.loads((prefix.parent / f"{'albert' if family == 'albert' else 'bert'}_config.json").read_text())
    assert file["hidden_act"] == ("relu" if activation == "relu" else "gelu")


@pytest.mark.parametrize(
    ("family", "change", "message"),
    [
        ("bert", {"model_type": "roberta"}, "a model of the family 'roberta' cannot be written as a TensorFlow 1"),
        ("bert", {"hidden_act": "silu"}, "does not know the activation 'silu'; it knows gelu, relu and tanh"),
        ("bert", {"layer_norm_eps": 1e-5}, "has the layer_norm_eps 1e-12, the model 1e-05"),
        ("bert", {"type_vocab_size": 0}, r"always adds segments, but the model has none \(type_vocab_size 0\)"),
        ("bert", {"architectures": ["BertForTokenClassification"]}, "has no head for BertForTokenClassification"),
        ("albert", {"embedding_size": 4}, r"has no albert\.encoder\.embedding_hidden_mapping_in\.weight where"),
    ],
)
def test_what_googles_code_does_not_know_is_refused(tmp_path, family, change, message):
    with pytest.raises(bk.InputError, match=message):
        write_tf1(tensors_of(family), {**VALUES[family], **change}, tmp_path)

    assert not list(tmp_path.iterdir())


def test_tensor_without_a_place_is_refused(tmp_path):
    tensors = {**tensors_of("discriminator"), "classifier.dense.weight": np.zeros((4, 4), "float32")}

    with pytest.raises(bk.InputError, match=r"classifier\.dense\.weight has no place .* of Google's electra code"):
        write_tf1(tensors, VALUES["discriminator"], tmp_path)


def test_decoder_that_is_not_the_token_table_is_refused(tmp_path):
    tensors = tensors_of("generator")
    tensors["generator_lm_head.weight"] = tensors["electra.embeddings.word_embeddings.weight"] + 1

    with pytest.raises(bk.InputError, match=r"generator_lm_head\.weight differs from electra\.embeddings\.word_emb"):
        write_tf1(tensors, VALUES["generator"], tmp_path)


def test_folder_that_cannot_be_written_is_an_os_error(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(OSError, match=r"bert_model\.ckpt cannot be written: "):
        write_tf1(tensors_of("bert"), VALUES["bert"], tmp_path / "file")
