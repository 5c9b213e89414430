"""Edits of a flatbuffer."""

import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter

from bert_keras.export import model_file


def tree(weight):
    """A model of one product, `y = x · weightᵀ`, whose weight is an input and whose tensors stand in odd order."""
    model = schema.ModelT()
    model.version = 3
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.FULLY_CONNECTED
    code.version = 1
    model.operatorCodes = [code]
    model.buffers = [schema.BufferT()]
    graph = schema.SubGraphT()
    graph.tensors = []
    for name, shape in [("y", [1, 2]), ("weight", list(weight.shape)), ("x", [1, 3])]:
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type, tensor.buffer = name.encode(), shape, schema.TensorType.FLOAT32, 0
        graph.tensors.append(tensor)
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [2, 1, -1], [0]
    operator.builtinOptionsType = schema.BuiltinOptions.FullyConnectedOptions
    operator.builtinOptions = schema.FullyConnectedOptionsT()
    graph.operators, graph.inputs, graph.outputs = [operator], [1, 2], [0]
    model.subgraphs = [graph]
    signature = schema.SignatureDefT()
    signature.signatureKey, signature.subgraphIndex = b"serving_default", 0
    signature.inputs, signature.outputs = [entry("weight", 1), entry("x", 2)], [entry("y", 0)]
    model.signatureDefs = [signature]
    return model


def entry(name, index):
    made = schema.TensorMapT()
    made.name, made.tensorIndex = name.encode(), index
    return made


WEIGHT = np.arange(6, dtype=np.float32).reshape(2, 3)
X = np.array([[1, 10, 100]], np.float32)


def run(content):
    return Interpreter(model_content=bytes(content)).get_signature_runner("serving_default")(x=X)["y"]


def test_a_bound_input_is_a_constant():
    model = tree(WEIGHT)
    model_file.bind(model, {"weight": WEIGHT})
    assert model_file.tensor_names(model) == (["x"], ["y"])
    np.testing.assert_array_equal(run(model_file.pack(model)), X @ WEIGHT.T)


# MediaPipe takes the tensors 0, 1, 2 for the inputs.
def test_inputs_are_the_first_tensors():
    model = tree(WEIGHT)
    model_file.bind(model, {"weight": WEIGHT})
    model_file.put_inputs_first(model, ["x"])
    model = model_file.unpack(model_file.pack(model))
    assert [tensor.name for tensor in model.subgraphs[0].tensors] == [b"x", b"y", b"weight"]
    assert list(model.subgraphs[0].inputs) == [0]
    np.testing.assert_array_equal(run(model_file.pack(model)), X @ WEIGHT.T)


# ai-edge-quantizer keeps large constants behind the flatbuffer, where packing it again would lose them.
def test_constants_behind_the_flatbuffer_are_kept():
    model = tree(WEIGHT)
    model_file.bind(model, {"weight": WEIGHT})
    buffer = model.buffers[-1]
    constant, buffer.data = bytes(buffer.data), None
    buffer.offset, buffer.size = 1, len(constant)  # a first pack tells where the end is
    buffer.offset = len(model_file.pack(model))
    content = bytes(model_file.pack(model)) + constant
    assert len(content) == buffer.offset + len(constant)
    again = model_file.pack(model_file.unpack(content))
    np.testing.assert_array_equal(run(again), X @ WEIGHT.T)


def test_operators_are_counted_and_foreign_ones_named():
    model = tree(WEIGHT)
    custom = schema.OperatorCodeT()
    custom.builtinCode = custom.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    custom.customCode = b"FlexErf"
    model.operatorCodes.append(custom)
    foreign = schema.OperatorT()
    foreign.opcodeIndex = 1
    model.subgraphs[0].operators.append(foreign)
    assert model_file.operators(model) == {"CUSTOM:FlexErf": 1, "FULLY_CONNECTED": 1}


def test_a_constant_of_another_shape_is_a_fault():
    with pytest.raises(AssertionError):
        model_file.bind(tree(WEIGHT), {"weight": WEIGHT.T})
