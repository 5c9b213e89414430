"""RoBERTa: parity with transformers and the sizes of the papers, XLM-R's too."""

import pytest
from families import parity

from bert_keras.families import roberta

# Encoders with pooler: Liu et al. 2019 and Conneau et al. 2019, to the digit as transformers counts them.
PARAMETERS = {
    "roberta-base": 124_645_632,
    "roberta-large": 355_359_744,
    "xlm-roberta-base": 278_043_648,
    "xlm-roberta-large": 559_890_432,
}


@pytest.fixture(scope="module", params=parity.folders("roberta"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestRoberta(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", roberta.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]
