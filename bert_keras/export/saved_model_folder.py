"""SavedModels for TF Serving and for any program with TensorFlow. B batch, L length."""

import errno
import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from bert_keras.errors import InputError
from bert_keras.export.outputs import named_outputs
from bert_keras.export.quiet import quiet_tensorflow
from bert_keras.export.source import check_weights, checked_length, opened
from bert_keras.export.text_ops import GraphTokenizer, pack
from bert_keras.files import output_folder
from bert_keras.tasks import TASKS, answer_of, input_names, input_specs, labels_of, task_of
from bert_keras.text import Tokenizer, WordPieceTokenizer

SIGNATURE = "serving_default"
# What a program needs to know beside the graph, in the folder that TensorFlow leaves to others.
FACTS = Path("assets.extra", "bert_keras.json")
TOKENIZER = Path("assets.extra", "tokenizer")

# Texts on which the graph's pieces are compared with the tokenizer's before they are trusted.
_PROBES = ["", "A charming film!", "naïve Café, ΟΔΟΣ\u0301 — 東京 \u200b😀\ttab\x00", "a" * 300, "[CLS] [SEP] $5+3=8"]

Tensors = dict[str, tf.Tensor]


def saved_model(
    model_or_folder: keras.Model | str | os.PathLike,
    path: str | os.PathLike,
    tokenizer: Tokenizer | None = None,
    max_length: int | None = None,
) -> Path:
    """Write a model as the next version in a folder that TF Serving watches.

    The signature `serving_default` takes the model's inputs, int32 `[B, L]` (`[B, C, L]` for C choices); `text` takes
    raw strings `[B]` and `text_pair` two of them, `text` and `pair`. All give the same named outputs, such as
    `probabilities` and `logits`, and hold core TensorFlow operations only. Where the graph cannot tokenize as the
    tokenizer does, the signatures on strings are left out with a warning that says why. In question answering `text` is
    the question and `pair` its context, whose end is cut off; the logits belong to pieces, whose places in the context
    a signature does not give: a client that wants the answer itself uses `bert_keras.predictor`, or `serving_default`
    with rows and places of its own.

    Args:
        model_or_folder: a model that a task made, or a model folder.
        path: the folder of versions; the model goes to `path/1`, or the number after the last one there.
        tokenizer: the model's tokenizer; a folder has its own.
        max_length: tokens that the signatures on strings read of a text; the model's longest if None.

    Returns:
        The version's folder.

    Raises:
        InputError: no tokenizer or one of another model, a weight or an output that is not finite, a `max_length` that
            does not fit, or a `path` that is not a folder of versions.
    """
    version = _next_version(Path(path))
    model, tokenizer = opened(model_or_folder, tokenizer)
    max_length = checked_length(model, tokenizer, max_length)
    check_weights(model)

    # The model itself is not tracked: the archive finds the weights that the signatures use, and would keep them twice.
    archive = keras.export.ExportArchive()
    # The other signatures call this one: the model is in the file once.
    specs = list(input_specs(model).values())
    tokens = archive.add_endpoint(SIGNATURE, _token_function(model, tokenizer.cls_id), specs)
    _check_outputs(tokens, specs)
    graph = GraphTokenizer(tokenizer) if isinstance(tokenizer, WordPieceTokenizer) else None
    reason = _no_text_reason(model, tokenizer, graph)
    if graph is not None and reason is None:
        archive.track(graph)
        _add_text_signatures(archive, model, tokens, tokenizer, graph, max_length)
    else:
        warnings.warn(f"the SavedModel takes tokens only, not raw text: {reason}", stacklevel=2)
    facts = {
        "task": task_of(model),
        "labels": labels_of(model),
        "answer": answer_of(model),
        "inputs": input_names(model),
        "max_length": max_length,
        "no_text_signatures_because": reason,
    }
    with output_folder(version) as folder, quiet_tensorflow():
        _write(archive, folder)
        tokenizer.save(folder / TOKENIZER)
        (folder / FACTS).write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return version


def _write(archive: keras.export.ExportArchive, folder: Path) -> None:
    try:
        archive.write_out(str(folder), verbose=False)
    except tf.errors.ResourceExhaustedError as error:
        # TensorFlow's own name for a full disk.
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder)) from error


