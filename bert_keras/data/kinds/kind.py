"""What a file for a task holds, and how it becomes batches. B batch, N rows."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

Inputs = dict[str, np.ndarray]


class Examples(Protocol):
    """The examples of one source: what predictors are asked, and where each stands in the source."""

    @property
    def texts(self) -> Sequence[Any]: ...

    @property
    def pairs(self) -> Sequence[Any] | None: ...

    def __len__(self) -> int: ...

    def where(self, row: int) -> str: ...


@dataclasses.dataclass(frozen=True)
class Prepared:
    """Examples as rows of tokens, from which batches are made.

    Args:
        lengths: tokens of each row, int `[N]`.
        gather: numbers of rows `[B]` and the epoch -> inputs, those of the model among them, and targets of a batch.
        targets: the `tf.TensorSpec`s of such targets.
        cut: how many rows lost tokens.
        what: what a row is, for messages.
    """

    lengths: np.ndarray
    gather: Callable[[np.ndarray, int], Any]
    targets: Any
    cut: int = 0
    what: str = "texts"


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of examples.

    Args:
        load: source and columns by name -> examples.
        prepare: examples, tokenizer, model and the longest row -> rows.
        columns: names that `load` takes beside the source.
        labels: examples -> names of labels in them, where they have some.
        check: refuses examples that nothing can be learned from.
        options: examples to train on -> options of the task that they ask for, such as `no_answer`.
        begin: examples to train on and the model -> None: sets a new head where its training should begin.
        loss: examples to train on -> the loss that they ask for; None for the task's own.
        scores: examples -> a key of `bert_keras.evaluation.SCORES`, or None where they cannot be scored; None for the
            task's.
    """

    load: Callable[..., Any]
    prepare: Callable[[Any, Any, Any, int], Prepared]
    columns: tuple[str, ...]
    labels: Callable[[Any], list[str]] | None = None
    check: Callable[[Any], None] | None = None
    options: Callable[[Any], dict[str, Any]] | None = None
    begin: Callable[[Any, Any], None] | None = None
    loss: Callable[[Any], Any] | None = None
    scores: Callable[[Any], str | None] | None = None
