"""A tiny model that learns a small file by heart."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import keras
import small_data

import bert_keras as bk
from bert_keras.export import ModelPredictor

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizer_of(*files: Path) -> bk.Tokenizer:
    """A tokenizer that knows each word of some files."""
    text = " ".join(file.read_text(encoding="utf-8").lower() for file in files)
    return bk.Tokenizer.from_vocabulary([*SPECIAL, *sorted(set(re.findall(r"[a-z]+|[^\sa-z]", text)))])


def new_encoder(vocabulary: Sequence[str], positions: int, width=16, layers=1, heads=2) -> keras.Model:
    """An encoder without dropout, whose weights are large enough to learn in a few steps."""
    keras.utils.set_random_seed(0)
    config = bk.EncoderConfig(
        vocab_size=len(vocabulary),
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=2 * width,
        max_position_embeddings=positions,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
    )
    return bk.encoder(config)


def new_model(task: str, tokenizer: bk.Tokenizer, *arguments, positions: int = 48, **options) -> keras.Model:
    """A model of one layer."""
    return bk.tasks.TASKS[task](new_encoder(tokenizer.vocabulary, positions), *arguments, **options)


def learn(model: keras.Model, tokenizer: bk.Tokenizer, source, epochs: int, max_length: int | None = None) -> None:
    """Fit the model on a file, in large steps."""
    train = bk.data.read(source, tokenizer, model, batch_size=64, max_length=max_length)
    model.compile(**bk.training.recipe(model, learning_rate=1e-2, weight_decay=0.0))
    model.fit(train, epochs=epochs, shuffle=False, verbose=0)


def learned(task: str, folder: Path, name: str, load: Callable, epochs: int, labels=()) -> tuple:
    """A model that has learned one of the small files, which is written into a folder.

    Args:
        load: gives the examples of a file.
        labels: those of a task whose classes the data name.

    Returns:
        The model, its tokenizer, and the examples.
    """
    file = small_data.write(folder) / name
    examples, tokenizer = load(file), tokenizer_of(file)
    model = new_model(task, tokenizer, *([labels] if labels else []))
    learn(model, tokenizer, examples, epochs)
    return model, tokenizer, examples


def answers_to(model: keras.Model, tokenizer: bk.Tokenizer, examples, **settings) -> list[dict]:
    """What a user gets."""
    return ModelPredictor(model, tokenizer, **settings)(examples.texts, examples.pairs)