def _next_version(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file; give the folder that holds the numbered versions")
    if (path / "saved_model.pb").exists():
        raise InputError(f"{path} is itself a SavedModel; give the folder above it, where the numbered versions are")
    children = path.iterdir() if path.is_dir() else ()
    return path / str(1 + max((int(child.name) for child in children if child.name.isdigit()), default=0))


def _check_outputs(tokens: Callable[..., Tensors], specs: list[tf.TensorSpec]) -> None:
    shapes = [[1] * (spec.shape.rank - 1) + [2] for spec in specs]
    probe = [tf.fill(shape, int(spec.name == "padding_mask")) for spec, shape in zip(specs, shapes, strict=True)]
    for name, value in tokens(*probe).items():
        if not np.isfinite(value.numpy()).all():
            raise InputError(f"the output {name} of a probe text is NaN or infinite: the weights are out of range")


def _token_function(model: keras.Model, cls_id: int) -> Callable[..., Tensors]:
    names = input_names(model)

    def tokens(*values: tf.Tensor) -> Tensors:
        inputs = dict(zip(names, values, strict=True))
        token_ids, mask = inputs["token_ids"], inputs["padding_mask"]
        checks = [
            tf.debugging.assert_equal(
                tf.shape(inputs[name]), tf.shape(token_ids), message=f"{name} and token_ids must have one shape"
            )
            for name in ("segment_ids", "padding_mask")
            if name in inputs
        ]
        with tf.control_dependencies([check for check in checks if check is not None]):
            # TF Serving fills up a batch with each tensor's first element, [CLS] in the ids and 1 in the mask: what
            # follows a second [CLS] is filling.
            begins = tf.cumsum(tf.cast(tf.equal(token_ids, cls_id), tf.int32), axis=-1)
            inputs["padding_mask"] = tf.where(begins > 1, 0, mask)
        return named_outputs(model, inputs)

    return tokens


def _no_text_reason(model: keras.Model, tokenizer: Tokenizer, graph: GraphTokenizer | None) -> str | None:
    """Why there can be no signatures on strings, or None."""
    if graph is None:
        return f"TensorFlow's core operations tokenize as wordpiece does, and the model's tokenizer is {tokenizer.kind}"
    if "masked_positions" in input_names(model):
        return f"{task_of(model)} needs masked_positions beside the text"
    if TASKS[task_of(model)].answer == "choice":
        return f"{task_of(model)} takes several texts for one answer"
    mask = tokenizer.special_tokens["mask"]
    if tokenizer.ids([mask]) == [[tokenizer.mask_id]]:
        return f"the tokenizer reads {mask} in a text as one piece (mask_in_text), which a graph does not"
    for probe, ids in zip(_PROBES, graph(tf.constant(_PROBES), 1000).to_list(), strict=True):
        if ids != tokenizer.ids([probe])[0]:
            return f"the graph and the tokenizer read {probe!r} in two ways"
    return None


def _add_text_signatures(
    archive: keras.export.ExportArchive,
    model: keras.Model,
    tokens: Callable[..., Tensors],
    tokenizer: Tokenizer,
    graph: GraphTokenizer,
    max_length: int,
) -> None:
    def one_text(text: tf.Tensor) -> Tensors:
        return answer([graph(text, max_length)])

    def text_pair(text: tf.Tensor, pair: tf.Tensor) -> Tensors:
        same = tf.debugging.assert_equal(tf.size(text), tf.size(pair), message="text and pair must be equally many")
        with tf.control_dependencies([] if same is None else [same]):
            pieces = graph(tf.concat([text, pair], 0), max_length)
        return answer([pieces[: tf.size(text)], pieces[tf.size(text) :]])

    def answer(segments: list[tf.RaggedTensor]) -> Tensors:
        packed = pack(segments, tokenizer.cls_id, tokenizer.sep_id, tokenizer.pad_id, max_length)
        return tokens(*(packed[name] for name in input_names(model)))

    text, pair = (tf.TensorSpec([None], tf.string, name=name) for name in ("text", "pair"))
    if not TASKS[task_of(model)].needs_pairs:
        archive.add_endpoint("text", one_text, [text])
    archive.add_endpoint("text_pair", text_pair, [text, pair])
