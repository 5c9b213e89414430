"""A tokenizer and a model that are small enough to reckon with by hand."""

import functools

import pytest

import bert_keras as bk
from bert_keras.tasks import text_classification

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["good", "bad", "film", "very", "un", "##seen", "##ly"]


@pytest.fixture(scope="session")
def tokenizer():
    """[PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4, good 5, bad 6, film 7, very 8, un 9, ##seen 10, ##ly 11."""
    return bk.Tokenizer.from_vocabulary([*SPECIAL, *WORDS])


CONFIG = bk.EncoderConfig(
    vocab_size=20,
    hidden_size=8,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=16,
    max_position_embeddings=16,
)


@pytest.fixture(scope="session")
def encoder():
    """An encoder with 16 positions and a token table of 20 rows."""
    return bk.encoder(CONFIG)


@pytest.fixture(scope="session")
def classifier(encoder):
    """Give the classifier with given labels."""
    return functools.cache(lambda *labels: text_classification(encoder, labels))
