"""Sentences with a tag for each word. B batch, L length, N rows."""

from typing import Any

import numpy as np
import tensorflow as tf

from bert_keras.data.encode import Encoded
from bert_keras.data.kinds.kind import Kind, Prepared
from bert_keras.data.tagged_sentences import Tagged, tagged
from bert_keras.errors import InputError
from bert_keras.tasks import labels_of
from bert_keras.text.word_rows import IGNORED, Sentence, word_rows, word_targets


def _prepare(examples: Tagged, tokenizer: Any, model: Any, max_length: int) -> Prepared:
    texts = examples.originals or [" ".join(words) for words in examples.words]
    sentences = [Sentence(text, bounds) for text, bounds in zip(texts, examples.bounds, strict=True)]
    rows = word_rows(tokenizer, sentences, max_length)
    found = word_targets(rows, _indices(examples, labels_of(model) or []))
    encoded = Encoded.of(rows)

    def gather(batch: np.ndarray, epoch: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        inputs = encoded.padded(batch, tokenizer.pad_id)
        labels = np.full(inputs["token_ids"].shape, IGNORED, np.int32)
        for line, row in enumerate(batch):
            labels[line, : len(found[row])] = found[row]
        return inputs, labels

    return Prepared(encoded.lengths, gather, tf.TensorSpec([None, None], tf.int32, "labels"), what="sentences")


def _indices(examples: Tagged, known: list[str]) -> list[list[int]]:
    """The index of each word's tag."""
    index = {name: place for place, name in enumerate(known)}
    if examples.tags is None:
        raise InputError(f"{examples.source} has no tags: each word needs one")
    for row, tags in enumerate(examples.tags):
        for word, tag in enumerate(tags):
            if tag not in index:
                raise InputError(
                    f"{examples.where(row, word)}: the model does not know the tag {tag!r}; it knows {', '.join(known)}"
                )
    return [[index[tag] for tag in tags] for tags in examples.tags]


WORDS = Kind(
    load=tagged,
    prepare=_prepare,
    columns=("words", "tags", "text", "spans", "scheme", "data_dir"),
    labels=Tagged.labels,
)
