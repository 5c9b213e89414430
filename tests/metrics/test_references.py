"""The same random inputs in scikit-learn, SciPy and seqeval, where they are installed."""

import warnings

import numpy as np
import pytest

from bert_keras import metrics

sklearn = pytest.importorskip("sklearn.metrics")
scipy = pytest.importorskip("scipy.stats")

SEEDS = range(15)
TAGS = ["O", "B-X", "I-X", "B-Y", "I-Y"]


@pytest.fixture
def rng(request):
    return np.random.default_rng(request.node.callspec.params["seed"])


@pytest.mark.parametrize("seed", SEEDS)
def test_one_label(rng, seed):
    true, found = rng.integers(0, 4, (2, rng.integers(2, 12))).tolist()
    for average in ("macro", "micro", "weighted"):
        expected = sklearn.f1_score(true, found, average=average, zero_division=0)
        assert metrics.f1(true, found, average) == pytest.approx(expected)
    assert metrics.matthews(true, found) == pytest.approx(sklearn.matthews_corrcoef(true, found))


@pytest.mark.parametrize("seed", SEEDS)
def test_several_labels(rng, seed):
    true, found = rng.integers(0, 2, (2, rng.integers(1, 8), 3))
    scores = metrics.multi_label(*([np.flatnonzero(row).tolist() for row in side] for side in (true, found)), range(3))
    for average in ("micro", "macro", "samples"):
        expected = sklearn.precision_recall_fscore_support(true, found, average=average, zero_division=0)[:3]
        assert list(scores[average].values()) == pytest.approx(expected)
    assert scores["subset_accuracy"] == pytest.approx(sklearn.accuracy_score(true, found))
    assert scores["hamming_loss"] == pytest.approx(sklearn.hamming_loss(true, found))


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers(rng, seed):
    true, found = rng.integers(0, 5, (2, 9)).astype(float)
    assert metrics.pearson(true, found) == pytest.approx(scipy.pearsonr(true, found).statistic)
    assert metrics.spearman(true, found) == pytest.approx(scipy.spearmanr(true, found).statistic)
    assert metrics.kendall(true, found) == pytest.approx(scipy.kendalltau(true, found).statistic)
    assert metrics.r2(true, found) == pytest.approx(sklearn.r2_score(true, found))


@pytest.mark.parametrize("seed", SEEDS)
def test_thresholds_reach_the_best_f1_of_any_cut(rng, seed):
    true, scores = rng.integers(0, 2, 8), rng.integers(0, 11, 8) / 10
    true[0] = 1

    def f1(threshold):
        return sklearn.f1_score(true, scores >= threshold, zero_division=0)

    found = metrics.best_thresholds([["x"] * mark for mark in true], [{"x": score} for score in scores])["x"]
    assert f1(found) == pytest.approx(max(f1(score) for score in scores))


@pytest.mark.parametrize("seed", SEEDS)
def test_rankings(rng, seed):
    grades = rng.integers(0, 4, 8)
    grades[0] = 1
    order, k = rng.permutation(8), int(rng.integers(1, 9))
    ranked, relevant = [order.tolist()], [dict(enumerate(grades.tolist()))]
    scores = -np.argsort(order)
    assert metrics.ndcg(ranked, relevant, k) == pytest.approx(sklearn.ndcg_score([grades], [scores], k=k))
    expected = sklearn.average_precision_score(grades > 0, scores)
    assert metrics.mean_average_precision(ranked, relevant) == pytest.approx(expected)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_entities(rng, seed, strict):
    seqeval = pytest.importorskip("seqeval.metrics")
    scheme = pytest.importorskip("seqeval.scheme")
    true = [rng.choice(TAGS, size).tolist() for size in rng.integers(1, 7, 4)]
    true[0][0] = "B-X"
    found = [[tag if rng.random() < 0.7 else str(rng.choice(TAGS)) for tag in tags] for tags in true]
    settings = {"mode": "strict", "scheme": scheme.IOB2} if strict else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own of NumPy
        report = seqeval.classification_report(true, found, output_dict=True, zero_division=0, **settings)
    scores = metrics.entities(true, found, strict)
    for name, score in [("micro avg", scores), *scores["types"].items()]:
        expected = [report[name][key] for key in ("precision", "recall", "f1-score", "support")]
        assert [score[key] for key in ("precision", "recall", "f1", "support")] == pytest.approx(expected)
