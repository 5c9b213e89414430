"""What all kinds of answers share. L length of a row, C classes."""

import abc
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, ClassVar

import numpy as np

from bert_keras.errors import InputError, finite_number, whole_number, yes_or_no
from bert_keras.text import Tokenizer
from bert_keras.text.rows import Row, text_rows

Outputs = dict[str, np.ndarray]

# Type of a setting's default -> the check that a value is of that type; None stands for none, and a subclass checks it.
_CHECKS: dict[type, Callable[[Any, str], Any]] = {bool: yes_or_no, int: whole_number, float: finite_number}


class Answer(abc.ABC):
    """How texts become rows of a model's batch, and a model's outputs for them what a user reads.

    A subclass names its `defaults` and gives `answer`; where a row is not simply a text, it gives `rows` too.

    Args:
        tokenizer: the model's.
        settings: `max_length`, the longest row; `labels` where the task has classes; and what `defaults` names.
        **chosen: settings of the user's that win; names of `defaults`.

    Raises:
        InputError: there is no such setting, or its value is of another type.
    """

    # Settings that a user may choose, with their values where neither the model nor the user has one.
    defaults: ClassVar[Mapping[str, Any]] = {}
    # Outputs that have a value for each token: a row gets its own tokens' only.
    of_tokens: ClassVar[frozenset[str]] = frozenset()
    # Texts that are tokenized and sorted by length together: enough for even batches, little memory.
    texts_at_once: ClassVar[int] = 4096

    def __init__(self, tokenizer: Tokenizer, settings: Mapping[str, Any], **chosen: Any):
        for name in chosen:
            if name not in self.defaults:
                known = ", ".join(self.defaults) or "none"
                raise InputError(f"these answers have no setting {name!r}; they have: {known}")
        self.tokenizer = tokenizer
        self.settings = {**self.defaults, **settings, **chosen}
        for name, default in self.defaults.items():
            check = _CHECKS.get(type(default))
            self.settings[name] = check(self.settings[name], name) if check else self.settings[name]
        self.max_length: int = settings["max_length"]
        self.labels: list[str] | None = settings.get("labels")

    def check(self, texts: Sequence[Any], pairs: Sequence[Any] | None) -> tuple[list[Any], list[Any] | None]:
        """Lists of what is to be answered, or InputError with the first thing that cannot be."""
        return checked_texts(texts, pairs)

    def rows(self, texts: list[Any], pairs: list[Any] | None) -> list[Row]:
        """The rows of some texts; those of one text stand together, in its order."""
        return text_rows(self.tokenizer, texts, pairs, self.max_length, self.settings.get("windows", False))

    @abc.abstractmethod
    def answer(self, text: Any, pair: Any, rows: list[Row], outputs: list[Outputs]) -> dict[str, Any]:
        """Answer one text.

        Args:
            text, pair: as they were given.
            rows: its rows.
            outputs: what the model gives for each row, float32 without padding.
        """


def mean_of_windows(labels: Sequence[str], outputs: Sequence[Outputs], name: str) -> dict[str, float]:
    """The value of each label: the mean of an output `[C]` over the windows of a text."""
    values = np.mean([output[name] for output in outputs], axis=0)
    return {label: float(value) for label, value in zip(labels, values, strict=True)}


def softmax(logits: np.ndarray) -> np.ndarray:
    """The probabilities `[C]` of logits `[C]`."""
    shifted = np.exp(logits - logits.max())
    return shifted / shifted.sum()


def checked_texts(texts: Sequence[str], pairs: Sequence[str] | None) -> tuple[list[str], list[str] | None]:
    """Lists of texts, or InputError with the first thing that is not one."""
    texts = checked_list(texts, "texts")
    check_strings(texts, "texts")
    if pairs is None:
        return texts, None
    pairs = checked_list(pairs, "pairs")
    check_strings(pairs, "pairs")
    check_as_many(texts, pairs)
    return texts, pairs


def checked_list(values: Sequence[Any], name: str) -> list[Any]:
    """A list, or InputError where it is one text, or nothing with an order."""
    if isinstance(values, str | bytes):
        raise InputError(f"{name} is one text; pass a list of texts, such as [{values[:20]!r}]")
    if isinstance(values, Mapping | Set) or not isinstance(values, Iterable):
        raise InputError(f"{name} is a {type(values).__name__}; it must be a list")
    return list(values)


def check_strings(texts: Sequence[Any], name: str) -> None:
    """Raise InputError with the first thing that is no text."""
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"{name}[{place}] is {text!r}, a {type(text).__name__}; it must be a text (str)")


def check_as_many(texts: Sequence[Any], pairs: Sequence[Any]) -> None:
    """Raise InputError unless there is a pair for each text."""
    if len(pairs) != len(texts):
        raise InputError(f"{len(texts)} texts have {len(pairs)} pairs; each text needs one")
