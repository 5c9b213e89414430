"""The graph of a phone: one text, its real length, nothing that inference does not need, in operations LiteRT has."""

from bert_keras.lean.graph import lean_graph
from bert_keras.lean.head import LeanHead, lean_probability, lean_text_head, pooled
from bert_keras.lean.operations import activation
from bert_keras.lean.weights import graph_weights

__all__ = ["LeanHead", "activation", "graph_weights", "lean_graph", "lean_probability", "lean_text_head", "pooled"]
