"""Google's TensorFlow 1 checkpoints, training checkpoints with the optimizer's slots included."""

import json

import numpy as np
import pytest
import reference
import tensorflow as tf
import tiny

import bert_keras as bk
from bert_keras.pretrained import load_with_report

CONFIG = {
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 20,
    "initializer_range": 0.02,
    "intermediate_size": 28,
    "max_position_embeddings": 11,
    "num_attention_heads": 5,
    "num_hidden_layers": 2,
    "type_vocab_size": 2,
    "vocab_size": 9,
}
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b"]


def google_names():
    """Our paths by the names of google-research/bert: `modeling.py` and `run_pretraining.py`."""
    names = {
        "bert/embeddings/word_embeddings": "embeddings/token_embedding",
        "bert/embeddings/token_type_embeddings": "embeddings/segment_embedding",
        "bert/embeddings/position_embeddings": "embeddings/position_embedding",
        "cls/predictions/output_bias": "mlm_head/bias",
        "cls/seq_relationship/output_weights": "nsp_head/dense/kernel",
        "cls/seq_relationship/output_bias": "nsp_head/dense/bias",
    }
    parts = {"bert/pooler/dense": "pooler/dense", "cls/predictions/transform/dense": "mlm_head/transform"}
    norms = {
        "bert/embeddings/LayerNorm": "embeddings/layer_norm",
        "cls/predictions/transform/LayerNorm": "mlm_head/layer_norm",
    }
    for i in range(2):
        theirs, ours = f"bert/encoder/layer_{i}", f"block_{i}"
        for part in ("query", "key", "value"):
            parts[f"{theirs}/attention/self/{part}"] = f"{ours}/attention/{part}"
        parts[f"{theirs}/attention/output/dense"] = f"{ours}/attention/output"
        parts[f"{theirs}/intermediate/dense"] = f"{ours}/intermediate"
        parts[f"{theirs}/output/dense"] = f"{ours}/output"
        norms[f"{theirs}/attention/output/LayerNorm"] = f"{ours}/attention_layer_norm"
        norms[f"{theirs}/output/LayerNorm"] = f"{ours}/output_layer_norm"
    for theirs, ours in parts.items():
        names |= {f"{theirs}/{part}": f"{ours}/{part}" for part in ("kernel", "bias")}
    for theirs, ours in norms.items():
        names |= {f"{theirs}/{part}": f"{ours}/{part}" for part in ("gamma", "beta")}
    return names


def write(folder, names, weights):
    """A checkpoint as `run_pretraining.py` leaves it while it trains."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        arrays = {}
        for theirs, ours in names.items():
            value = weights[ours].astype("float32")
            # This one matrix is [out, in] there.
            value = value.T if theirs == "cls/seq_relationship/output_weights" else value
            arrays[theirs] = value
            arrays[f"{theirs}/adam_m"] = arrays[f"{theirs}/adam_v"] = np.zeros_like(value)
        variables = {name: tf.compat.v1.get_variable(name, initializer=array) for name, array in arrays.items()}
        variables["global_step"] = tf.compat.v1.get_variable("global_step", initializer=np.int64(20))
        session.run(tf.compat.v1.global_variables_initializer())
        tf.compat.v1.train.Saver(variables).save(session, str(folder / "bert_model.ckpt"), write_meta_graph=False)
    (folder / "bert_config.json").write_text(json.dumps(CONFIG))
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")


@pytest.fixture(scope="module")
def weights():
    model = bk.tasks.pretraining(bk.encoder(bk.EncoderConfig.from_dict(CONFIG)))
    return tiny.randomize(model)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, weights):
    folder = tmp_path_factory.mktemp("tf1")
    write(folder, google_names(), weights)
    return folder


def test_every_variable_is_read_and_the_optimizers_are_left(folder, weights):
    model, _, report = load_with_report(folder)

    assert bk.tasks.task_of(model) == "pretraining"
    for path, value in tiny.values(model).items():
        np.testing.assert_array_equal(value, weights[path], err_msg=path)
    assert len(report.read) == len(weights) and not report.new
    assert set(report.ignored.values()) == {"the optimizer's"}
    assert len(report.ignored) == 2 * len(weights) + 1 and "global_step" in report.ignored


def test_gelu_is_the_tanh_form_of_googles_code(folder, weights):
    model, _ = bk.load(folder, task="feature-extraction")
    inputs = tiny.batch(config=bk.EncoderConfig.from_dict(CONFIG))

    found = tiny.outputs(model, inputs)

    config = bk.EncoderConfig.from_dict({**CONFIG, "hidden_act": "gelu_new"})
    states, _ = reference.encoder(weights, config, **inputs)
    np.testing.assert_allclose(found["pooled_output"], reference.pooler(weights, states[-1]), atol=5e-5)


def test_checkpoint_can_be_named_itself(folder):
    model, tokenizer = bk.load(folder / "bert_model.ckpt", task="fill-mask")

    assert bk.tasks.task_of(model) == "fill-mask"
    assert tokenizer.vocabulary == PIECES


def test_encoder_without_heads_is_an_encoder(tmp_path, weights):
    write(tmp_path, {name: path for name, path in google_names().items() if name.startswith("bert/")}, weights)

    model, _ = bk.load(tmp_path)

    assert bk.tasks.task_of(model) == "feature-extraction"


def test_word_limit_is_that_of_googles_tokenizer(folder):
    _, tokenizer = bk.load(folder)

    assert tokenizer.max_characters_per_word == 200


@pytest.mark.parametrize("keep", [1000, 0, None])
def test_truncated_or_missing_data_file_is_refused(tmp_path, weights, keep):
    write(tmp_path, google_names(), weights)
    (data,) = tmp_path.glob("*.data-*")
    data.rename(tmp_path / "kept")
    if keep is not None:
        data.write_bytes((tmp_path / "kept").read_bytes()[:keep])

    with pytest.raises(bk.InputError, match=r"bert_model\.ckpt: the tensor bert/\S+ cannot be read: a data file is"):
        bk.load(tmp_path)


def test_damaged_index_file_is_refused(tmp_path, weights):
    write(tmp_path, google_names(), weights)
    (tmp_path / "bert_model.ckpt.index").write_bytes(b"no index")

    with pytest.raises(bk.InputError, match=r"bert_model\.ckpt: not a readable TensorFlow checkpoint"):
        bk.load(tmp_path)


def test_missing_config_is_named(tmp_path, weights):
    write(tmp_path, google_names(), weights)
    (tmp_path / "bert_config.json").unlink()

    with pytest.raises(bk.InputError, match=r"bert_model\.ckpt: bert_config\.json is missing beside the checkpoint"):
        bk.load(tmp_path / "bert_model.ckpt")
