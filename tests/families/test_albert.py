"""ALBERT: parity with transformers and the sizes of the paper."""

import pytest
from families import parity

from bert_keras.families import albert

# Encoders with pooler: Lan et al. 2019, table 1, to the digit as transformers counts them.
PARAMETERS = {
    "albert-base-v1": 11_683_584,
    "albert-large-v1": 17_683_968,
    "albert-xlarge-v1": 58_724_864,
    "albert-xxlarge-v1": 222_595_584,
    "albert-base-v2": 11_683_584,
    "albert-large-v2": 17_683_968,
    "albert-xlarge-v2": 58_724_864,
    "albert-xxlarge-v2": 222_595_584,
}


@pytest.fixture(scope="module", params=parity.folders("albert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestAlbert(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", albert.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]
