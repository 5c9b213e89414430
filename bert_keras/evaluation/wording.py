"""How the report and the command line write numbers and the names of metrics."""

import math

# Without what stands behind `@`, as in `ndcg@10`; others are written as they are, with spaces.
_NAMES = {
    "f1": "F1",
    "macro_f1": "macro F1",
    "micro_f1": "micro F1",
    "weighted_f1": "weighted F1",
    "samples_f1": "F1 per example",
    "lenient_f1": "lenient F1",
    "best_f1": "best F1",
    "has_answer_f1": "F1 where there is an answer",
    "has_answer_exact_match": "exact match where there is an answer",
    "no_answer_f1": "F1 where there is none",
    "no_answer_exact_match": "exact match where there is none",
    "matthews": "Matthews' correlation",
    "pearson": "Pearson's correlation",
    "spearman": "Spearman's correlation",
    "mse": "mean squared error",
    "mae": "mean absolute error",
    "calibration_error": "expected calibration error",
    "mrr": "mean reciprocal rank",
    "ndcg": "nDCG",
}


def metric_name(name: str) -> str:
    """How a metric is called in a sentence."""
    kind, at, place = name.partition("@")
    return _NAMES.get(kind, kind.replace("_", " ")) + at + place


def number(value: float) -> str:
    """A value with as many digits as help: `0.9132`, `12.35`, `1,204`; `–` where it is undefined."""
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if 0 < size < 0.0001:
        return f"{value:.1e}"
    return f"{value:.4f}" if size < 10 else f"{value:.2f}"


def tick(value: float) -> str:
    """A value at an axis, without needless digits: `0.2`, `1`, `-3.5`."""
    return f"{value:.3g}"


def short(value: float) -> str:
    """A number of one example: `0.9976`, `5`, `3.4`."""
    return f"{value:.4g}"


def count(value: float, noun: str = "") -> str:
    """A whole number, and what it counts: `1,204`, `1 example`, `3 examples`."""
    words = f" {noun}" + ("" if value == 1 else "s") if noun else ""
    return f"{int(value):,}{words}"


def interval(low: float, high: float) -> str:
    """The ends of an interval: `0.8991 to 0.9258`."""
    return f"{number(low)} to {number(high)}"
