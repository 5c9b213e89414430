"""Tiny models with a tokenizer, from raw text to answers."""

import keras
from tiny import randomize

from bert_keras.config import EncoderConfig
from bert_keras.encoder import encoder
from bert_keras.tasks import TASKS
from bert_keras.text import WordPieceTokenizer

LETTERS = "abcdefghijklmnopqrstuvwxyzéσς東京"
VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "film", "##s", "##ing", "was", "good", "bad", "un", "##aff"),
    *(".", ",", "!", "$", "[", "]", "mask", "##able"),
    *LETTERS,
    *(f"##{letter}" for letter in LETTERS),
]
MAX_LENGTH = 24


def tokenizer(**options) -> WordPieceTokenizer:
    return WordPieceTokenizer(VOCABULARY, max_characters_per_word=100, **options)


def model(task="text-classification", seed=0, segments=True, **options) -> keras.Model:
    config = EncoderConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=MAX_LENGTH,
        type_vocab_size=2 if segments else 0,
    )
    if TASKS[task].has_labels:
        options.setdefault("labels", ["negative", "positive"])
    made = TASKS[task](encoder(config), **options)
    randomize(made, seed)
    return made
