"""Two devices train as one does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
OPTIMIZERS = ["sgd", "adamw"]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What mirrored.py reports."""
    path = os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")])
    command = [
        sys.executable,
        str(TESTS / "training" / "mirrored.py"),
        str(tmp_path_factory.mktemp("run")),
        *OPTIMIZERS,
    ]
    result = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_uneven_batches_give_the_loss_and_the_step_of_one_device(found, optimizer):
    # tensorflow#55321: a last batch of 7 on 2 replicas.
    assert found[optimizer]["loss"] < 1e-5
    assert found[optimizer]["weights"] < 1e-5


def test_a_run_over_two_devices_goes_on_from_its_last_epoch(found):
    assert (found["resumed"]["epochs"], found["resumed"]["iterations"]) == (2, 8)
    assert found["resumed"]["weights"] < 1e-6


def test_each_device_gets_whole_examples_of_embeddings(found):
    # Cut between anchors and positives, each device would take anchors for the positives of others.
    assert found["embedded"].keys() == {"info_nce", "triplet_margin"}
    assert max(found["embedded"].values()) < 1e-5
