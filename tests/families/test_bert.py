"""BERT: parity of the heads that tests/test_pretrained.py does not have, and the sizes as they are built."""

import pytest
from families import parity

from bert_keras.families import bert

# Encoders with pooler, as transformers counts them; sources in tests/test_config.py.
PARAMETERS = {
    "bert-tiny": 4_385_920,
    "bert-mini": 11_170_560,
    "bert-small": 28_763_648,
    "bert-medium": 41_373_184,
    "bert-base-uncased": 109_482_240,
    "bert-base-cased": 108_310_272,
    "bert-large-uncased": 335_141_888,
    "bert-large-cased": 333_579_264,
    "scibert-scivocab-uncased": 109_918_464,
    "biobert-v1.1": 108_310_272,
}


@pytest.fixture(scope="module", params=parity.folders("bert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestBert(parity.FamilyTests):
    pass


@pytest.mark.parametrize("name", bert.SIZES)
def test_parameters_of_a_named_size(name):
    assert parity.count_parameters(name) == PARAMETERS[name]
