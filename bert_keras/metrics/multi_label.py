"""Metrics of any number of labels a case: each case is a list of the labels that it has."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.metrics.cases import Cases, mean_cases, sum_cases
from bert_keras.metrics.checks import check_no_nan, check_pairs, prf, ratios

MULTI_LABEL_AVERAGES = ("micro", "macro", "samples")
DEFAULT_THRESHOLD = 0.5

Labels = Sequence[Collection[Any]]


def multi_label(true: Labels, predicted: Labels, labels: Sequence | None = None) -> dict[str, Any]:
    """Return all scores of cases with several labels; a ratio of nothing to nothing is 0.

    Gives "subset_accuracy", "hamming_loss", "micro", "macro" and "samples" (each with "precision", "recall", "f1"),
    and "labels": `{label: {"precision", "recall", "f1", "support"}}`. "micro" counts all decisions together, "macro"
    is the mean over the labels, "samples" the mean over the cases.

    Args:
        true: the labels that each case has, such as `[["sport"], [], ["art", "film"]]`.
        predicted: as many lists of predicted labels.
        labels: all labels there are; by default those that occur, sorted.

    Raises:
        InputError: the lists are empty or of different lengths, or a case has a label twice or one not in `labels`.
    """
    right, found, names = _marks(true, predicted, labels)
    hits, support = right * found, right.sum(axis=0)
    table = {name: prf(hits[:, i].sum(), found[:, i].sum(), support[i]) for i, name in enumerate(names)}
    return {
        "subset_accuracy": float((right == found).all(axis=1).mean()),
        "hamming_loss": float((right != found).mean()) if names else 0.0,
        "micro": _means(hits.sum(), found.sum(), right.sum()),
        "macro": _means(hits.sum(axis=0), found.sum(axis=0), support),
        "samples": _means(hits.sum(axis=1), found.sum(axis=1), right.sum(axis=1)),
        "labels": table,
    }


def multi_label_f1(true: Labels, predicted: Labels, average: str = "micro", labels: Sequence | None = None) -> float:
    """Return F1 of cases with several labels.

    Args:
        true: the labels that each case has.
        predicted: as many lists of predicted labels.
        average: "micro", "macro" or "samples", as in `multi_label`.
        labels: all labels there are; by default those that occur.

    Raises:
        InputError: as in `multi_label`, or there is no such average.
    """
    return multi_label_f1_cases(true, predicted, average, labels).value


def subset_accuracy(true: Labels, predicted: Labels) -> float:
    """Return the share of cases with exactly the right labels.

    Args:
        true: the labels that each case has.
        predicted: as many lists of predicted labels.
    """
    return subset_accuracy_cases(true, predicted).value


def hamming_loss(true: Labels, predicted: Labels, labels: Sequence | None = None) -> float:
    """Return the share of wrong decisions, over all cases and labels.

    Args:
        true: the labels that each case has.
        predicted: as many lists of predicted labels.
        labels: all labels there are; by default those that occur.
    """
    return multi_label(true, predicted, labels)["hamming_loss"]


def best_thresholds(true: Labels, scores: Sequence[Mapping[Any, float]]) -> dict[Any, float]:
    """Return the threshold of each label that gives the highest F1; a label is predicted from its threshold on.

    The threshold lies halfway between two neighbouring scores, so equal scores are always decided alike. Where
    several cuts give the highest F1, the one nearest to 0.5 is taken, and 0.5 itself if it is as good. A label that
    no case has cannot be tuned and keeps 0.5. Tune on validation data, never on the test data.

    Args:
        true: the labels that each case has.
        scores: the probability of every label, for each case.

    Raises:
        InputError: the lists are empty or of different lengths, a case has a label without a score, cases have
            scores of different labels, or a score is NaN.
    """
    check_pairs(true, scores)
    names = list(scores[0])
    for row, (labels, case) in enumerate(zip(true, scores, strict=True), start=1):
        if case.keys() != scores[0].keys():
            raise InputError(f"case {row} has scores of {list(case)}, the first one of {names}: give the same labels")
        for label in labels:
            if label not in case:
                raise InputError(f"case {row} has the label {label!r}, which has no score: the scores are of {names}")
    columns = {name: np.array([case[name] for case in scores], np.float64) for name in names}
    for name, column in columns.items():
        check_no_nan(column, f"the score for {name!r}")
    return {
        name: _best_threshold(np.array([name in labels for labels in true]), column) for name, column in columns.items()
    }


def multi_label_f1_cases(
    true: Labels, predicted: Labels, average: str = "micro", labels: Sequence | None = None
) -> Cases:
    """Return the cases of `multi_label_f1`."""
    if average not in MULTI_LABEL_AVERAGES:
        raise InputError(f"average is {average!r}: choose one of {', '.join(MULTI_LABEL_AVERAGES)}")
    right, found, names = _marks(true, predicted, labels)
    hits = right * found
    if average == "samples":
        return mean_cases(ratios(2 * hits.sum(axis=1), found.sum(axis=1) + right.sum(axis=1)), share=True)
    if average == "micro":
        rows = np.stack([2 * hits.sum(axis=1), found.sum(axis=1) + right.sum(axis=1)], axis=1)
        return sum_cases(rows, lambda sums: ratios(sums[:, 0], sums[:, 1]), share=True)

    def macro(sums: np.ndarray) -> np.ndarray:
        twice_hits, whole = np.split(sums, 2, axis=1)
        # Unless all labels are named, a sample has the labels that occur in it.
        count = (whole > 0).sum(axis=1) if labels is None else np.full(len(sums), len(names))
        return ratios(ratios(twice_hits, whole).sum(axis=1), count)

    return sum_cases(np.concatenate([2 * hits, found + right], axis=1), macro, share=True)


def subset_accuracy_cases(true: Labels, predicted: Labels) -> Cases:
    """Return the cases of `subset_accuracy`."""
    right, found, _ = _marks(true, predicted, None)
    return mean_cases((right == found).all(axis=1), share=True)


def _marks(true: Labels, predicted: Labels, labels: Sequence | None) -> tuple[np.ndarray, np.ndarray, list]:
    """Both sides as 0 and 1, float64 `[cases, labels]` each, and the labels."""
    check_pairs(true, predicted)
    names = sorted({name for side in (true, predicted) for row in side for name in row}) if labels is None else labels
    index = {name: position for position, name in enumerate(names)}
    marks = []
    for side in (true, predicted):
        array = np.zeros((len(side), len(index)))
        for row, case in enumerate(side):
            if isinstance(case, str):
                raise InputError(f"case {row + 1} is the text {case!r}: give a list of labels, such as [{case!r}]")
            for name in case:
                if name not in index:
                    raise InputError(f"case {row + 1} has the label {name!r}, not among the labels {list(names)}")
                if array[row, index[name]]:
                    raise InputError(
                        f"case {row + 1} has the label {name!r} twice: give the names of its labels, each once "
                        "(not a 0 or 1 for each label)"
                    )
                array[row, index[name]] = 1
        marks.append(array)
    return marks[0], marks[1], list(names)


def _means(hits: np.ndarray, found: np.ndarray, support: np.ndarray) -> dict[str, float]:
    hits, found, support = np.atleast_1d(hits), np.atleast_1d(found), np.atleast_1d(support)
    parts = {"precision": (hits, found), "recall": (hits, support), "f1": (2 * hits, found + support)}
    return {name: float(ratios(*part).mean()) if len(hits) else 0.0 for name, part in parts.items()}


def _best_threshold(right: np.ndarray, scores: np.ndarray) -> float:
    """The threshold with the highest F1 of one label: bool `[N]`, float64 `[N]`."""
    if not right.any():
        return DEFAULT_THRESHOLD
    distinct, groups = np.unique(scores, return_inverse=True)
    # Cut i accepts all scores from distinct[i] on.
    found = np.cumsum(np.bincount(groups)[::-1])[::-1]
    hits = np.cumsum(np.bincount(groups, weights=right)[::-1])[::-1]
    f1 = 2 * hits / (found + right.sum())
    thresholds = [_cut(distinct, int(i)) for i in np.flatnonzero(f1 == f1.max())]
    return min(thresholds, key=lambda threshold: abs(threshold - DEFAULT_THRESHOLD))


def _cut(distinct: np.ndarray, i: int) -> float:
    """A threshold that accepts distinct[i] and rejects distinct[i - 1]: 0.5 if it does, else halfway between them."""
    high = float(distinct[i])
    low = float(distinct[i - 1]) if i else min(0.0, high)
    if low < DEFAULT_THRESHOLD <= high:
        return DEFAULT_THRESHOLD
    middle = (low + high) / 2
    return middle if low < middle <= high else high
