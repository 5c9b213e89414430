"""What the package knows of a task: one value a task, from the file to the answer."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import keras

from bert_keras.lean import LeanHead

Outputs = dict[str, Any]


def outputs_as_named(raw: Any) -> Outputs:
    """Outputs that have names already."""
    return dict(raw)


@dataclasses.dataclass(frozen=True)
class Task:
    """A use of an encoder; called, it makes the model.

    Args:
        name: as the pipelines of Hugging Face are named.
        build: an encoder, the labels where it has some, and the options by name -> functional model.
        heads: names of the layers by which a model of the task is known; the first holds labels and options.
        answer: a key of `bert_keras.answers.KINDS`: how texts become rows and outputs an answer.
        examples: a key of `bert_keras.data.KINDS`: what a file for it holds; None if it is not trained from files.
        scores: a key of `bert_keras.evaluation.SCORES`: how answers are scored; None if they are not.
        outputs: the model's output -> exported outputs by name.
        objective: the model -> loss and metrics, as `compile` takes them; None if it is not trained.
        lean: the options -> its head in a phone's graph; None if it has none.
        of_texts, of_tokens: outputs that are compared when a file is checked, a vector a text or a token.
        has_labels: the head has named classes.
        new_labels: the names of a new head where the user gives none.
        labels: names of its classes that are always the same.
        needs_pairs: its answer is about two texts.
        options: attributes of the first head that are kept with the model and are settings of its answers.
        shares: the task whose names its tensors have in checkpoints, where they are not its own.
        renames: layer of `shares` -> own layer.
        problem_type: what transformers calls its kind of text classification.
        tune: the model, held-out examples and its answers to them -> what was set in the head, such as thresholds, in
            a sentence.
        max_length: tokens of a row where nobody says otherwise; the model's longest if None.
    """

    name: str
    build: Callable[..., keras.Model]
    heads: tuple[str, ...]
    answer: str | None = None
    examples: str | None = None
    scores: str | None = None
    outputs: Callable[[Any], Outputs] = outputs_as_named
    objective: Callable[[keras.Model], dict[str, Any]] | None = None
    lean: Callable[[Mapping[str, Any]], LeanHead] | None = None
    of_texts: tuple[str, ...] = ()
    of_tokens: tuple[str, ...] = ()
    has_labels: bool = False
    new_labels: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    needs_pairs: bool = False
    options: tuple[str, ...] = ()
    shares: str | None = None
    renames: Mapping[str, str] = dataclasses.field(default_factory=dict)
    problem_type: str | None = None
    tune: Callable[[keras.Model, Any, Sequence[dict[str, Any]]], str] | None = None
    max_length: int | None = None

    def __call__(self, encoder: keras.Model, *arguments: Any, **options: Any) -> keras.Model:
        """Make the model, as `build` does."""
        return self.build(encoder, *arguments, **options)
