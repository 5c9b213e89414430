"""KerasHub's presets, read and written: outputs equal KerasHub's own, computed here by tiny seeded models."""

import functools

import numpy as np
import pytest
from keras_nlp import models as hub

from bert_keras import weights
from bert_keras.config import EncoderConfig
from bert_keras.encoder import encoder
from bert_keras.weights import bert
from bert_keras.weights.keras_hub import open_preset, write_preset

SIZES = {"num_layers": 2, "num_heads": 3, "hidden_dim": 24, "intermediate_dim": 40, "max_sequence_length": 20}
BACKBONES = {"Bert": {"vocabulary_size": 30, "num_segments": 3}}
MASK = (np.arange(9) < np.array([[9], [5]])).astype("int32")
IDS = np.where(MASK, np.random.default_rng(3).integers(5, 30, (2, 9)), 0).astype("int32")
INPUTS = {"token_ids": IDS, "segment_ids": (IDS % 2).astype("int32"), "padding_mask": MASK}


@functools.cache
def backbone(name):
    """A backbone of KerasHub's whose weights hide nothing: no bias is 0, no gamma 1."""
    model = getattr(hub, f"{name}Backbone")(**SIZES, **BACKBONES[name])
    random = np.random.default_rng(0)
    for variable in model.weights:
        variable.assign(random.normal(1.2 if "gamma" in variable.path else 0.05, 0.4, variable.shape))
    return model


def sequence_output(model):
    outputs = model({key: INPUTS[key] for key in model.input}, training=False)
    return np.asarray(outputs["sequence_output"] if isinstance(outputs, dict) else outputs)


@pytest.fixture
def preset(request, tmp_path):
    backbone(request.param).save_to_preset(str(tmp_path / "preset"))
    return open_preset(tmp_path / "preset")


@pytest.mark.parametrize("preset", ["Bert"], indirect=True)
def test_our_encoder_from_a_preset_computes_what_keras_hub_does(preset):
    config = EncoderConfig.from_dict(preset.config)
    model = encoder(config)
    weights.apply(
        model, preset.tensors, bert.canonical(preset.tensors, ""), bert.rows(config.num_hidden_layers), (), ""
    )
    np.testing.assert_allclose(sequence_output(model), sequence_output(backbone("Bert")), atol=1e-5)


@pytest.mark.parametrize("preset", ["Bert"], indirect=True)
def test_a_written_preset_computes_the_same(preset, tmp_path):
    report = write_preset(preset.config, preset.tensors, {}, tmp_path / "written")
    assert (report.new, report.ignored) == ([], {})
    written = hub.BertBackbone.from_preset(str(tmp_path / "written"))
    np.testing.assert_array_equal(sequence_output(written), sequence_output(backbone("Bert")))
