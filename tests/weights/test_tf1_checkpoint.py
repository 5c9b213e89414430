"""Google's TensorFlow 1 checkpoints, training checkpoints with the optimizer's slots included."""

import json

import google_names
import numpy as np
import pytest
import reference
import tensorflow as tf
import tiny

import bert_keras as bk
from bert_keras.pretrained import load_with_report
from bert_keras.weights.tf1_checkpoint import Tf1Checkpoint, config_values

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


def names_of_ours():
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
    write(folder, names_of_ours(), weights)
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
    write(tmp_path, {name: path for name, path in names_of_ours().items() if name.startswith("bert/")}, weights)

    model, _ = bk.load(tmp_path)

    assert bk.tasks.task_of(model) == "feature-extraction"


def test_word_limit_is_that_of_googles_tokenizer(folder):
    _, tokenizer = bk.load(folder)

    assert tokenizer.max_characters_per_word == 200


@pytest.mark.parametrize("keep", [1000, 0, None])
def test_truncated_or_missing_data_file_is_refused(tmp_path, weights, keep):
    write(tmp_path, names_of_ours(), weights)
    (data,) = tmp_path.glob("*.data-*")
    data.rename(tmp_path / "kept")
    if keep is not None:
        data.write_bytes((tmp_path / "kept").read_bytes()[:keep])

    with pytest.raises(bk.InputError, match=r"bert_model\.ckpt: the tensor bert/\S+ cannot be read: a data file is"):
        bk.load(tmp_path)


def test_damaged_index_file_is_refused(tmp_path, weights):
    write(tmp_path, names_of_ours(), weights)
    (tmp_path / "bert_model.ckpt.index").write_bytes(b"no index")

    with pytest.raises(bk.InputError, match=r"bert_model\.ckpt: not a readable TensorFlow checkpoint"):
        bk.load(tmp_path)


def test_missing_config_is_named(tmp_path, weights):
    write(tmp_path, names_of_ours(), weights)
    (tmp_path / "bert_config.json").unlink()

    with pytest.raises(bk.InputError, match=r"bert_model\.ckpt: bert_config\.json is missing beside the checkpoint"):
        bk.load(tmp_path / "bert_model.ckpt")


def assert_reads(checkpoint, wanted):
    assert set(checkpoint) == set(wanted)
    for name, value in wanted.items():
        np.testing.assert_array_equal(checkpoint[name], value, err_msg=name)
        assert checkpoint.shape(name) == value.shape


class TestNames:
    @pytest.mark.parametrize("family", google_names.FAMILIES)
    def test_every_tensor_is_read_by_the_name_of_transformers(self, tmp_path, family):
        rows = google_names.FAMILIES[family]
        values = google_names.arrays(rows)

        checkpoint = Tf1Checkpoint(google_names.save(tmp_path / "model.ckpt", values))

        assert checkpoint.family == (family if family in ("bert", "albert") else "electra")
        assert_reads(checkpoint, google_names.expected(rows, values))

    def test_alberts_layer_norm_1_is_the_one_after_the_feed_forward_network(self, tmp_path):
        scope = "bert/encoder/transformer/group_0/inner_group_0"
        prefix = google_names.save(
            tmp_path / "model.ckpt",
            {f"{scope}/LayerNorm/gamma": np.float32([1, 2]), f"{scope}/LayerNorm_1/gamma": np.float32([3, 4])},
        )

        checkpoint = Tf1Checkpoint(prefix)

        layer = "albert.encoder.albert_layer_groups.0.albert_layers.0"
        assert checkpoint[f"{layer}.attention.LayerNorm.weight"].tolist() == [1, 2]
        assert checkpoint[f"{layer}.full_layer_layer_norm.weight"].tolist() == [3, 4]

    def test_alberts_groups_keep_their_numbers(self, tmp_path):
        scope = "bert/encoder/transformer/group_2/inner_group_13/ffn_1/intermediate/dense/bias"

        checkpoint = Tf1Checkpoint(google_names.save(tmp_path / "model.ckpt", {scope: np.float32([1])}))

        assert list(checkpoint) == ["albert.encoder.albert_layer_groups.2.albert_layers.13.ffn.bias"]

    @pytest.mark.parametrize("family", ["bert", "albert"])
    def test_prefix_of_tf_hub_is_left_out(self, tmp_path, family):
        rows = google_names.FAMILIES[family]
        values = google_names.arrays(rows)

        checkpoint = Tf1Checkpoint(
            google_names.save(tmp_path / "model.ckpt", {f"module/{name}": value for name, value in values.items()})
        )

        assert_reads(checkpoint, google_names.expected(rows, values))

    def test_unknown_tensor_keeps_its_name(self, tmp_path):
        prefix = google_names.save(tmp_path / "model.ckpt", {"bert/adapter/kernel": np.float32([[1, 2]])})

        assert list(Tf1Checkpoint(prefix)) == ["bert/adapter/kernel"]

    def test_alberts_head_with_beam_search_is_told(self, tmp_path):
        prefix = google_names.save(
            tmp_path / "model.ckpt",
            {
                "bert/encoder/transformer/group_0/inner_group_0/LayerNorm/beta": np.float32([1]),
                **_zeros("end_logits/b"),
            },
        )

        assert Tf1Checkpoint(prefix).skipped == {
            "end_logits/b": "a head of Google's SQuAD 2.0 that Hugging Face has not"
        }

    def test_checkpoint_of_tensorflow_2_is_refused(self, tmp_path):
        prefix = google_names.save(tmp_path / "ckpt-1", _zeros("model/layer/kernel/.ATTRIBUTES/VARIABLE_VALUE"))

        with pytest.raises(bk.InputError, match=r"ckpt-1 is a checkpoint of TensorFlow 2; Google's of TensorFlow 1"):
            Tf1Checkpoint(prefix)


