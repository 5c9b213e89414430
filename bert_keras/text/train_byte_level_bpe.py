"""Makes byte-level BPE vocabularies from text, the same from the same text every time."""

import json
from collections.abc import Iterable, Iterator

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text.surrogates import without_surrogates
from bert_keras.text.words import check_string

# In RoBERTa's order; the mask comes last.
_FIRST_TOKENS = ["<s>", "<pad>", "</s>", "<unk>"]
_MASK = "<mask>"
_BYTES = 256


def train_byte_level_bpe(
    texts: Iterable[str], vocabulary_size: int, add_prefix_space: bool
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return a vocabulary and its merges: special tokens, the 256 bytes, pieces by merge order, the mask token.

    Pairs of pieces are merged by how often they occur.

    Source: Sennrich et al. 2016; Radford et al. 2019.

    Args:
        texts: any iterable of strings; it is read once.
        vocabulary_size: how many pieces to make, special tokens included.
        add_prefix_space: begin every text with a space.

    Raises:
        InputError: a text is not a string, the size leaves no room for pieces, or the texts give fewer pieces.
    """
    least = len(_FIRST_TOKENS) + _BYTES + 1
    if vocabulary_size < least:
        raise InputError(f"vocabulary_size {vocabulary_size} leaves no room for the 256 bytes: give at least {least}")
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=vocabulary_size - 1,
        special_tokens=_FIRST_TOKENS,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    trained.train_from_iterator(_checked(texts), trainer)
    model = json.loads(trained.to_str())["model"]
    vocabulary = [*sorted(model["vocab"], key=model["vocab"].__getitem__), _MASK]
    if len(vocabulary) < vocabulary_size:
        raise InputError(
            f"the texts give only {len(vocabulary)} pieces, fewer than vocabulary_size {vocabulary_size}: "
            f"give more text or a vocabulary_size of at most {len(vocabulary)}"
        )
    return vocabulary, [tuple(merge) for merge in model["merges"]]


def _checked(texts: Iterable[str]) -> Iterator[str]:
    for index, text in enumerate(texts):
        check_string(text, f"texts[{index}]")
        yield without_surrogates(text)
