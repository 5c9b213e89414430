"""BERT: parity with transformers of the heads that tests/test_pretrained.py does not have."""

import pytest
from families import parity


@pytest.fixture(scope="module", params=parity.folders("bert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestBert(parity.FamilyTests):
    pass
