"""Runs a .tflite file that bert_keras exported, without TensorFlow. L length, H hidden, C classes."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.errors import InputError
from bert_keras.export import metadata
from bert_keras.export.answers import Answers, check_batch_size, checked_texts
from bert_keras.text import Tokenizer

# What about the file this version can read.
FORMAT = 1
# Texts that are tokenized together: bounds the memory of their padded arrays.
_CHUNK = 1024
_INPUTS = {"token_ids": "ids", "padding_mask": "mask", "segment_ids": "segment_ids"}
_OUTPUTS = {"probability": "probabilities"}

Arrays = dict[str, np.ndarray]


class TfliteRunner:
    """Answers of an exported file to raw texts; each text is computed at its own length, without padding.

    One object may be used from many threads; they take turns.

    Args:
        path: a file that `bert_keras.export.tflite` wrote.
        num_threads: threads that compute one text.

    Raises:
        InputError: the file is missing, damaged, or not ours.
    """

    def __init__(self, path: str | os.PathLike, num_threads: int = 1):
        self.path = Path(path)
        if num_threads < 1:
            raise InputError(f"num_threads is {num_threads}; it must be 1 or more")
        about, files = metadata.read(self.path)
        if about["format"] != FORMAT:
            raise InputError(f"{path} is of format {about['format']}; this version of bert_keras reads {FORMAT}")
        self.about = about
        self.task: str = about["task"]
        self.max_length: int = about["max_length"]
        self.tokenizer = _tokenizer(about["tokenizer"], files[metadata.VOCABULARY])
        self._answers = Answers(self.task, about["labels"], self.tokenizer.vocabulary, None)
        self.labels = self._answers.labels
        self._lock = threading.Lock()
        self._length = 0
        self._interpreter = _interpreter(self.path, num_threads)
        # Tensors may stand in any order in the file: only the signature's names say which is which.
        signature = self._interpreter.get_signature_runner()
        self._inputs = {name: signature.get_input_details()[key]["index"] for name, key in _INPUTS.items()}
        self._outputs = {
            _OUTPUTS.get(name, name): detail["index"] for name, detail in signature.get_output_details().items()
        }

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

    def run(self, inputs: Arrays) -> Arrays:
        """Compute one text from its ids.

        Args:
            inputs: int32 `[1, L]`: `token_ids` and, unless all 0, `segment_ids` and, unless all 1, `padding_mask`.

        Returns:
            float32: `probabilities` `[1, C]`, or `embedding` `[1, H]`, or `sequence_output` `[1, L, H]` and
            `pooled_output` `[1, H]`.

        Raises:
            InputError: another shape, longer than the position table, or an id beyond its table.
        """
        arrays = self._complete(inputs)
        with self._lock:
            length = arrays["token_ids"].shape[1]
            if length != self._length:
                for index in self._inputs.values():
                    self._interpreter.resize_tensor_input(index, [1, length])
                self._interpreter.allocate_tensors()
                self._length = length
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
        limits = {"token_ids": "vocab_size", "segment_ids": "type_vocab_size"}
        for name, values in arrays.items():
            if values.shape != token_ids.shape:
                raise InputError(f"{name} has the shape {list(values.shape)}; token_ids has {list(token_ids.shape)}")
            limit = self.about[limits[name]] if name in limits else 2
            if values.min() < 0 or values.max() >= limit:
                raise InputError(
                    f"{name} has values from {values.min()} to {values.max()}; allowed are 0 to {limit - 1}"
                )
        return arrays


def _interpreter(path: Path, num_threads: int) -> Any:
    from ai_edge_litert.interpreter import Interpreter

    try:
        return Interpreter(model_path=str(path), num_threads=num_threads)
    except (ValueError, RuntimeError) as error:
        raise InputError(f"{path} cannot be opened by LiteRT: {error}") from error


def _tokenizer(settings: dict[str, Any], vocabulary: bytes) -> Tokenizer:
    # Only \n ends a line: other line ends may be part of a piece.
    return Tokenizer.from_vocabulary(vocabulary.decode("utf-8").split("\n")[:-1], **settings)
