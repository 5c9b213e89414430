"""The rows that tie Hugging Face's tensors to KerasHub's variables and their places in `model.weights.h5`.

H hidden, A heads, D head width. KerasHub keeps the attention's kernels split by heads, `[H, A, D]` and `[A, D, H]`.
"""

import dataclasses
import logging
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from bert_keras.errors import InputError

# `kernel`: [in, out…], `joined`: [in…, out]; both are [out, in] at Hugging Face's. `vector`: any shape, flat there.
Kind = Literal["table", "vector", "kernel", "joined"]


@dataclasses.dataclass(frozen=True)
class Row:
    """One tensor of Hugging Face's and the variable of KerasHub's that holds it.

    Args:
        name: Hugging Face's name, the family's prefix left out; empty where Hugging Face's model has no such part.
        file: the place in the weights file, without the `layers/` that all begin with.
        variable: the path of the variable in KerasHub's model.
        kind: how the two shapes differ.
        front: rows of zeros that Hugging Face's table has before KerasHub's first row.
        folded: Hugging Face's name of a table with one row, which KerasHub's table has added to each of its own.
    """

    name: str
    file: str
    variable: str
    kind: Kind = "table"
    front: int = 0
    folded: str = ""


def to_hugging_face(value: np.ndarray, row: Row) -> np.ndarray:
    """KerasHub's array as Hugging Face's tensor.

    Args:
        value: of the shape of KerasHub's variable.
        row: its row.
    """
    if row.kind == "vector":
        return value.reshape(-1)
    if row.kind == "kernel":
        return value.reshape(value.shape[0], -1).T
    if row.kind == "joined":
        return value.reshape(-1, value.shape[-1]).T
    return np.pad(value, ((row.front, 0), (0, 0)))


def shape_in_hugging_face(shape: tuple[int, ...], row: Row) -> tuple[int, ...]:
    """The shape that `to_hugging_face` gives an array of a shape."""
    if row.kind == "table":
        return (shape[0] + row.front, *shape[1:])
    # An array of one element seen as many; nothing of that size is made.
    return to_hugging_face(np.broadcast_to(np.float32(0), shape), row).shape


def to_keras_hub(tensor: np.ndarray, shape: tuple[int, ...], row: Row) -> np.ndarray | None:
    """Hugging Face's tensor as KerasHub's array, or None where the shapes do not fit.

    Args:
        tensor: Hugging Face's.
        shape: of KerasHub's variable.
        row: its row.
    """
    if row.kind == "table":
        tensor = tensor[row.front :]
        return tensor if tensor.shape == shape else None
    if row.kind == "vector":
        return tensor.reshape(shape) if tensor.shape == (int(np.prod(shape)),) else None
    inputs = 1 if row.kind == "kernel" else len(shape) - 1
    matrix = (int(np.prod(shape[inputs:])), int(np.prod(shape[:inputs])))
    return tensor.T.reshape(shape) if tensor.shape == matrix else None


@dataclasses.dataclass(frozen=True)
class Head:
    """A task of KerasHub's that Hugging Face has too.

    Args:
        task: the end of KerasHub's class, after the family's name.
        rows: those of `task.weights.h5`.
        dropout: Hugging Face's name of the head's dropout; empty where it has none of its own.
    """

    task: str
    rows: tuple[Row, ...]
    dropout: str = ""


@dataclasses.dataclass(frozen=True)
class Family:
    """What ties a backbone of KerasHub's to a family of Hugging Face's.

    Args:
        model_type: Hugging Face's.
        name: what the classes of KerasHub begin with.
        architecture: what the classes of Hugging Face begin with.
        prefix: of the encoder's tensors in a model with a head.
        pad_token_id: of the family's published vocabularies.
        hugging_face_config: the config of a backbone and the id of the padding token -> values of config.json.
        keras_hub_config: values of config.json -> the config of a backbone; refuses what KerasHub cannot represent.
        rows: values of config.json -> the table of the encoder.
        heads: the end of Hugging Face's class, after the family's name -> the head.
        optional: parts that Hugging Face's files may lack; first parts of the variables' paths.
        embedder: whether there is a TextEmbedder, for sentence-similarity.
    """

    model_type: str
    name: str
    architecture: str
    prefix: str
    pad_token_id: int
    hugging_face_config: Callable[[Mapping[str, Any], int], dict[str, Any]]
    keras_hub_config: Callable[[Mapping[str, Any]], dict[str, Any]]
    rows: Callable[[Mapping[str, Any]], list[Row]]
    heads: Mapping[str, Head] = dataclasses.field(default_factory=dict)
    optional: tuple[str, ...] = ()
    embedder: bool = False


