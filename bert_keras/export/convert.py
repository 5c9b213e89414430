"""From Keras variables to a float32 .tflite file.

The converter gets the graph with its matrices and tables as *inputs*, and they are put into the file afterwards. So it
cannot fold LayerNorm's gamma and beta into the next product (which makes int8 per channel coarser), and it holds no
weights: its memory, ten times the file otherwise, stays the same for every size of model.
"""

import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from bert_keras.config import EncoderConfig
from bert_keras.export import model_file
from bert_keras.export.quiet import quiet_tensorflow
from bert_keras.lean.graph import lean_graph
from bert_keras.lean.head import LeanHead
from bert_keras.lean.variables import Arrays
from bert_keras.lean.weights import graph_weights


def float_model(
    variables: dict[str, Any], config: EncoderConfig, head: LeanHead, max_length: int, inputs: Sequence[str]
) -> Any:
    """The model as a flatbuffer tree with float32 weights.

    Args:
        variables: path of a Keras variable -> variable or array.
        config: of the encoder.
        head: of the task.
        max_length: longer texts are cut.
        inputs: the names of the file's inputs, as `lean_graph` takes them.
    """
    weights = graph_weights(variables, config, head)
    # Biases are small and stay: the converter makes them part of the product.
    late = {name: value for name, value in weights.items() if not name.endswith("_bias")}
    content = _convert(lambda known: lean_graph(known, config, head, max_length), weights, late, inputs)
    model = model_file.unpack(content)
    model_file.bind(model, late)
    model_file.put_inputs_first(model, inputs)
    model_file.look_up_embeddings(model)
    return model


def _convert(
    graph: Callable[[dict[str, Any]], Callable], weights: Arrays, late: Arrays, inputs: Sequence[str]
) -> bytes:
    import tensorflow as tf

    def forward(**given: Any) -> dict[str, Any]:
        known = {name: given[name] if name in late else tf.constant(value) for name, value in weights.items()}
        return graph(known)(**{name: given[name] for name in inputs})

    specs = {name: tf.TensorSpec((1, None), tf.int32, name=name) for name in inputs}
    specs |= {name: tf.TensorSpec(value.shape, tf.float32, name=name) for name, value in late.items()}
    function = tf.function(forward, autograph=False).get_concrete_function(**specs)
    with tempfile.TemporaryDirectory() as folder, quiet_tensorflow():
        tf.saved_model.save(tf.Module(), folder, signatures={"serving_default": function})
        converter = tf.lite.TFLiteConverter.from_saved_model(folder, signature_keys=["serving_default"])
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS]
        return converter.convert()
