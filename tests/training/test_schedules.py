"""Warm-up and decay at the values of both conventions, and at their edges."""

import keras
import numpy as np
import pytest

from bert_keras.errors import InputError
from bert_keras.training import WarmupLinear


def values(schedule, steps):
    return [float(schedule(step)) for step in steps]


def test_later_convention_reaches_the_peak():
    # transformers get_linear_schedule_with_warmup, N=100, W=10, lr 1e-4.
    found = values(WarmupLinear(1e-4, 100, 10), [0, 9, 10, 55, 100, 150])
    np.testing.assert_allclose(found, [0, 9e-5, 1e-4, 5e-5, 0, 0], atol=1e-10)


def test_google_counts_the_decay_from_the_start():
    # google-research/bert optimization.py, N=100, W=10, lr 1e-4.
    found = values(WarmupLinear(1e-4, 100, 10, decay_from_start=True), [0, 9, 10, 55, 100, 150])
    np.testing.assert_allclose(found, [0, 9e-5, 9e-5, 4.5e-5, 0, 0], atol=1e-10)


@pytest.mark.parametrize("from_start", [True, False])
def test_without_warmup_the_first_step_has_the_full_rate(from_start):
    found = values(WarmupLinear(1e-4, 100, 0, from_start), [0, 50, 100])
    np.testing.assert_allclose(found, [1e-4, 5e-5, 0], atol=1e-10)


@pytest.mark.parametrize("from_start", [True, False])
def test_warmup_of_the_whole_training(from_start):
    found = values(WarmupLinear(1e-4, 100, 100, from_start), [0, 99, 100, 101, 150])
    np.testing.assert_allclose(found, [0, 9.9e-5, 0, 0, 0], atol=1e-10)


@pytest.mark.parametrize("warmup", [0, 1, 3])
@pytest.mark.parametrize("from_start", [True, False])
def test_never_negative_nor_nan(warmup, from_start):
    found = np.array(values(WarmupLinear(1.0, 3, warmup, from_start), range(60)))
    assert np.isfinite(found).all()
    assert found.min() >= 0
    assert found.max() <= 1


@pytest.mark.parametrize(("steps", "warmup"), [(0, 0), (10, 11), (10, -1)])
def test_impossible_schedules_are_refused(steps, warmup):
    with pytest.raises(InputError, match="steps"):
        WarmupLinear(1e-4, steps, warmup)


def test_saved_with_its_settings():
    made = WarmupLinear(1e-4, 100, 10, decay_from_start=True)
    again = keras.optimizers.schedules.deserialize(keras.optimizers.schedules.serialize(made))
    assert again.get_config() == made.get_config()
