"""Runs the numbers of a .tflite file that bert_keras exported, without TensorFlow.

L length, H hidden, C classes, K masks, V vocabulary.
"""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.export import metadata

# The kind of bert_keras.json that this version reads. 2: tokenizers of other kinds than wordpiece. 3: kinds of answers.
FORMAT = 3
_INPUTS = {
    "token_ids": "ids",
    "padding_mask": "mask",
    "segment_ids": "segment_ids",
    "masked_positions": "masked_positions",
}
_OUTPUTS = {"probability": "probabilities"}

Arrays = dict[str, np.ndarray]


class TfliteGraph:
    """An exported file as a function of ids.

    One object may be used from many threads; they take turns. See `bert_keras.export.base_predictor.Graph`.

    Args:
        path: a file that `bert_keras.export.tflite` wrote.
        num_threads: threads that compute one text.

    Raises:
        InputError: the file is missing, damaged, or not ours.
    """

    batches = False

    def __init__(self, path: str | os.PathLike, num_threads: int = 1):
        self.path = Path(path)
        if num_threads < 1:
            raise InputError(f"num_threads is {num_threads}; it must be 1 or more")
        self.about, self.files = metadata.read(self.path)
        if self.about["format"] != FORMAT:
            raise InputError(
                f"{path} is of format {self.about['format']}, and this version of bert_keras reads {FORMAT}: export "
                "the model again"
            )
        self.task: str = self.about["task"]
        self.labels: list[str] | None = self.about["labels"]
        self.answer: dict[str, Any] | None = self.about["answer"]
        self.max_length: int = self.about["max_length"]
        self._lock = threading.Lock()
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._interpreter = _interpreter(self.path, num_threads)
        # Tensors may stand in any order in the file: only the signature's names say which is which.
        signature = self._interpreter.get_signature_runner()
        details = signature.get_input_details()
        self._inputs = {name: details[key]["index"] for name, key in _INPUTS.items() if key in details}
        self.inputs: Sequence[str] = list(self._inputs)
        self._outputs = {
            _OUTPUTS.get(name, name): detail["index"] for name, detail in signature.get_output_details().items()
        }

    def run(self, inputs: Arrays) -> Arrays:
        """Compute one text from its ids.

        Args:
            inputs: int32 `[1, L]`: `token_ids` and, unless all 0, `segment_ids` and, unless all 1, `padding_mask`;
                `masked_positions` `[1, K]` of fill-mask; what the file does not take is ignored.

        Returns:
            float32: `probabilities` `[1, C]`, or `embedding` `[1, H]`, or `sequence_output` `[1, L, H]` and, with a
            pooler, `pooled_output` `[1, H]`; `probabilities` `[1, L, C]` of token-classification, `start_logits` and
            `end_logits` `[1, L]` of question-answering, `logits` `[1, L]` of replaced-token-detection, `[1, K, V]`
            of fill-mask, `[1, 1]` of one choice.

        Raises:
            InputError: another shape, longer than the position table, or an id beyond its table.
        """
        arrays = self._complete(inputs)
        with self._lock:
            shapes = {name: values.shape for name, values in arrays.items()}
            if shapes != self._shapes:
                for name, index in self._inputs.items():
                    self._interpreter.resize_tensor_input(index, shapes[name])
                self._interpreter.allocate_tensors()
                self._shapes = shapes
            for name, index in self._inputs.items():
                self._interpreter.set_tensor(index, arrays[name])
            self._interpreter.invoke()
            # get_tensor copies: the next call does not change what was returned.
            return {name: self._interpreter.get_tensor(index) for name, index in self._outputs.items()}

    def _complete(self, inputs: Arrays) -> Arrays:
        token_ids = np.asarray(inputs["token_ids"], np.int32)
        positions = self.about["max_position_embeddings"]
        if token_ids.ndim != 2 or len(token_ids) != 1 or not 1 <= token_ids.shape[1] <= positions:
            raise InputError(f"token_ids has the shape {list(token_ids.shape)}; it must be [1, 1 to {positions}]")
        arrays = {
            "token_ids": token_ids,
            "segment_ids": np.asarray(inputs.get("segment_ids", np.zeros_like(token_ids)), np.int32),
            "padding_mask": np.asarray(inputs.get("padding_mask", np.ones_like(token_ids)), np.int32),
        }
        if "masked_positions" in self._inputs:
            arrays["masked_positions"] = _positions(inputs)
        arrays = {name: arrays[name] for name in self._inputs}
        limits = {
            "token_ids": self.about["vocab_size"],
            "segment_ids": max(self.about["type_vocab_size"], 1),
            "padding_mask": 2,
            "masked_positions": token_ids.shape[1],
        }
        for name, values in arrays.items():
            if name != "masked_positions" and values.shape != token_ids.shape:
                raise InputError(f"{name} has the shape {list(values.shape)}; token_ids has {list(token_ids.shape)}")
            if values.min() < 0 or values.max() >= limits[name]:
                raise InputError(
                    f"{name} has values from {values.min()} to {values.max()}; allowed are 0 to {limits[name] - 1}"
                )
        return arrays


def _positions(inputs: Arrays) -> np.ndarray:
    positions = np.asarray(inputs.get("masked_positions", ()), np.int32)
    if positions.ndim != 2 or len(positions) != 1 or not positions.size:
        raise InputError(f"masked_positions has the shape {list(positions.shape)}; it must be [1, K], K at least 1")
    return positions


def _interpreter(path: Path, num_threads: int) -> Any:
    from ai_edge_litert.interpreter import Interpreter

    try:
        return Interpreter(model_path=str(path), num_threads=num_threads)
    except (ValueError, RuntimeError) as error:
        raise InputError(f"{path} cannot be opened by LiteRT: {error}") from error