def numbered(name: str, index: int) -> str:
    """The name that Keras gives the layer of a class in a weights file: `dense`, `dense_1`, …"""
    return f"{name}_{index}" if index else name


def dense(name: str, file: str, variable: str, kind: Kind = "kernel") -> list[Row]:
    """The rows of a layer with kernel and bias."""
    return [
        Row(f"{name}.weight", f"{file}/vars/0", f"{variable}/kernel", kind),
        Row(f"{name}.bias", f"{file}/vars/1", f"{variable}/bias", "vector"),
    ]


def layer_norm(name: str, file: str, variable: str) -> list[Row]:
    """The rows of a LayerNorm."""
    return [
        Row(f"{name}.weight", f"{file}/vars/0", f"{variable}/gamma", "vector"),
        Row(f"{name}.bias", f"{file}/vars/1", f"{variable}/beta", "vector"),
    ]


@dataclasses.dataclass(frozen=True)
class BlockNames:
    """Hugging Face's names of a block's parts, without the block's own."""

    query: str = "attention.self.query"
    key: str = "attention.self.key"
    value: str = "attention.self.value"
    attention_output: str = "attention.output.dense"
    attention_norm: str = "attention.output.LayerNorm"
    intermediate: str = "intermediate.dense"
    output: str = "output.dense"
    output_norm: str = "output.LayerNorm"


def block(name: str, file: str, variable: str, names: BlockNames) -> list[Row]:
    """The rows of a block: KerasHub's TransformerEncoder and DeBERTa's encoder name their parts alike."""
    attention = (f"{file}/_self_attention_layer", f"{variable}/self_attention_layer")
    table = []
    for part in ("query", "key", "value"):
        table += dense(f"{name}.{getattr(names, part)}", f"{attention[0]}/{part}_dense", f"{attention[1]}/{part}")
    attention_output = (f"{attention[0]}/output_dense", f"{attention[1]}/attention_output")
    return [
        *table,
        *dense(f"{name}.{names.attention_output}", *attention_output, kind="joined"),
        *layer_norm(f"{name}.{names.attention_norm}", *_part(file, variable, "self_attention_layer_norm")),
        *dense(f"{name}.{names.intermediate}", *_part(file, variable, "feedforward_intermediate_dense")),
        *dense(f"{name}.{names.output}", *_part(file, variable, "feedforward_output_dense")),
        *layer_norm(f"{name}.{names.output_norm}", *_part(file, variable, "feedforward_layer_norm")),
    ]


def blocks(count: int, name: str, names: BlockNames, file: str, variable: str) -> list[Row]:
    """The rows of the blocks that stack: `name.0`, `name.1`, … at Hugging Face's.

    Args:
        count: how many blocks.
        name: what Hugging Face's names begin with, without the number.
        names: the parts of each.
        file: the class in the weights file.
        variable: the layer's name in KerasHub's model, without the number.
    """
    rows = []
    for i in range(count):
        rows += block(f"{name}.{i}", numbered(file, i), f"{variable}_{i}", names)
    return rows


_log = logging.getLogger("bert_keras")

# Hugging Face's other names of activations.
_SAME: dict[Any, Any] = {"gelu_pytorch_tanh": "gelu_new", "gelu_python": "gelu"}


def demand(values: Mapping[str, Any], backbone: str, **wanted: Any) -> None:
    """Refuse a model that KerasHub's backbone would compute otherwise; warn of the other form of GELU, which is near.

    Args:
        values: those of config.json; a key that is missing is taken for right.
        backbone: KerasHub's class, for the message.
        **wanted: key -> the only value that the backbone has.

    Raises:
        InputError: a value differs.
    """
    for key, value in wanted.items():
        found = _SAME.get(values.get(key, value), values.get(key, value))
        if found == value:
            continue
        message = f"KerasHub's {backbone} always has {key} = {value!r}; this model has {found!r}"
        if {found, value} != {"gelu", "gelu_new"}:
            raise InputError(message)
        _log.warning("%s, up to 4.73e-4 away in each value", message)


def _part(file: str, variable: str, part: str) -> tuple[str, str]:
    return f"{file}/_{part}", f"{variable}/{part}"
