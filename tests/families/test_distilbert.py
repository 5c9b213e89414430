"""DistilBERT: parity with transformers and the sizes of the released checkpoints."""

import pytest
from families import parity

from bert_keras.families import distilbert

# Encoders: Sanh et al. 2019, to the digit as transformers counts them.
PARAMETERS = {
    "distilbert-base-uncased": 66_362_880,
    "distilbert-base-cased": 65_190_912,
    "distilbert-base-multilingual-cased": 134_734_080,
}


@pytest.fixture(scope="module", params=parity.folders("distilbert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestDistilBert(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", distilbert.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]
