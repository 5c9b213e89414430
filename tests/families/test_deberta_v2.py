"""DeBERTa v2 and v3: parity with transformers and the sizes of the released checkpoints."""

import pytest
from families import parity

from bert_keras.families import deberta_v2

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
