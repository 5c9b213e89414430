"""Configs: named sizes, what a config.json says, and what no encoder can have."""

import json
import math

import pytest
import tiny

import bert_keras as bk
from bert_keras.families import bert

# Parameters of the encoder with its pooler. Base and large: Devlin et al. 2018 and the released checkpoints; small
# sizes: Turc et al. 2019; SciBERT: Beltagy et al. 2019; BioBERT v1.1 has the architecture of BERT base cased.
PARAMETERS = {
    "bert-tiny": 4_385_920,
    "bert-mini": 11_170_560,
    "bert-small": 28_763_648,
    "bert-medium": 41_373_184,
    "bert-base-uncased": 109_482_240,
    "bert-base-cased": 108_310_272,
    "bert-large-uncased": 335_141_888,
    "bert-large-cased": 333_579_264,
    "scibert-scivocab-uncased": 109_918_464,
    "biobert-v1.1": 108_310_272,
}


def count_of_formula(config):
    """Parameters by the shapes of docs/mathematics.md."""
    V, H, F = config.vocab_size, config.hidden_size, config.intermediate_size
    embeddings = (V + config.max_position_embeddings + config.type_vocab_size) * H + 2 * H
    block = 4 * (H * H + H) + (H * F + F) + (F * H + H) + 2 * 2 * H
    return embeddings + config.num_hidden_layers * block + H * H + H


def count_of_heads(config):
    """Parameters of the MLM head (the decoder's matrix is the token table) and the NSP head."""
    H = config.hidden_size
    return (H * H + H) + 2 * H + config.vocab_size + (2 * H + 2)


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_of_a_named_size(name):
    assert count_of_formula(bk.config(name)) == PARAMETERS[name]


@pytest.mark.parametrize("name", ["bert-tiny", "bert-mini"])
def test_built_model_has_the_parameters_of_its_size(name):
    assert bk.encoder(bk.config(name)).count_params() == PARAMETERS[name]


def test_built_model_of_any_size_has_the_parameters_of_the_formula():
    assert bk.encoder(tiny.CONFIG).count_params() == count_of_formula(tiny.CONFIG)


@pytest.mark.parametrize("name, right", [("bert-base-uncased", 110_106_428), ("bert-large-uncased", 336_226_108)])
def test_parameters_with_the_pretraining_heads(name, right):
    # Google's released checkpoints, whose MLM decoder is the token table and a bias.
    assert count_of_formula(bk.config(name)) + count_of_heads(bk.config(name)) == right


def test_built_pretraining_model_has_the_parameters_of_the_formula():
    model = bk.tasks.pretraining(bk.encoder(tiny.CONFIG))

    assert model.count_params() == count_of_formula(tiny.CONFIG) + count_of_heads(tiny.CONFIG)


def test_no_size_is_without_a_known_count():
    assert set(bert.SIZES) == set(PARAMETERS)


def test_sizes_and_defaults_are_those_of_the_paper():
    base, large = bk.config("bert-base-uncased"), bk.config("bert-large-cased")
    sizes = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    assert [getattr(base, size) for size in sizes] == [768, 12, 12, 3072]
    assert [getattr(large, size) for size in sizes] == [1024, 24, 16, 4096]
    assert (base.hidden_act, base.layer_norm_eps, base.initializer_range) == ("gelu", 1e-12, 0.02)
    assert (base.hidden_dropout_prob, base.attention_probs_dropout_prob, base.type_vocab_size) == (0.1, 0.1, 2)


def test_unknown_size_is_refused_with_the_known_ones():
    with pytest.raises(bk.InputError, match=r"no config is named 'bert-huge'; known are .*bert-base-uncased"):
        bk.config("bert-huge")


def test_unknown_keys_are_kept_aside_and_written_back():
    values = {"vocab_size": 10, "problem_type": "regression", "transformers_version": "4.8.2"}

    config = bk.EncoderConfig.from_dict(values)

    assert config.extra == {"problem_type": "regression", "transformers_version": "4.8.2"}
    assert values.items() <= config.to_dict().items()
    assert bk.EncoderConfig.from_dict(config.to_dict()) == config


def test_config_is_plain_json():
    config = bk.config("bert-tiny")

    assert bk.EncoderConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize(
    "key, value, message",
    [
        ("vocab_size", 0, "vocab_size is 0; it must be a positive whole number"),
        ("num_hidden_layers", 2.0, "num_hidden_layers is 2.0; it must be a positive whole number"),
        ("type_vocab_size", None, "type_vocab_size is None"),
        ("hidden_size", True, "hidden_size is True"),
        ("hidden_dropout_prob", 1.0, "hidden_dropout_prob is 1.0; it must be at least 0 and under 1"),
        ("attention_probs_dropout_prob", "0.1", "attention_probs_dropout_prob is '0.1'"),
        ("layer_norm_eps", 0, "layer_norm_eps is 0; it must be over 0"),
        ("layer_norm_eps", math.nan, "layer_norm_eps is nan; it must be over 0"),
        ("hidden_act", "mish", "hidden_act is 'mish'; known are gelu,"),
        ("num_attention_heads", 5, "hidden_size 768 is not a multiple of num_attention_heads 5"),
    ],
)
def test_impossible_value_is_named(key, value, message):
    with pytest.raises(bk.InputError, match=message):
        bk.EncoderConfig.from_dict({key: value})
