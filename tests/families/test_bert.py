"""BERT: parity of the heads that tests/test_pretrained.py does not have, and two sizes as they are built."""

import pytest
from families import parity


@pytest.fixture(scope="module", params=parity.folders("bert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestBert(parity.FamilyTests):
    pass


# tests/test_config.py has the formula of every size.
@pytest.mark.parametrize("name, right", [("bert-base-uncased", 109_482_240), ("bert-large-uncased", 335_141_888)])
def test_parameters_of_a_named_size(name, right):
    assert parity.count_parameters(name) == right
