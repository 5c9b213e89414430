"""What is exported: a model and the tokenizer that belongs to it, checked before any work."""

import os

import keras

from bert_keras.encoder import config_of
from bert_keras.errors import InputError, refuse_not_finite
from bert_keras.pretrained import load
from bert_keras.tasks import usual_length
from bert_keras.text import Tokenizer


def opened(
    model_or_folder: keras.Model | str | os.PathLike, tokenizer: Tokenizer | None
) -> tuple[keras.Model, Tokenizer]:
    """The model to export and its tokenizer.

    Args:
        model_or_folder: a model that a task made, or a source of `bert_keras.load`.
        tokenizer: the model's; a folder has its own.

    Raises:
        InputError: as `bert_keras.load`; or a model in memory has no tokenizer, or one of more pieces than its token
            table has rows.
    """
    if isinstance(model_or_folder, str | os.PathLike):
        model, own = load(model_or_folder)
        tokenizer = tokenizer or own
    elif tokenizer is None:
        raise InputError("a model in memory needs its tokenizer, which goes into the file: pass tokenizer=")
    else:
        model = model_or_folder
    pieces, rows = len(tokenizer.vocabulary), config_of(model).vocab_size
    if pieces > rows:
        raise InputError(
            f"the tokenizer has {pieces} pieces, the model's token table {rows} rows: pass the tokenizer that belongs "
            "to the model"
        )
    return model, tokenizer


def checked_length(model: keras.Model, tokenizer: Tokenizer, max_length: int | None) -> int:
    """The most tokens that are read of a text, what is usual for the model where no number is given.

    Args:
        model: a model that a task made.
        tokenizer: the model's.
        max_length: what the user asked for.

    Raises:
        InputError: it is over the longest, or a pair of texts does not fit into it.
    """
    longest = config_of(model).max_length
    if max_length is None:
        return usual_length(model)
    shortest = 4 + tokenizer.separators  # a pair: [CLS] a [SEP] b [SEP]
    if not shortest <= max_length <= longest:
        raise InputError(f"max_length is {max_length}; this model takes {shortest} to {longest}")
    return max_length


def check_weights(model: keras.Model) -> None:
    """Refuse a model whose training diverged.

    Args:
        model: a model that a task made.

    Raises:
        InputError: a weight holds NaN or infinity; the message names it.
    """
    for variable in model.weights:
        refuse_not_finite(variable.numpy(), f"the weight {variable.path}")
