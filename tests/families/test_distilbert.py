"""DistilBERT: parity with transformers and the sizes of the released checkpoints."""

import pytest
from families import parity

# Sanh et al. 2019, section 3, and the released checkpoint.
PARAMETERS = {
    "distilbert-base-uncased": 66_362_880,
}


@pytest.fixture(scope="module", params=parity.folders("distilbert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestDistilBert(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name, right", PARAMETERS.items())
def test_parameters_of_a_named_size(name, right):
    assert parity.count_parameters(name) == right
