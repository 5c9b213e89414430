"""XLM-RoBERTa: RoBERTa under another name."""

import pytest
from families import parity


@pytest.fixture(scope="module", params=parity.folders("xlm-roberta"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestXlmRoberta(parity.FamilyTests):
    pass
