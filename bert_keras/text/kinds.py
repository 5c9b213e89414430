"""The kinds of tokenizers, by the names that `Tokenizer.train` takes."""

from bert_keras.text.byte_level_bpe import ByteLevelBpeTokenizer
from bert_keras.text.tokenizer import Tokenizer
from bert_keras.text.unigram import UnigramTokenizer
from bert_keras.text.wordpiece import WordPieceTokenizer

KINDS: dict[str, type[Tokenizer]] = {
    "wordpiece": WordPieceTokenizer,
    "byte-level-bpe": ByteLevelBpeTokenizer,
    "unigram": UnigramTokenizer,
}
