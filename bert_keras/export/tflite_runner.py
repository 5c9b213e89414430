"""Answers of a .tflite file that bert_keras exported to raw texts, without TensorFlow."""

import os
from typing import Any

from bert_keras.export.base_predictor import Predictor
from bert_keras.export.packed_tokenizer import unpacked
from bert_keras.export.tflite_graph import TfliteGraph


class TfliteRunner(Predictor):
    """Answers of an exported file; each text is computed at its own length, without padding.

    One object may be used from many threads; they take turns.

    Args:
        path: a file that `bert_keras.export.tflite` wrote.
        num_threads: threads that compute one text.
        max_length, **settings: as for `bert_keras.export.base_predictor.Predictor`.

    Raises:
        InputError: the file is missing, damaged, or not ours; or as `Predictor`.
    """

    def __init__(self, path: str | os.PathLike, num_threads: int = 1, max_length: int | None = None, **settings: Any):
        graph = TfliteGraph(path, num_threads)
        super().__init__(graph, unpacked(graph.about, graph.files), max_length, **settings)
