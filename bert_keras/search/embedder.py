"""The vectors that a model gives to texts. N texts, H numbers of a vector."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.export import predictor
from bert_keras.search.passages import passages
from bert_keras.search.unit import unit_vectors

# Texts between two reports of progress: some seconds of work.
_CHUNK = 512
# Two models whose vectors of these are the same are the same model, however they are stored.
_PROBES = (
    "The parcel came two days late, but nothing in it was broken.",
    "How do I cook rice?",
    "Das Wetter wird morgen besser.",
    "a red door",
)

Progress = Callable[[int, int], None]


class Embedder:
    """Turns texts into unit vectors.

    Args:
        model: a folder, `.tflite` file or SavedModel for sentence-similarity, or what `bert_keras.predictor` makes of
            it.

    Raises:
        InputError: the model is for another task, or cannot be opened.
    """

    def __init__(self, model: Any):
        opened = not isinstance(model, (str, os.PathLike))
        self.source = None if opened else os.path.abspath(model)
        self._predictor = model if opened else predictor(model)
        task = self._predictor.task
        if task != "sentence-similarity":
            name = "the model" if opened else model
            raise InputError(f"{name} is for {task}: vectors of texts need a model for sentence-similarity")

    @property
    def max_length(self) -> int:
        """The most tokens that the model reads of a text."""
        return self._predictor.max_length

    def __call__(
        self,
        texts: Sequence[str],
        batch_size: int = 32,
        progress: Progress | None = None,
        dimensions: int | None = None,
    ) -> np.ndarray:
        """Return the unit vectors of at least one text, float32 `[N, H]`.

        Args:
            texts: N texts; what is over `max_length` tokens is not read.
            batch_size: texts that are computed together.
            progress: called with the number of texts done, and N.
            dimensions: keep so many of each vector's first numbers (Kusupati et al., "Matryoshka Representation
                Learning", 2022).

        Raises:
            InputError: something is no text, a vector holds NaN or infinity, or has fewer numbers than `dimensions`.
        """
        # Texts of like length together; the longest first, so that the time left is not underestimated.
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        vectors = np.empty((len(texts), 0), np.float32)
        for start in range(0, len(order), _CHUNK):
            places = order[start : start + _CHUNK]
            chunk = [texts[place] for place in places]
            found = [answer["embedding"] for answer in self._predictor(chunk, batch_size=batch_size)]
            if dimensions is not None and not 1 <= dimensions <= len(found[0]):
                raise InputError(f"dimensions is {dimensions}; the model's vectors have 1 to {len(found[0])}")
            units = unit_vectors(np.stack(found)[:, :dimensions], [text[:40] for text in chunk])
            if start == 0:
                vectors = np.empty((len(texts), units.shape[1]), np.float32)
            vectors[places] = units
            if progress is not None:
                progress(start + len(places), len(texts))
        return vectors

    def probes(self) -> np.ndarray:
        """Vectors that tell one model from another, float32 `[4, H]`."""
        return self(_PROBES)

    def passages(self, texts: Sequence[str]) -> list[list[str]]:
        """Cut each text into parts that the model can read whole; most are one part."""
        return passages(self._predictor.tokenizer, texts, self.max_length)

    def too_long(self, texts: Sequence[str]) -> int:
        """How many of the texts the model does not read to their end."""
        ids = self._predictor.tokenizer.ids(texts)
        return sum(len(of_text) > self.max_length - 2 for of_text in ids)