class TestElectra:
    @pytest.fixture
    def prefix(self, tmp_path):
        # As in the release: both parts, and no `.ckpt` in the name.
        values = google_names.arrays(google_names.GENERATOR) | google_names.arrays(google_names.DISCRIMINATOR, seed=1)
        return google_names.save(tmp_path / "electra_small", {**values, **_zeros("global_step")})

    def test_the_discriminator_is_read_and_the_generator_told(self, prefix):
        checkpoint = Tf1Checkpoint(prefix)

        assert_reads(
            checkpoint,
            google_names.expected(google_names.DISCRIMINATOR, google_names.arrays(google_names.DISCRIMINATOR, seed=1)),
        )
        assert checkpoint.part == "discriminator"
        assert checkpoint.skipped.pop("global_step") == "the optimizer's"
        theirs = {name for name, _, _ in google_names.GENERATOR if name.startswith("generator")}
        assert checkpoint.skipped == dict.fromkeys(theirs, "of the generator")

    def test_the_generator_is_read_with_the_discriminators_tables(self, prefix):
        checkpoint = Tf1Checkpoint(prefix, part="generator")

        values = google_names.arrays(google_names.GENERATOR) | google_names.arrays(google_names.DISCRIMINATOR, seed=1)
        assert_reads(checkpoint, google_names.expected(google_names.GENERATOR, values))
        assert checkpoint.skipped["electra/encoder/layer_0/output/dense/kernel"] == "of the discriminator"
        assert checkpoint.skipped["discriminator_predictions/dense_1/bias"] == "of the discriminator"

    def test_generator_with_tables_of_its_own(self, tmp_path):
        values = google_names.arrays(google_names.GENERATOR)
        own = {name: value + 1 for name, value in values.items() if name.startswith("electra/")}
        values |= {name.replace("electra/", "generator/"): value for name, value in own.items()}

        checkpoint = Tf1Checkpoint(google_names.save(tmp_path / "model.ckpt", values), part="generator")

        np.testing.assert_array_equal(
            checkpoint["electra.embeddings.word_embeddings.weight"], values["generator/embeddings/word_embeddings"]
        )
        assert checkpoint.skipped == dict.fromkeys(own, "of the discriminator")

    def test_model_of_the_masked_lm_objective_is_a_generator_too(self, tmp_path):
        # Without `electra_objective` the one encoder is `electra` and its head the generator's.
        rows = google_names.DISCRIMINATOR[:23] + google_names.GENERATOR[23:]
        values = google_names.arrays(rows)

        checkpoint = Tf1Checkpoint(google_names.save(tmp_path / "model.ckpt", values), part="generator")

        assert_reads(checkpoint, google_names.expected(rows, values))

    def test_fine_tuned_head_is_told(self, tmp_path):
        values = google_names.arrays(google_names.DISCRIMINATOR[:23])
        values |= _zeros("task_specific/mnli/dense/kernel")

        checkpoint = Tf1Checkpoint(google_names.save(tmp_path / "model.ckpt", values))

        assert set(checkpoint.skipped) == {"task_specific/mnli/dense/kernel"}
        assert "kind the file does not tell" in checkpoint.skipped["task_specific/mnli/dense/kernel"]

    def test_missing_part_is_refused(self, tmp_path):
        prefix = google_names.save(tmp_path / "model.ckpt", google_names.arrays(google_names.DISCRIMINATOR))

        with pytest.raises(bk.InputError, match=r"model\.ckpt does not hold an ELECTRA's generator"):
            Tf1Checkpoint(prefix, part="generator")

    def test_unknown_part_is_refused(self, prefix):
        with pytest.raises(bk.InputError, match="part is 'both'; known are discriminator, generator"):
            Tf1Checkpoint(prefix, part="both")

    def test_part_of_a_bert_is_refused(self, tmp_path):
        prefix = google_names.save(tmp_path / "model.ckpt", google_names.arrays(google_names.BERT))

        with pytest.raises(bk.InputError, match="only an ELECTRA has parts; this is the checkpoint of bert"):
            Tf1Checkpoint(prefix, part="generator")


