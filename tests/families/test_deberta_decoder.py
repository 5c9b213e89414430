"""DeBERTa's enhanced mask decoder, its checkpoints by Microsoft's names, and what is refused."""

import dataclasses

import numpy as np
import pytest
import reference
import reference_disentangled
import tiny
from families import parity

import bert_keras as bk
from bert_keras.config import Disentangled, EncoderConfig
from bert_keras.encoder import config_of
from bert_keras.errors import InputError
from bert_keras.families import deberta, deberta_v2
from bert_keras.tasks import fill_mask
from bert_keras.weights import canonical
from bert_keras.weights.deberta_v2 import ALIASES

CONFIG = EncoderConfig(
    vocab_size=37,
    hidden_size=20,
    num_hidden_layers=2,
    num_attention_heads=5,
    intermediate_size=28,
    hidden_act="gelu_new",
    max_position_embeddings=11,
    type_vocab_size=0,
    layer_norm_eps=1e-3,
    model_type="deberta-v2",
    position_biased_input=False,
    pooler=False,
    classifier_act="gelu",
    disentangled=Disentangled(reference_disentangled.MAX, reference_disentangled.BUCKETS, norm_rel_ebd=True),
)

# Encoders without heads: what transformers' classes count for the config.json of the released checkpoints.
PARAMETERS = {
    "deberta-base": 138_601_728,
    "deberta-large": 405_163_008,
    "deberta-xlarge": 757_804_032,
    "deberta-v2-xlarge": 884_593_152,
    "deberta-v2-xxlarge": 1_564_549_632,
    "mdeberta-v3-base": 278_218_752,
}


@pytest.mark.parametrize("name, right", PARAMETERS.items())
def test_parameters_of_a_named_size(name, right):
    assert parity.count_parameters(name) == right


def test_mask_decoder_equals_the_formula():
    encoder = bk.encoder(CONFIG, hidden_states=True)
    model = fill_mask(encoder, mask_decoder=True)
    weights = tiny.randomize(model)
    inputs = {name: array for name, array in tiny.batch(config=CONFIG, lengths=(7, 4)).items() if name in encoder.input}
    positions = np.array([[6, 0, 2], [3, 3, 1]], "int32")

    logits = tiny.outputs(model, {**inputs, "masked_positions": positions})

    table = weights["relative_positions/table"]
    table = reference.named_layer_norm(weights, "relative_positions/layer_norm", table, 1e-3)
    before_last = tiny.outputs(encoder, inputs)["hidden_states"][1].astype(float)
    for text, mask in enumerate(inputs["padding_mask"]):
        x = before_last[text]
        asking = x + weights["mask_decoder/position_embedding"][: len(x)]
        for _ in range(2):
            asking = reference_disentangled.block(weights, "block_1", asking, x, mask, table, CONFIG)
        hidden = reference.ACTIVATIONS["gelu_new"](reference.dense(weights, "mlm_head/transform", asking))
        hidden = reference.named_layer_norm(weights, "mlm_head/layer_norm", hidden, 1e-3)
        right = hidden @ weights["embeddings/token_embedding"].T + weights["mlm_head/bias"]
        np.testing.assert_allclose(logits[text], right[positions[text]], atol=1e-4)


def test_decoder_and_head_are_read_by_microsofts_names(tmp_path):
    golden = parity.GOLDEN / "deberta" / "fill-mask.lm-predictions"
    encoder, tokenizer = bk.load(golden, task="feature-extraction")
    model = fill_mask(encoder, mask_decoder=True)
    tiny.randomize(model)
    bk.save(model, tokenizer, tmp_path / "original")
    # Microsoft's config.json has no `legacy`, which transformers then takes for true.
    config = (tmp_path / "original" / "config.json").read_text(encoding="utf-8")
    (tmp_path / "original" / "config.json").write_text(config.replace('"legacy": false', '"legacy": true'))

    loaded, _ = bk.load(tmp_path / "original")

    assert config_of(loaded).extra["legacy"]
    for variable, copied in zip(model.weights, loaded.weights, strict=True):
        np.testing.assert_array_equal(variable.numpy(), copied.numpy(), err_msg=variable.path)
    assert any(variable.path == "mask_decoder/position_embedding" for variable in loaded.weights)


def test_either_name_of_the_mlm_head_becomes_the_tables():
    names = ["deberta.x", "lm_predictions.lm_head.LayerNorm.weight"]
    aliases = {alias: name for alias, name in ALIASES.items() if name.startswith("cls.")}

    found = canonical(names, "file", "deberta.", aliases)

    assert found == {"x": names[0], "cls.predictions.transform.LayerNorm.weight": names[1]}


@pytest.mark.parametrize(
    ("family", "keys", "message"),
    [
        (deberta, {"relative_attention": False}, "relative_attention is false"),
        (deberta, {"talking_head": True}, "talking_head is true"),
        (deberta, {"embedding_size": 64}, "embedding_size is 64"),
        (deberta_v2, {"conv_groups": 2}, "conv_groups is 2"),
        (deberta_v2, {"attention_head_size": 32}, "attention_head_size is 32"),
        (deberta_v2, {"pos_att_type": "p2p|c2p"}, "pos_att_type names p2p"),
    ],
)
def test_variants_that_do_not_exist_here_are_refused(family, keys, message):
    values = next(iter(family.SIZES.values()))

    with pytest.raises(InputError, match=message):
        family.encoder_config({**values, **keys})


def test_convolution_beside_the_only_block_is_refused():
    config = dataclasses.replace(
        CONFIG, num_hidden_layers=1, disentangled=dataclasses.replace(CONFIG.disentangled, conv_kernel_size=3)
    )

    with pytest.raises(InputError, match="num_hidden_layers is 1"):
        bk.encoder(config)


def test_microsofts_spelling_of_the_config_is_read():
    values = {**deberta_v2.SIZES["deberta-v3-base"], "pos_att_type": "p2c|c2p", "max_relative_positions": -1}

    config = deberta_v2.encoder_config(values)

    assert config.disentangled.pos_att_type == ("p2c", "c2p")
    assert config.disentangled.max_relative_positions == 512
    assert deberta_v2.hf_config(config)["max_relative_positions"] == -1
