"""DeBERTa v2 and v3: parity with transformers and the sizes of the released checkpoints."""

import pytest
from families import parity

# Encoders without heads: He et al. 2021, table 2, and the released checkpoints.
PARAMETERS = {
    "deberta-v3-xsmall": 70_682_112,
    "deberta-v3-small": 141_304_320,
    "deberta-v3-base": 183_831_552,
    "deberta-v3-large": 434_012_160,
}


@pytest.fixture(scope="module", params=parity.folders("deberta-v2"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestDebertaV2(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name, right", PARAMETERS.items())
def test_parameters_of_a_named_size(name, right):
    assert parity.count_parameters(name) == right
