"""A tiny model that learns a small file by heart."""

import re
from pathlib import Path

import keras

import bert_keras as bk
from bert_keras.export import ModelPredictor

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizer_of(file: Path) -> bk.Tokenizer:
    """A tokenizer that knows each word of a file."""
    words = sorted(set(re.findall(r"[a-z]+|[^\sa-z]", file.read_text(encoding="utf-8").lower())))
    return bk.Tokenizer.from_vocabulary([*SPECIAL, *words])


def new_model(task: str, tokenizer: bk.Tokenizer, *arguments, positions: int = 48, **options) -> keras.Model:
    """A model of one layer without dropout."""
    keras.utils.set_random_seed(0)
    config = bk.EncoderConfig(
        vocab_size=len(tokenizer.vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
    )
    return bk.tasks.TASKS[task](bk.encoder(config), *arguments, **options)


def learn(model: keras.Model, tokenizer: bk.Tokenizer, source, epochs: int, max_length: int | None = None) -> None:
    """Fit the model on a file, in large steps."""
    train = bk.data.read(source, tokenizer, model, batch_size=64, max_length=max_length)
    model.compile(**bk.training.recipe(model, learning_rate=1e-2, weight_decay=0.0))
    model.fit(train, epochs=epochs, shuffle=False, verbose=0)


def answers_to(model: keras.Model, tokenizer: bk.Tokenizer, examples, **settings) -> list[dict]:
    """What a user gets."""
    return ModelPredictor(model, tokenizer, **settings)(examples.texts, examples.pairs)
