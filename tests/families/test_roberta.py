"""RoBERTa: parity with transformers and the sizes of the paper."""

import pytest
from families import parity

# Encoder with pooler: Liu et al. 2019, section 3.1, and the released checkpoints.
PARAMETERS = {
    "roberta-base": 124_645_632,
    "roberta-large": 355_359_744,
}


@pytest.fixture(scope="module", params=parity.folders("roberta"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestRoberta(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name, right", PARAMETERS.items())
def test_parameters_of_a_named_size(name, right):
    assert parity.count_parameters(name) == right
