"""DeBERTa v1: parity with transformers and the sizes of the released checkpoints."""

import pytest
from families import parity

from bert_keras.families import deberta

# Encoders: He et al. 2020, to the digit as transformers counts them.
PARAMETERS = {
    "deberta-base": 138_601_728,
    "deberta-large": 405_163_008,
    "deberta-xlarge": 757_804_032,
}


@pytest.fixture(scope="module", params=parity.folders("deberta"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestDeberta(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", deberta.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]
