"""Intervals: the arithmetic against calling the metric anew for each sample, and the ends of the scale."""

import math
from functools import partial

import numpy as np
import pytest

from bert_keras import metrics
from bert_keras.errors import InputError
from bert_keras.metrics.bootstrap import CASES

RNG = np.random.default_rng(0)
LABELS = RNG.integers(0, 3, 15).tolist(), RNG.integers(0, 3, 15).tolist()
NUMBERS = RNG.integers(0, 5, 15).tolist(), RNG.normal(size=15).round(1).tolist()
SEVERAL = [["a"], ["b", "c"], [], ["a", "c"], ["c"]], [["a", "b"], ["b"], [], ["c"], ["a"]]
TAGS = (
    [["B-X", "I-X", "O"], ["I-Y", "B-X"], ["O", "O"], ["B-Y", "B-X"]],
    [["B-X", "O", "O"], ["I-Y", "B-X"], ["O", "B-X"], ["O", "B-X"]],
)
ANSWERS = ["the cat", "", "a b b", "paris"], [["cat"], [], ["b b b", "c"], ["in Paris", "Rome"]]
RANKED = [[1, 2, 3], [4, 5], [6, 7, 8], [1]], [{3}, {5: 2, 4: 1}, {9, 6}, {7}]
INPUTS = {
    **dict.fromkeys(["accuracy", "f1", "matthews"], LABELS),
    **dict.fromkeys(["pearson", "spearman", "mean_absolute_error", "mean_squared_error", "r2"], NUMBERS),
    "entity_f1": TAGS,
    **dict.fromkeys(["multi_label_f1", "subset_accuracy"], SEVERAL),
    **dict.fromkeys(["squad_exact_match", "squad_f1", "squad_character_f1"], ANSWERS),
    **dict.fromkeys(["hit_rate", "mean_average_precision", "mrr", "ndcg", "precision_at", "recall_at"], RANKED),
    "triplet_accuracy": NUMBERS,
}
SETTINGS = [
    (partial(metrics.f1, average="weighted"), LABELS),
    (partial(metrics.f1, average="micro"), LABELS),
    (partial(metrics.entity_f1, strict=False), TAGS),
    (partial(metrics.multi_label_f1, average="macro"), SEVERAL),
    (partial(metrics.multi_label_f1, average="macro", labels=["a", "b", "c", "d"]), SEVERAL),
    (partial(metrics.multi_label_f1, average="samples"), SEVERAL),
    (partial(metrics.mrr, k=2), RANKED),
]


def test_bootstrap_interval():
    # 80 of 100 right: the standard error is √(0.8·0.2/100) = 0.04, so 95 % lie within about ±0.078.
    low, high = metrics.bootstrap_interval([1] * 100, [1] * 80 + [0] * 20)
    assert low == pytest.approx(0.722, abs=0.015)
    assert high == pytest.approx(0.878, abs=0.015)
    assert (low, high) == metrics.bootstrap_interval([1] * 100, [1] * 80 + [0] * 20)


def test_every_metric_with_cases_is_tried_here():
    assert {function.__name__ for function in CASES} == INPUTS.keys()


# A metric over samples as a whole must equal the metric of each sample's own lists.
@pytest.mark.parametrize(
    ("metric", "inputs"), [(getattr(metrics, name), inputs) for name, inputs in INPUTS.items()] + SETTINGS
)
def test_arithmetic_on_counts_equals_the_metric_of_each_sample(metric, inputs):
    # The middle of the values; at the ends a sample may be all right, where Wilson's interval takes over.
    settings = {"samples": 40, "level": 0.5, "seed": 3}
    called_anew = metrics.bootstrap_interval(*inputs, lambda a, b: metric(a, b), **settings)
    assert metrics.bootstrap_interval(*inputs, metric, **settings) == pytest.approx(called_anew, rel=1e-12)


def test_ten_of_ten_right_may_be_far_from_perfect():
    # Wilson 1927 for 10 of 10: 1 / (1 + 1.959964² / 10).
    assert metrics.bootstrap_interval([1] * 10, [1] * 10) == pytest.approx((0.722467, 1.0), abs=1e-6)
    assert metrics.bootstrap_interval([1] * 10, [0] * 10) == pytest.approx((0.0, 0.277533), abs=1e-6)


def test_all_right_entities_have_an_interval_of_their_sentences():
    low, high = metrics.bootstrap_interval([["B-X"]] * 10, [["B-X"]] * 10, metrics.entity_f1)
    assert (low, high) == pytest.approx((0.722467, 1.0), abs=1e-6)


def test_perfect_numbers_get_no_share():
    assert metrics.bootstrap_interval([1, 2, 3], [1, 2, 3], metrics.mean_squared_error) == (0.0, 0.0)


@pytest.mark.parametrize(
    # scipy.stats.binomtest(hits, cases).proportion_ci(method="wilson")
    ("hits", "cases", "interval"),
    [(8, 10, (0.490162, 0.943318)), (50, 100, (0.403832, 0.596168)), (0, 1, (0.0, 0.793451))],
)
def test_wilson_interval(hits, cases, interval):
    assert metrics.wilson_interval(hits, cases) == pytest.approx(interval, abs=1e-6)


def test_mean_of_scores_has_the_interval_of_the_normal_law():
    # 200 scores: the standard error is 0.25 / √200.
    values = [0.25, 0.75] * 100
    assert metrics.mean_interval(values) == pytest.approx(
        (0.5 - 1.96 * 0.25 / math.sqrt(200), 0.5 + 1.96 * 0.25 / math.sqrt(200)), abs=0.005
    )


def test_samples_without_a_value_are_left_out():
    # Two of four samples of two cases are constant and have no correlation; the others have 1.
    assert metrics.bootstrap_interval([1, 2], [1, 2], metrics.pearson, samples=50) == pytest.approx((1.0, 1.0))


def test_no_interval_of_what_never_has_a_value():
    assert all(math.isnan(end) for end in metrics.bootstrap_interval([1, 1], [1, 2], metrics.pearson, samples=5))


def test_refuses_numbers_without_sense():
    with pytest.raises(InputError, match="level is 95: give a share"):
        metrics.bootstrap_interval([1], [1], level=95)
    with pytest.raises(InputError, match="samples is 0"):
        metrics.bootstrap_interval([1], [1], samples=0)
    with pytest.raises(InputError, match="11 of 10 cases"):
        metrics.wilson_interval(11, 10)
