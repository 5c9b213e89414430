"""Prompts with choices, one of which is right. B batch, C most choices of a prompt, L length, N prompts."""

from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.data.encode import encode
from bert_keras.data.kinds.kind import Kind, Prepared
from bert_keras.data.multiple_choices import Choices, choices
from bert_keras.errors import InputError


def _prepare(examples: Choices, tokenizer: Any, model: Any, max_length: int) -> Prepared:
    """Each prompt with its choices, which are a row each; a prompt that has fewer than C gets empty rows.

    The model gives a choice without a token no chance: it neither wins nor trains.
    """
    right = np.array(_right(examples), np.int32)
    counts = np.array([len(of_prompt) for of_prompt in examples.choices])
    prompts = [prompt for prompt, count in zip(examples.prompts, counts, strict=True) for _ in range(count)]
    flat = [choice for of_prompt in examples.choices for choice in of_prompt]
    encoded = encode(tokenizer, prompts, flat, max_length)
    first = np.cumsum(counts) - counts  # the row of each prompt's first choice

    def gather(batch: np.ndarray, epoch: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        real = np.arange(counts[batch].max()) < counts[batch][:, None]  # [B, C]
        rows = (first[batch][:, None] + np.arange(real.shape[1]))[real]
        inputs = {}
        for name, values in encoded.padded(rows, tokenizer.pad_id).items():
            filling = tokenizer.pad_id if name == "token_ids" else 0
            inputs[name] = np.full((*real.shape, values.shape[1]), filling, np.int32)
            inputs[name][real] = values
        return inputs, right[batch]

    longest = np.maximum.reduceat(encoded.lengths, first)
    labels = tf.TensorSpec([None], tf.int32, "labels")
    return Prepared(longest, gather, labels, int((longest >= max_length).sum()), "prompts")


def _right(examples: Choices) -> list[int]:
    if examples.labels is None:
        raise InputError(f"{examples.source} does not say which choice is right: give a column of labels")
    return examples.labels


CHOICES = Kind(load=choices, prepare=_prepare, columns=("prompt", "choices", "label", "data_dir"))
