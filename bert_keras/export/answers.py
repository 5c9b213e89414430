"""From a model's numbers to what a user reads. B batch, L length, H hidden, C classes, K masks, V vocabulary."""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from bert_keras.errors import InputError

NEXT_SENTENCE_LABELS = ["is_next", "not_next"]
_FILL_MASK_BEST = 5

Arrays = dict[str, np.ndarray]

# Task -> the method that makes its answer; other tasks have none for a text alone.
ANSWERS = {
    "text-classification": "_label",
    "next-sentence-prediction": "_label",
    "sentence-similarity": "_embedding",
    "feature-extraction": "_features",
    "fill-mask": "_masks",
}


class Answers:
    """Turns the outputs of a batch into one dict a text.

    Args:
        task: the task's name.
        labels: the names of the classes, for text-classification.
        vocabulary: the pieces, index = id, for fill-mask.
        mask_id: the id of `[MASK]`, for fill-mask.

    Raises:
        InputError: the task has no answer for a text alone.
    """

    def __init__(self, task: str, labels: list[str] | None, vocabulary: list[str], mask_id: int | None):
        if task not in ANSWERS:
            raise InputError(
                f"a model for {task} does not answer texts; tasks that do are {', '.join(sorted(ANSWERS))}"
            )
        self.labels = NEXT_SENTENCE_LABELS if task == "next-sentence-prediction" else labels
        self.vocabulary, self.mask_id = vocabulary, mask_id
        self._answer: Callable[[Arrays, Arrays, int], dict[str, Any]] = getattr(self, ANSWERS[task])

    def __call__(self, inputs: Arrays, outputs: Arrays) -> list[dict[str, Any]]:
        """Answer each row.

        Args:
            inputs: int32 `[B, L]` by name.
            outputs: float32 `[B, ...]`, named as `bert_keras.export.outputs` does.
        """
        return [self._answer(inputs, outputs, row) for row in range(len(inputs["token_ids"]))]

    def _label(self, inputs: Arrays, outputs: Arrays, row: int) -> dict[str, Any]:
        assert self.labels is not None
        scores = {label: float(p) for label, p in zip(self.labels, outputs["probabilities"][row], strict=True)}
        best = max(scores, key=lambda label: scores[label])
        return {"label": best, "score": scores[best], "scores": scores}

    def _embedding(self, inputs: Arrays, outputs: Arrays, row: int) -> dict[str, Any]:
        return {"embedding": outputs["embedding"][row].copy()}

    def _features(self, inputs: Arrays, outputs: Arrays, row: int) -> dict[str, Any]:
        answer = {name: value[row].copy() for name, value in outputs.items() if name != "sequence_output"}
        return {
            "sequence_output": outputs["sequence_output"][row, : inputs["padding_mask"][row].sum()].copy(),
            **answer,
        }

    def _masks(self, inputs: Arrays, outputs: Arrays, row: int) -> dict[str, Any]:
        count = int((inputs["token_ids"][row] == self.mask_id).sum())
        return {"masks": [self._best_pieces(logits) for logits in outputs["logits"][row, :count]]}

    def _best_pieces(self, logits: np.ndarray) -> list[dict[str, Any]]:
        """The likeliest pieces for logits `[V]`."""
        shifted = np.exp(logits - logits.max())
        probabilities = shifted / shifted.sum()
        # Tables that were padded for speed have rows without a piece.
        best = np.argsort(-probabilities[: len(self.vocabulary)], kind="stable")[:_FILL_MASK_BEST]
        return [{"piece": self.vocabulary[i], "id": int(i), "score": float(probabilities[i])} for i in best]


def masked_positions(token_ids: np.ndarray, mask_id: int | None) -> np.ndarray:
    """Where `[MASK]` stands in each row: int32 `[B, K]`, filled up with 0, K at least 1.

    Args:
        token_ids: int32 `[B, L]`.
        mask_id: the id of `[MASK]`.
    """
    found = [np.flatnonzero(row == mask_id) for row in token_ids]
    width = max([1, *map(len, found)])
    positions = np.zeros((len(found), width), np.int32)
    for row, places in enumerate(found):
        positions[row, : len(places)] = places
    return positions


def checked_texts(texts: Sequence[str], pairs: Sequence[str] | None) -> tuple[list[str], list[str] | None]:
    """Lists of texts, or InputError with the first thing that is not one."""
    texts = _checked_list(texts, "texts")
    if pairs is None:
        return texts, None
    pairs = _checked_list(pairs, "pairs")
    if len(pairs) != len(texts):
        raise InputError(f"{len(texts)} texts have {len(pairs)} pairs; each text needs one")
    return texts, pairs


def check_batch_size(batch_size: Any) -> None:
    """Raise InputError unless `batch_size` is a whole number of 1 or more."""
    if not isinstance(batch_size, Integral) or batch_size < 1:
        raise InputError(f"batch_size is {batch_size!r}; it must be a whole number, 1 or more")


def _checked_list(texts: Sequence[str], name: str) -> list[str]:
    if isinstance(texts, str | bytes):
        raise InputError(f"{name} is one text; pass a list of texts, such as [{texts[:20]!r}]")
    texts = list(texts)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"{name}[{place}] is {text!r}, a {type(text).__name__}; it must be a text (str)")
    return texts
