"""ELECTRA: parity with transformers and the sizes of the paper."""

import pytest
from families import parity

# Discriminators without heads: Clark et al. 2020, table 6, and the released checkpoints.
PARAMETERS = {
    "electra-small-discriminator": 13_483_008,
    "electra-base-discriminator": 108_891_648,
    "electra-large-discriminator": 334_092_288,
}


@pytest.fixture(scope="module", params=parity.folders("electra"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestElectra(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name, right", PARAMETERS.items())
def test_parameters_of_a_named_size(name, right):
    assert parity.count_parameters(name) == right
