"""Buckets of distances and the table of relative positions."""

import numpy as np
import pytest
import reference
import tiny

from bert_keras.errors import InputError
from bert_keras.layers.relative_positions import RelativePositions, log_buckets, relative_rows


def test_log_buckets_of_deberta_v3():
    # Of microsoft/DeBERTa's make_log_bucket_position with 256 buckets and 512 positions.
    distances = np.array([0, 1, 127, 128, 129, 200, 300, 511, -1, -127, -128, -200, -300, -511])

    buckets = log_buckets(distances, position_buckets=256, max_relative_positions=512)

    assert buckets.tolist() == [0, 1, 127, 128, 129, 169, 207, 255, -1, -127, -128, -169, -207, -255]


def test_rows_of_few_buckets_calculated_by_hand():
    # 4 buckets, 9 positions: one each up to 2; beyond, 2 + ⌈ln(d/2) / ln(8/2)⌉ = 3 up to 8, 4 from 9 on, cut to 3.
    rows = relative_rows(max_relative_positions=9, position_buckets=4)

    behind = [4, 5, 6, 7, 7, 7, 7, 7, 7, 7]  # distances 0 to 9
    before = [3, 2, 1, 1, 1, 1, 1, 1, 0]  # distances -1 to -9
    assert rows.tolist() == before[::-1] + behind


def test_without_buckets_every_distance_has_a_row():
    assert relative_rows(max_relative_positions=3, position_buckets=0).tolist() == [0, 1, 2, 3, 4, 5, 5]


def test_odd_number_of_buckets_is_refused():
    with pytest.raises(InputError, match="position_buckets is 5; it must be even"):
        relative_rows(max_relative_positions=16, position_buckets=5)


@pytest.mark.parametrize("epsilon", [None, 1e-3])
def test_table_is_normalized_only_if_asked_for(epsilon):
    layer = RelativePositions(8, 20, epsilon, 0.02, name="relative_positions")
    layer.build((None,))
    weights = tiny.randomize(layer)

    right = weights["relative_positions/table"]
    if epsilon:
        right = reference.named_layer_norm(weights, "relative_positions/layer_norm", right, epsilon)
    np.testing.assert_allclose(layer(np.zeros(1, "float32")), right, atol=1e-5)
