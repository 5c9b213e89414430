"""From text to the arrays that models take."""

from bert_keras.text.cleaning import clean
from bert_keras.text.tokenizer import Tokenizer

__all__ = ["Tokenizer", "clean"]
