"""DeBERTa v2 and v3: parity with transformers and the sizes of the released checkpoints."""

import shutil

import numpy as np
import pytest
from families import parity
from safetensors.numpy import load_file, save_file

from bert_keras.families import deberta_v2
from bert_keras.pretrained import load_with_report

# Encoders: He et al. 2021, table 2, to the digit as transformers counts them.
PARAMETERS = {
    "deberta-v2-xlarge": 884_593_152,
    "deberta-v2-xxlarge": 1_564_549_632,
    "deberta-v3-xsmall": 70_682_112,
    "deberta-v3-small": 141_304_320,
    "deberta-v3-base": 183_831_552,
    "deberta-v3-large": 434_012_160,
    "mdeberta-v3-base": 278_218_752,
}


@pytest.fixture(scope="module", params=parity.folders("deberta-v2"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestDebertaV2(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", deberta_v2.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]


def test_discriminator_that_keeps_its_change_of_the_generators_tables(tmp_path):
    # As microsoft/deberta-v3-xsmall and mdeberta-v3-base do.
    source = parity.GOLDEN / "deberta-v2" / "feature-extraction"
    shutil.copytree(source, tmp_path / "model")
    tensors = load_file(source / "model.safetensors")
    changes = {f"embeddings.{table}_embeddings._weight": np.ones((2, 12), np.float32) for table in ("word", "position")}
    save_file({**tensors, **changes}, tmp_path / "model" / "model.safetensors")

    model, _, report = load_with_report(tmp_path / "model")

    np.testing.assert_array_equal(
        model.get_layer("embeddings").get_weights()[0], tensors["embeddings.word_embeddings.weight"]
    )
    assert set(report.ignored) == set(changes)
    assert all("the table beside it holds already" in reason for reason in report.ignored.values())
