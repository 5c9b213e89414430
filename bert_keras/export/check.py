"""Runs an exported file beside the Keras model it came from. B batch, L length, C classes, K masks."""

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.export.recipes import Recipe
from bert_keras.export.tflite_graph import TfliteGraph
from bert_keras.tasks import TASKS
from bert_keras.text.rows import batches_by_length, padded

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

    def __len__(self) -> int:
        return len(self.token_ids)


@dataclasses.dataclass(frozen=True)
class Comparison:
    """How a file answers beside its model, over some examples.

    Args:
        examples: how many.
        agreement: share of examples with the same label, or of their tokens, or of decisions for or against a label,
            or of windows with the same begin and end of the answer; None where answers are no such.
        model_accuracy, file_accuracy: share of right labels; None where the examples have none.
        mean_difference, max_difference: |file - model| / |model| of an example's output, as vectors; where the output
            is one number, |model| is the root mean square over the examples.
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
    runner.run(_inputs(examples[:1]))  # memory is laid out at the first run
    pairs = [_Pair() for _ in examples]
    for rows in batches_by_length(examples, _BATCH):
        expected = {name: value.numpy() for name, value in forward(_inputs([examples[i] for i in rows])).items()}
        for place, i in enumerate(rows):
            pairs[i] = _pair(runner, examples[i], {name: value[place] for name, value in expected.items()})
    differences = _differences(pairs)
    agreement = probability = model_accuracy = file_accuracy = None
    if pairs[0].file_labels is not None:
        agreement = _share(np.mean(pair.file_labels == pair.model_labels) for pair in pairs)
        labels = [example.label for example in examples]
        if None not in labels:
            model_accuracy = _share(pair.model_labels == label for pair, label in zip(pairs, labels, strict=True))
            file_accuracy = _share(pair.file_labels == label for pair, label in zip(pairs, labels, strict=True))
    if runner.answer and runner.answer["kind"] in _OF_PROBABILITIES:
        probability = max(pair.largest for pair in pairs)
    return Comparison(
        examples=len(examples),
        agreement=agreement,
        model_accuracy=model_accuracy,
        file_accuracy=file_accuracy,
        mean_difference=float(np.mean(differences)),
        max_difference=float(np.max(differences)),
        max_probability_difference=probability,
        latency_ms=float(np.median([pair.seconds for pair in pairs]) * 1e3),
    )


@dataclasses.dataclass(frozen=True)
class _Pair:
    """What is kept of an example's two outputs, which may be large: their sizes, their best classes, the time."""

    difference: float = 0.0
    size: float = 0.0
    numbers: int = 0
    largest: float = 0.0
    file_labels: Any = None
    model_labels: Any = None
    seconds: float = 0.0


def _pair(runner: TfliteGraph, example: Example, expected: Arrays) -> _Pair:
    start = time.perf_counter()
    outputs = runner.run(_inputs([example]))
    seconds = time.perf_counter() - start
    length = len(example)
    found = _main_output(runner.task, {name: value[0] for name, value in outputs.items()}, length)
    right = _main_output(runner.task, expected, length)
    if not np.isfinite(found).all():
        raise InputError(f"the exported file gives numbers that are not finite ({runner.about['recipe']})")
    gap = found - right
    return _Pair(
        float(np.linalg.norm(gap)),
        float(np.linalg.norm(right)),
        right.size,
        float(abs(gap).max()),
        _decisions(runner, found),
        _decisions(runner, right),
        seconds,
    )


# Kinds of answers whose outputs are probabilities.
_OF_PROBABILITIES = ("entities", "label", "multi-label")


def _decisions(runner: TfliteGraph, output: np.ndarray) -> Any:
    """What a user reads out of an output: numbers that are equal where answers are; None where it has no such."""
    settings = runner.answer or {"kind": None}
    if settings["kind"] in ("label", "entities"):  # [C] or [1, L, C]
        return output.argmax(-1)
    if settings["kind"] == "multi-label":  # [C]
        return output >= (settings["thresholds"] or 0.5)
    if settings["kind"] == "span":  # [2, L]
        first, last = output.argmax(-1)
        return first * output.shape[1] + last
    return None


def _differences(pairs: Sequence[_Pair]) -> list[float]:
    if all(pair.numbers == 1 for pair in pairs):
        # One number may be near 0 by chance.
        size = float(np.sqrt(np.mean([pair.size**2 for pair in pairs])))
        return [pair.difference / max(size, 1e-12) for pair in pairs]
    return [pair.difference / max(pair.size, 1e-12) for pair in pairs]


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
            f"the {name} file gives the model's answer for {agreement:.1%} of {comparison.examples} examples; accepted "
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


def _main_output(task: str, outputs: Arrays, length: int) -> np.ndarray:
    """What is compared of a text, without its padding."""
    if TASKS[task].of_texts:
        return np.concatenate([outputs[name] for name in TASKS[task].of_texts])
    return np.stack([outputs[name][:length] for name in TASKS[task].of_tokens])


def _share(values: Iterator[Any]) -> float:
    return float(np.mean(list(values)))


def _inputs(examples: Sequence[Example]) -> Arrays:
    """What any model or file reads of some texts; a mask is taken to stand in the middle of each."""
    middles = np.array([[len(example) // 2] for example in examples], np.int32)
    return {**padded(examples, pad_id=0), "masked_positions": middles}
