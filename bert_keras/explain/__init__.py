"""What a model looks at, and which words its answer rests on."""

from bert_keras.explain.attention import Attention, attention
from bert_keras.explain.attributions import Attributions, attributions
from bert_keras.explain.page import page
from bert_keras.explain.reading import Word

__all__ = ["Attention", "Attributions", "Word", "attention", "attributions", "page"]
