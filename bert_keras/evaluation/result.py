"""What the scores of a task are: one form for every kind, which the report and the command line read."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from bert_keras.metrics.cases import Cases


@dataclass(frozen=True)
class Span:
    """A marked part of a mistake's text.

    Args:
        start, end: code points, `end` exclusive.
        label: its type, or "" where there are no types.
    """

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True)
class Mistake:
    """One example that the model got wrong.

    Args:
        text: the text; for question answering the context.
        expected, predicted: the right answer and the model's, as text.
        score: a number of the model's that belongs to it; `Evaluation.mistake_score` says what it is.
        where: file and line.
        pair: the second text, the question or the choices; None where there is none.
        gold, found: spans of `text` that are right, and that the model gave.
    """

    text: str
    expected: str
    predicted: str
    score: float
    where: str
    pair: str | None = None
    gold: tuple[Span, ...] = ()
    found: tuple[Span, ...] = ()


@dataclass(frozen=True)
class LengthBin:
    """Examples of similar length.

    Args:
        shortest, longest: lengths of the shortest and longest, in `Evaluation.length_unit`s.
        count: how many.
        error: their mean error, in what `Evaluation.error` names.
    """

    shortest: int
    longest: int
    count: int
    error: float


@dataclass(frozen=True)
class Evaluation:
    """The scores of one model on one set of examples.

    Args:
        kind: a key of `SCORES`.
        examples: how many were scored.
        metrics: value by name, the main metric first; NaN where it is undefined.
        intervals: the 95 % bootstrap interval of each metric that has one.
        classes: precision, recall, f1 and support of each class, entity type, tag or label.
        confusion: `{"labels": names, "matrix": counts}`, row = right label, column = the model's.
        scatter: (right value, the model's) of the examples, or of some of them evenly taken.
        reliability: bins of rising confidence, as `bert_keras.metrics.reliability` gives them, the empty ones left out.
        lengths: bins of rising length.
        length_unit: "words" or "characters".
        error: what the error of a length is, such as "share wrong".
        mistakes: the worst first.
        mistake_count: how many examples were wrong; `mistakes` holds the worst of them.
        mistake_score: what the score of a mistake is, such as "confidence".
        notes: what a reader of the numbers should know.
        predicted: the model's answer to each example, comparable with another model's.
        right: whether each answer is wholly right.
        cases: the metrics with an interval, as functions of how often each example counts.
    """

    kind: str
    examples: int
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    classes: dict[str, dict[str, float]] | None = None
    confusion: dict[str, list] | None = None
    scatter: list[tuple[float, float]] | None = None
    reliability: list[dict[str, float]] | None = None
    lengths: list[LengthBin] = field(default_factory=list)
    length_unit: str = "words"
    error: str = "share wrong"
    mistakes: list[Mistake] = field(default_factory=list)
    mistake_count: int = 0
    mistake_score: str = "confidence"
    notes: list[str] = field(default_factory=list)
    predicted: list = field(default_factory=list, repr=False)
    right: list[bool] = field(default_factory=list, repr=False)
    cases: dict[str, Cases] = field(default_factory=dict, repr=False)

    @property
    def main(self) -> str:
        """The name of the main metric."""
        return next(iter(self.metrics))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the answers to each example; None stands for a metric that is undefined."""
        hidden = ("predicted", "right", "cases")
        facts = {name: value for name, value in vars(self).items() if name not in hidden}
        return plain({name: value for name, value in facts.items() if value is not None})


def plain(value: Any) -> Any:
    """The value in what JSON has: dataclasses as dicts, NaN and infinity as None."""
    if hasattr(value, "__dataclass_fields__"):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | None) else str(value)
