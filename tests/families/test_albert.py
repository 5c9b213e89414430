"""ALBERT: parity with transformers and the sizes of the paper."""

import pytest
from families import parity

import bert_keras as bk

# Encoder with pooler: Lan et al. 2019, table 1, and the released checkpoints.
PARAMETERS = {"base": 11_683_584, "large": 17_683_968, "xlarge": 58_724_864, "xxlarge": 222_595_584}


@pytest.fixture(scope="module", params=parity.folders("albert"))
def case(request, tmp_path_factory):
    return parity.Case(request.param, tmp_path_factory.mktemp("case"))


class TestAlbert(parity.FamilyTests):
    pass


@pytest.mark.parametrize("size, right", PARAMETERS.items())
def test_parameters_of_a_named_size(size, right):
    assert parity.count_parameters(f"albert-{size}-v2") == right


@pytest.mark.parametrize("size", PARAMETERS)
def test_both_versions_have_the_same_sizes(size):
    # They were trained with another activation and another dropout.
    first, second = (bk.config(f"albert-{size}-{version}").to_dict() for version in ("v1", "v2"))
    kept = [key for key in first if "dropout" not in key and key not in ("hidden_act", "extra")]
    assert [first[key] for key in kept] == [second[key] for key in kept]
    assert (first["hidden_act"], second["hidden_act"]) == ("gelu", "gelu_new")
