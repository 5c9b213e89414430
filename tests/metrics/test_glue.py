"""Each GLUE task has the metrics of its leaderboard."""

import pytest

from bert_keras import metrics
from bert_keras.errors import InputError

ACCURACY = ["mnli", "mnli_matched", "mnli_mismatched", "qnli", "rte", "sst2", "wnli"]


def test_metrics_of_every_task():
    # Wang et al. 2019, table 1.
    expected = {
        **dict.fromkeys(ACCURACY, ("accuracy",)),
        **dict.fromkeys(["cola", "ax"], ("matthews",)),
        **dict.fromkeys(["mrpc", "qqp"], ("accuracy", "f1")),
        "stsb": ("pearson", "spearman"),
    }
    assert {task: tuple(names) for task, names in metrics.GLUE.items()} == expected


def test_f1_is_that_of_the_positive_label():
    same, other = "equivalent", "not_equivalent"
    scores = metrics.glue("glue/mrpc", [same, same, other, other], [same, other, other, other])
    assert scores == pytest.approx({"accuracy": 0.75, "f1": 2 / 3})


def test_the_positive_label_may_be_a_number():
    assert metrics.glue("qqp", [0, 0, 1, 1], [0, 0, 0, 1], positive=1)["f1"] == pytest.approx(2 / 3)
    assert metrics.glue("qqp", [0, 0, 1, 1], [0, 0, 0, 1], positive=0)["f1"] == pytest.approx(4 / 5)


def test_f1_has_a_fast_interval():
    low, high = metrics.bootstrap_interval([0, 1] * 20, [0, 1] * 20, metrics.glue_metrics("mrpc", positive=1)["f1"])
    assert (low, high) == pytest.approx((0.912378, 1.0), abs=1e-6)


def test_numbers():
    assert metrics.glue("stsb", [1, 2, 3], [1, 2, 30]) == pytest.approx({"pearson": 0.881, "spearman": 1.0}, abs=1e-3)


def test_unknown_task():
    with pytest.raises(InputError, match="no GLUE task 'glue/sst': choose one of cola, sst2"):
        metrics.glue("glue/sst", [0], [0])
