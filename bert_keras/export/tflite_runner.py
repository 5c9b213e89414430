"""Answers of a .tflite file that bert_keras exported to raw texts, without TensorFlow. L length."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.export.answers import Answers, check_batch_size, checked_texts
from bert_keras.export.packed_tokenizer import unpacked
from bert_keras.export.tflite_graph import TfliteGraph

# Texts that are tokenized together: bounds the memory of their padded arrays.
_CHUNK = 1024


class TfliteRunner(TfliteGraph):
    """Answers of an exported file to raw texts; each text is computed at its own length, without padding.

    One object may be used from many threads; they take turns.

    Args:
        path: a file that `bert_keras.export.tflite` wrote.
        num_threads: threads that compute one text.

    Raises:
        InputError: the file is missing, damaged, or not ours; or its task has no answer for a text.
    """

    def __init__(self, path: str | os.PathLike, num_threads: int = 1):
        super().__init__(path, num_threads)
        self.max_length: int = self.about["max_length"]
        self.tokenizer = unpacked(self.about, self._files)
        self._answers = Answers(self.task, self.labels, self.tokenizer.vocabulary, None)

    def __call__(
        self, texts: Sequence[str], pairs: Sequence[str] | None = None, batch_size: int = 32
    ) -> list[dict[str, Any]]:
        """Answer texts, or texts with their pairs, in their order; what is over `max_length` tokens is cut off.

        Args:
            texts: a list of texts.
            pairs: a second text for each.
            batch_size: checked as other predictors check it; texts are computed one by one.

        Returns:
            A dict a text, as `bert_keras.predictor` describes.

        Raises:
            InputError: something else than lists of texts of one length, or a `batch_size` below 1.
        """
        texts, pairs = checked_texts(texts, pairs)
        if pairs is None and self.task == "next-sentence-prediction":
            raise InputError("next-sentence-prediction needs pairs: the text that may follow each text")
        check_batch_size(batch_size)
        answers: list[Any] = [None] * len(texts)
        for start in range(0, len(texts), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            tokens = self.tokenizer(texts[chunk], pairs[chunk] if pairs else None, max_length=self.max_length)
            lengths = tokens["padding_mask"].sum(axis=1)
            # By length: the runtime lays out its memory anew for each new one.
            for row in np.argsort(lengths, kind="stable"):
                inputs = {name: values[row : row + 1, : lengths[row]] for name, values in tokens.items()}
                [answers[start + row]] = self._answers(inputs, self.run(inputs))
        return answers
