"""DeBERTa v1: parity with transformers."""

import pytest
from families import parity


@pytest.fixture(scope="module", params=parity.folders("deberta"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestDeberta(parity.FamilyTests):
    pass
