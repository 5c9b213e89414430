"""Two models on the same examples: how often they agree, and whether one is better."""

from dataclasses import dataclass
from typing import Any

from bert_keras.errors import InputError
from bert_keras.evaluation.result import Evaluation, plain
from bert_keras.evaluation.wording import count, metric_name, number
from bert_keras.metrics.bootstrap import difference_interval


@dataclass(frozen=True)
class Comparison:
    """What differs between a model and another one.

    Args:
        other: the other's name.
        agreement: the share of examples with the same answer, right or wrong; None for kinds whose answers are numbers.
        metrics: (the model's value, the other's) by name, the main metric first.
        intervals: the 95 % interval of the model's value less the other's, by paired bootstrap.
        only_this, only_other: examples that just one of them has right.
        p_value: how often so uneven a split of those would occur if the two were equally good, by McNemar's exact
            test; None for kinds whose answers are not right or wrong.
    """

    other: str
    agreement: float | None
    metrics: dict[str, tuple[float, float]]
    intervals: dict[str, tuple[float, float]]
    only_this: int
    only_other: int
    p_value: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain(vars(self))

    def sentences(self) -> list[str]:
        """The comparison in words."""
        name, (one, other) = next(iter(self.metrics.items()))
        low, high = self.intervals[name]
        said = [
            f"{metric_name(name)} {number(one)}, and {number(other)} of {self.other}: a difference of "
            f"{number(one - other)} (95 % interval {number(low)} to {number(high)})",
        ]
        if self.agreement is not None:
            said.append(f"the two give the same answer for {number(self.agreement)} of the examples")
        if self.p_value is not None:
            said.append(
                f"{count(self.only_this, 'example')} only this model has right, {count(self.only_other)} only the "
                f"other: p = {number(self.p_value)} (McNemar, exact)"
            )
        return said


def compare(one: Evaluation, other: Evaluation, name: str = "the other model", seed: int = 0) -> Comparison:
    """Compare two evaluations of the same examples.

    Sources: Efron and Tibshirani 1993 (bootstrap); McNemar 1947, in the exact binomial form.

    Args:
        one: the model's.
        other: the other model's.
        name: what to call the other.
        seed: of the resampling.

    Raises:
        InputError: they are of different kinds or of different numbers of examples.
    """
    if (one.kind, one.examples) != (other.kind, other.examples):
        raise InputError(
            f"an evaluation of {one.examples} {one.kind} cannot be compared with one of {other.examples} {other.kind}: "
            "score both models on the same data"
        )
    shared = [metric for metric in one.cases if metric in other.cases]
    same = [mine == theirs for mine, theirs in zip(one.predicted, other.predicted, strict=True)]
    better = [mine and not theirs for mine, theirs in zip(one.right, other.right, strict=True)]
    worse = [theirs and not mine for mine, theirs in zip(one.right, other.right, strict=True)]
    return Comparison(
        other=name,
        agreement=sum(same) / len(same) if same else None,
        metrics={metric: (one.metrics[metric], other.metrics[metric]) for metric in shared},
        intervals={metric: difference_interval(one.cases[metric], other.cases[metric], seed=seed) for metric in shared},
        only_this=sum(better),
        only_other=sum(worse),
        p_value=mcnemar(sum(better), sum(worse)) if one.right else None,
    )


def mcnemar(only_one: int, only_other: int) -> float:
    """The two-sided exact p value for so many examples that just one of two models has right.

    Args:
        only_one, only_other: their numbers.
    """
    whole, fewer = only_one + only_other, min(only_one, only_other)
    ways, term = 0, 1
    for taken in range(fewer + 1):
        ways += term
        term = term * (whole - taken) // (taken + 1)
    return min(1.0, 2 * ways / 2**whole)
