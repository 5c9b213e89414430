"""From text to the arrays that models take."""

from bert_keras.text.byte_level_bpe import ByteLevelBpeTokenizer
from bert_keras.text.cleaning import clean
from bert_keras.text.tokenizer import Tokenizer
from bert_keras.text.unigram import UnigramTokenizer
from bert_keras.text.wordpiece import WordPieceTokenizer

__all__ = ["ByteLevelBpeTokenizer", "Tokenizer", "UnigramTokenizer", "WordPieceTokenizer", "clean"]
