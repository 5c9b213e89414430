"""Edits of a .tflite file's flatbuffer (schema: `ai_edge_litert.schema_py_generated`)."""

from collections.abc import Mapping, Sequence
from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

_OPERATORS = {number: name for name, number in vars(schema.BuiltinOperator).items() if isinstance(number, int)}
# Where the flatbuffer's builder starts: it doubles when it is full, so begin with room for all but the constants.
_ROOM = 1 << 20


def unpack(content: bytes | bytearray | memoryview) -> Any:
    """A file as a tree of Python objects, every constant inside its buffer.

    Writers keep large constants behind the flatbuffer, where a buffer has only their offset and size; packing such a
    tree again would lose them.

    Args:
        content: the whole file.
    """
    model = schema.ModelT.InitFromPackedBuf(content, 0)
    for buffer in model.buffers:
        if buffer.size:
            buffer.data = np.frombuffer(content, np.uint8, buffer.size, buffer.offset)
            buffer.offset = buffer.size = 0
    return model


def pack(model: Any) -> bytearray:
    """The file of a tree that `unpack` made; constants may be arrays of any type.

    Args:
        model: a `ModelT`.
    """
    size = sum(len(buffer.data) for buffer in model.buffers if buffer.data is not None)
    builder = flatbuffers.Builder(size + _ROOM)
    builder.Finish(model.Pack(builder), b"TFL3")
    return builder.Output()


def bind(model: Any, constants: Mapping[str, np.ndarray]) -> None:
    """Turn inputs of the model into constants.

    Args:
        model: a `ModelT`, changed in place.
        constants: name of an input in the signature -> its value, float32 of the input's shape.
    """
    graph, signature = model.subgraphs[0], model.signatureDefs[0]
    left = []
    for entry in signature.inputs:
        name = entry.name.decode()
        if name not in constants:
            left.append(entry)
            continue
        tensor = graph.tensors[entry.tensorIndex]
        value = np.ascontiguousarray(constants[name], dtype=np.float32)
        assert tuple(tensor.shape) == value.shape, (name, tensor.shape, value.shape)
        buffer = schema.BufferT()
        buffer.data = value.reshape(-1).view(np.uint8)
        tensor.buffer = len(model.buffers)
        model.buffers.append(buffer)
    signature.inputs = left
    graph.inputs = [entry.tensorIndex for entry in left]


def put_inputs_first(model: Any, names: Sequence[str]) -> None:
    """Make the inputs the file's first tensors, as the converter does without `bind`.

    MediaPipe resizes the tensors 0, 1 and 2 and takes them for the inputs.

    Args:
        model: a `ModelT`, changed in place.
        names: the signature's names of the inputs, in the order that they shall have.
    """
    graph, signature = model.subgraphs[0], model.signatureDefs[0]
    by_name = {entry.name.decode(): entry.tensorIndex for entry in signature.inputs}
    first = [by_name[name] for name in names]
    order = [*first, *(index for index in range(len(graph.tensors)) if index not in first)]
    # -1 stands for an operator's input that is left out.
    place = {-1: -1} | {old: new for new, old in enumerate(order)}
    graph.tensors = [graph.tensors[index] for index in order]
    graph.inputs = [place[index] for index in first]
    graph.outputs = [place[index] for index in graph.outputs]
    for operator in graph.operators:
        operator.inputs = [place[index] for index in operator.inputs]
        operator.outputs = [place[index] for index in operator.outputs]
    for entry in [*signature.inputs, *signature.outputs]:
        entry.tensorIndex = place[entry.tensorIndex]


def look_up_embeddings(model: Any) -> None:
    """Turn every GATHER of a constant float table's rows into EMBEDDING_LOOKUP, which reads int8 and checks the ids.

    Args:
        model: a `ModelT`, changed in place.
    """
    lookup = schema.OperatorCodeT()
    lookup.builtinCode = lookup.deprecatedBuiltinCode = schema.BuiltinOperator.EMBEDDING_LOOKUP
    lookup.version = 1
    model.operatorCodes.append(lookup)
    graph = model.subgraphs[0]
    for operator in graph.operators:
        if _code(model.operatorCodes[operator.opcodeIndex]) != schema.BuiltinOperator.GATHER:
            continue
        table, ids = operator.inputs
        constant = model.buffers[graph.tensors[table].buffer].data is not None
        if constant and graph.tensors[table].type == schema.TensorType.FLOAT32:
            operator.opcodeIndex = len(model.operatorCodes) - 1
            operator.inputs = [ids, table]
            operator.builtinOptions, operator.builtinOptionsType = None, 0


def operators(model: Any) -> dict[str, int]:
    """How often each operator occurs, by its name; one that is not built in as `CUSTOM:` and its name.

    Args:
        model: a `ModelT`.
    """
    counts: dict[str, int] = {}
    for graph in model.subgraphs:
        for operator in graph.operators:
            name = _name(model.operatorCodes[operator.opcodeIndex])
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def tensor_names(model: Any) -> tuple[list[str], list[str]]:
    """The signature's names of the inputs and of the outputs, each in the order of the file's own tensors.

    Args:
        model: a `ModelT` with one signature.
    """
    graph, signature = model.subgraphs[0], model.signatureDefs[0]

    def names(entries: Any, order: Any) -> list[str]:
        by_tensor = {entry.tensorIndex: entry.name.decode() for entry in entries}
        return [by_tensor[index] for index in order]

    return names(signature.inputs, graph.inputs), names(signature.outputs, graph.outputs)


def _code(operator_code: Any) -> int:
    # Files before 2.4 have the code in a byte of its own; later ones fill both fields.
    return max(operator_code.builtinCode, operator_code.deprecatedBuiltinCode)


def _name(operator_code: Any) -> str:
    if _code(operator_code) == schema.BuiltinOperator.CUSTOM:
        return f"CUSTOM:{operator_code.customCode.decode()}"
    return _OPERATORS[_code(operator_code)]