class TestConfigValues:
    @pytest.mark.parametrize(
        ("family", "file", "activation"),
        [
            ("bert", "bert_config.json", "gelu_new"),
            ("albert", "albert_config.json", "gelu_new"),
            ("discriminator", "bert_config.json", "gelu"),
        ],
    )
    def test_gelu_is_what_the_familys_code_computes(self, tmp_path, family, file, activation):
        prefix = google_names.save(tmp_path / "model.ckpt", google_names.arrays(google_names.FAMILIES[family]))

        for values in ({"hidden_size": 4, "hidden_act": "gelu"}, {"hidden_size": 4}):
            (tmp_path / file).write_text(json.dumps(values))
            assert config_values(prefix)["hidden_act"] == activation

    def test_the_file_is_given_with_the_epsilon_of_the_code(self, tmp_path):
        prefix = google_names.save(tmp_path / "model.ckpt-best", google_names.arrays(google_names.ALBERT))
        file = {"hidden_act": "relu", "num_hidden_layers": 12, "num_hidden_groups": 1, "gap_size": 0}
        (tmp_path / "albert_config.json").write_text(json.dumps(file))

        assert config_values(prefix) == {"model_type": "albert", "layer_norm_eps": 1e-12, **file}

    def test_sizes_of_an_electra_are_those_of_its_tensors(self, tmp_path):
        shapes = {
            "electra/embeddings/word_embeddings": (7, 128),
            "electra/embeddings/position_embeddings": (5, 128),
            "electra/embeddings/token_type_embeddings": (2, 128),
        }
        for layer in range(3):
            shapes[f"electra/encoder/layer_{layer}/intermediate/dense/kernel"] = (256, 30)
            shapes[f"generator/encoder/layer_{layer % 2}/intermediate/dense/kernel"] = (64, 20)
        prefix = google_names.save(
            tmp_path / "electra_small", {name: np.zeros(shape, "float32") for name, shape in shapes.items()}
        )

        assert config_values(prefix) == {
            "model_type": "electra",
            "layer_norm_eps": 1e-12,
            "hidden_act": "gelu",
            "vocab_size": 7,
            "embedding_size": 128,
            "hidden_size": 256,
            "num_hidden_layers": 3,
            "num_attention_heads": 4,
            "intermediate_size": 30,
            "max_position_embeddings": 5,
            "type_vocab_size": 2,
        }
        generator = config_values(prefix, part="generator")
        assert (generator["hidden_size"], generator["num_hidden_layers"], generator["num_attention_heads"]) == (
            64,
            2,
            1,
        )

    def test_electras_file_tells_the_heads_of_the_discriminator_alone(self, tmp_path):
        values = google_names.arrays(google_names.GENERATOR) | google_names.arrays(google_names.DISCRIMINATOR)
        prefix = google_names.save(tmp_path / "electra_small", values)
        file = {"hidden_size": 4, "num_attention_heads": 2, "hidden_dropout_prob": 0.25}
        (tmp_path / "bert_config.json").write_text(json.dumps(file))

        heads = {part: config_values(prefix, part)["num_attention_heads"] for part in ("discriminator", "generator")}

        assert heads == {"discriminator": 2, "generator": 1}
        assert config_values(prefix, "generator")["hidden_dropout_prob"] == 0.25

    def test_electras_file_of_another_width_is_refused(self, tmp_path):
        prefix = google_names.save(tmp_path / "electra_small", google_names.arrays(google_names.DISCRIMINATOR))
        (tmp_path / "bert_config.json").write_text('{"hidden_size": 768}')

        with pytest.raises(bk.InputError, match=r"bert_config\.json: hidden_size is 768; the checkpoint's is 4"):
            config_values(prefix)

    def test_electra_without_tables_is_refused(self, tmp_path):
        prefix = google_names.save(tmp_path / "electra_small", _zeros("electra/encoder/layer_0/output/dense/bias"))

        with pytest.raises(
            bk.InputError, match=r"electra_small: electra\.embeddings\.word_embeddings\.weight is missing"
        ):
            config_values(prefix)

    def test_missing_albert_config_is_named(self, tmp_path):
        prefix = google_names.save(tmp_path / "model.ckpt-best", google_names.arrays(google_names.ALBERT))

        with pytest.raises(bk.InputError, match=r"model\.ckpt-best: albert_config\.json is missing beside"):
            config_values(prefix)

    @pytest.mark.parametrize(("text", "message"), [("{", "is not JSON"), ("[]", "holds no JSON object")])
    def test_damaged_config_is_refused(self, tmp_path, text, message):
        prefix = google_names.save(tmp_path / "model.ckpt", google_names.arrays(google_names.BERT))
        (tmp_path / "bert_config.json").write_text(text)

        with pytest.raises(bk.InputError, match=rf"bert_config\.json {message}"):
            config_values(prefix)


def _zeros(name):
    return {name: np.zeros(1, "float32")}
