"""A tiny tokenizer of each kind, and of each of unigram's families."""

import functools

from text.awkward import STRINGS
from text.unigram_golden import FOLDER

from bert_keras.text import Tokenizer, WordPieceTokenizer

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
KINDS = ["wordpiece", "byte-level-bpe", "albert", "deberta-v2", "xlm-roberta"]


def wordpiece(*words: str) -> WordPieceTokenizer:
    """An uncased one that knows these words, and all words of a to z and 0 to 9."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    return WordPieceTokenizer([*SPECIALS, *words, *letters, *(f"##{letter}" for letter in letters), *".,()'-"])


@functools.cache
def tokenizer(kind: str) -> Tokenizer:
    if kind == "wordpiece":
        return wordpiece("the", "film", "##s")
    if kind == "byte-level-bpe":
        return Tokenizer.train(STRINGS * 2, 700, kind=kind)
    return Tokenizer.from_folder(FOLDER / kind)
