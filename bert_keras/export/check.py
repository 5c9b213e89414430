"""Runs an exported file beside the Keras model it came from. B batch, L length, C classes."""

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.export.recipes import Recipe
from bert_keras.export.tflite_graph import TfliteGraph
from bert_keras.tasks import TASKS

# Fewer examples than this say too little for a bound on their agreement; differences are bounded for any number.
_FEWEST_FOR_AGREEMENT = 50
_FEWEST_FOR_ACCURACY, _LARGEST_DROP = 200, 0.02
_PROBE_LENGTHS = (3, 16, 64, 128)
_BATCH = 32

Arrays = dict[str, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Example:
    """One text as ids: `token_ids` and `segment_ids`, int32 `[L]`, and the index of its label, if it has one."""

    token_ids: np.ndarray
    segment_ids: np.ndarray
    label: int | None = None


@dataclasses.dataclass(frozen=True)
class Comparison:
    """How a file answers beside its model, over some examples.

    Args:
        examples: how many.
        agreement: share of examples, or of their tokens, with the same label; None where the task has no labels.
        model_accuracy, file_accuracy: share of right labels; None where the examples have none.
        mean_difference, max_difference: |file - model| / |model| of an example's output, as vectors.
        max_probability_difference: the largest difference of one probability; None where the task has none.
        latency_ms: median milliseconds of one text on one thread, at its own length.
    """

    examples: int
    agreement: float | None
    model_accuracy: float | None
    file_accuracy: float | None
    mean_difference: float
    max_difference: float
    max_probability_difference: float | None
    latency_ms: float


def probe(vocab_size: int, max_length: int) -> list[Example]:
    """Texts of random ids, of several lengths.

    Args:
        vocab_size: V, ids are under it.
        max_length: no text is longer.
    """
    random = np.random.default_rng(0)
    lengths = sorted({min(length, max_length) for length in _PROBE_LENGTHS})
    return [_random_example(random, vocab_size, length) for length in lengths for _ in range(3)]


def _random_example(random: np.random.Generator, vocab_size: int, length: int) -> Example:
    return Example(random.integers(0, vocab_size, length, dtype=np.int32), np.zeros(length, np.int32))


def compare(
    forward: Callable[[Arrays], dict[str, Any]], runner: TfliteGraph, examples: Sequence[Example]
) -> Comparison:
    """Compare a file with its model.

    Args:
        forward: what `bert_keras.export.outputs.forward_of` made of the model.
        runner: the file.
        examples: at least one.

    Raises:
        InputError: the file gives infinite numbers or none.
    """
    expected = _model_outputs(forward, examples, runner.task)
    runner.run(_row(examples[0]))  # memory is laid out at the first run
    found, seconds = [], []
    for example in examples:
        start = time.perf_counter()
        outputs = runner.run(_row(example))
        seconds.append(time.perf_counter() - start)
        found.append(_main_output(runner.task, outputs, 0, len(example.token_ids)))
    if not all(np.isfinite(output).all() for output in found):
        raise InputError(f"the exported file gives numbers that are not finite ({runner.about['recipe']})")
    differences = [_difference(file, keras) for file, keras in zip(found, expected, strict=True)]
    agreement = probability = model_accuracy = file_accuracy = None
    if runner.labels:
        ours, theirs = ([output.argmax(-1) for output in outputs] for outputs in (found, expected))
        agreement = _share(np.mean(a == b) for a, b in zip(ours, theirs, strict=True))
        probability = max(float(abs(a - b).max()) for a, b in zip(found, expected, strict=True))
        labels = [example.label for example in examples]
        if None not in labels:
            model_accuracy = _share(a == b for a, b in zip(theirs, labels, strict=True))
            file_accuracy = _share(a == b for a, b in zip(ours, labels, strict=True))
    return Comparison(
        examples=len(examples),
        agreement=agreement,
        model_accuracy=model_accuracy,
        file_accuracy=file_accuracy,
        mean_difference=float(np.mean(differences)),
        max_difference=float(np.max(differences)),
        max_probability_difference=probability,
        latency_ms=float(np.median(seconds) * 1e3),
    )


def refuse_bad(name: str, recipe: Recipe, comparison: Comparison) -> None:
    """Refuse a file that answers otherwise than its model.

    Args:
        name: of the recipe.
        recipe: holds the bounds.
        comparison: over the probe or the user's data.

    Raises:
        InputError: the answers differ by more than the recipe allows.
    """
    agreement = comparison.agreement
    if not comparison.mean_difference <= recipe.difference:  # NaN is refused too
        raise InputError(
            f"the {name} file's outputs differ from the model's by {comparison.mean_difference:.2g} of their size; "
            f"accepted are {recipe.difference:g}: {_ADVICE}"
        )
    if agreement is None or comparison.examples < _FEWEST_FOR_AGREEMENT:
        return
    if agreement < recipe.agreement:
        raise InputError(
            f"the {name} file names the model's label for {agreement:.1%} of {comparison.examples} examples; accepted "
            f"are {recipe.agreement:.0%} or more: {_ADVICE}"
        )


_ADVICE = "nothing was written; try another recipe, such as float16"


def accuracy_warning(name: str, comparison: Comparison) -> str | None:
    """What to tell a user whose file is less accurate than the model, if there are enough examples to tell.

    Args:
        name: of the recipe.
        comparison: over the user's data.
    """
    before, after = comparison.model_accuracy, comparison.file_accuracy
    if before is None or after is None or comparison.examples < _FEWEST_FOR_ACCURACY:
        return None
    if before - after <= _LARGEST_DROP:
        return None
    return f"the {name} file has {after:.1%} accuracy where the model has {before:.1%}: consider recipe float16"


def _row(example: Example) -> Arrays:
    return {"token_ids": example.token_ids[None], "segment_ids": example.segment_ids[None]}


def _main_output(task: str, outputs: Arrays, row: int, length: int) -> np.ndarray:
    """What is compared of a row, without its padding."""
    if TASKS[task].of_texts:
        return np.concatenate([outputs[name][row] for name in TASKS[task].of_texts])
    return np.stack([outputs[name][row, :length] for name in TASKS[task].of_tokens])


def _difference(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.linalg.norm(found - expected) / max(np.linalg.norm(expected), 1e-12))


def _share(values: Iterator[Any]) -> float:
    return float(np.mean(list(values)))


def _model_outputs(
    forward: Callable[[Arrays], dict[str, Any]], examples: Sequence[Example], task: str
) -> list[np.ndarray]:
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].token_ids))
    outputs: list[Any] = [None] * len(examples)
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        result = {name: value.numpy() for name, value in forward(_batch([examples[i] for i in rows])).items()}
        for place, i in enumerate(rows):
            outputs[i] = _main_output(task, result, place, len(examples[i].token_ids))
    return outputs


def _batch(examples: Sequence[Example]) -> Arrays:
    lengths = np.array([len(example.token_ids) for example in examples])
    real = np.arange(lengths.max()) < lengths[:, None]  # [B, L]
    arrays = {"padding_mask": real.astype(np.int32)}
    for name in ("token_ids", "segment_ids"):
        arrays[name] = np.zeros(real.shape, np.int32)
        arrays[name][real] = np.concatenate([getattr(example, name) for example in examples])
    return arrays
