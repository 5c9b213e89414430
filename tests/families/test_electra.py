"""ELECTRA: parity with transformers and the sizes of the paper."""

import pytest
from families import parity

from bert_keras.families import electra

# Encoders: Clark et al. 2020, table 6, to the digit as transformers counts them.
PARAMETERS = {
    "electra-small-discriminator": 13_483_008,
    "electra-small-generator": 13_483_008,
    "electra-base-discriminator": 108_891_648,
    "electra-base-generator": 33_511_168,
    "electra-large-discriminator": 334_092_288,
    "electra-large-generator": 50_999_552,
}


@pytest.fixture(scope="module", params=parity.folders("electra"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestElectra(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", electra.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]
