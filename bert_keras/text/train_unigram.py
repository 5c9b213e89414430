"""Makes unigram vocabularies from text, the same from the same text every time."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Sequence

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text.surrogates import without_surrogates
from bert_keras.text.train import repeated
from bert_keras.text.unigram_rules import Rules
from bert_keras.text.words import check_string

# As in SentencePiece: so much of the text is kept, the rarest characters are left out.
_COVERAGE = 0.9995

# What the library is asked for, as shares of the pieces that there is room for, until it gives enough.
_SHARES = (1, 1.1, 1.25, 1.5, 2, 4)

# Longer words are cut: where no space is written, a word is a whole paragraph.
_MAX_LENGTH = 1000

# By how much the library raises the score of one rare character after the other.
_STEP = 1e-4


def train_unigram(
    texts: Iterable[str], vocabulary_size: int, rules: Rules, first: Sequence[str], last: Sequence[str]
) -> list[tuple[str, float]]:
    """Return a vocabulary: special tokens, then pieces from the most probable on.

    The rarest characters, 0.05 % of the text, are left out, and so are those for which the vocabulary has no room:
    they will be unknown. Words with such characters, and words that hold a special token, are passed over.

    Source: Kudo 2018, Subword Regularization, as the `tokenizers` library does it.

    Args:
        texts: any iterable of strings; it is read once.
        vocabulary_size: how many pieces to make, special tokens included.
        rules: how the texts are changed and split.
        first: special tokens that the vocabulary begins with.
        last: special tokens that it ends with.

    Raises:
        InputError: a text is not a string, the size leaves no room for pieces, or the texts give fewer pieces.
    """
    special = [*first, *last]
    room = vocabulary_size - len(special)
    if room < 2:
        raise InputError(f"vocabulary_size {vocabulary_size} leaves no room for pieces: give at least 7")
    words = _without_rare_characters(_count_words(texts, rules), room)
    words = Counter({word: n for word, n in words.items() if not any(token in word for token in special)})
    if not words:
        raise InputError("the texts hold no words to make a vocabulary from")
    pieces = _enough_pieces(words, room)
    if len(pieces) < room:
        most = len(pieces) + len(special)
        raise InputError(
            f"the texts give only {most} pieces, fewer than vocabulary_size {vocabulary_size}: "
            f"give more text or a vocabulary_size of at most {most}"
        )
    return [(token, 0.0) for token in first] + pieces + [(token, 0.0) for token in last]


def _count_words(texts: Iterable[str], rules: Rules) -> Counter[str]:
    splitter = tokenizers.Tokenizer(tokenizers.models.Unigram())
    rules.apply(splitter)
    words: Counter[str] = Counter()
    for index, text in enumerate(texts):
        check_string(text, f"texts[{index}]")
        changed = without_surrogates(text)
        if splitter.normalizer is not None:
            changed = splitter.normalizer.normalize_str(changed)
        for word, _ in splitter.pre_tokenizer.pre_tokenize_str(changed):
            words.update(word[begin : begin + _MAX_LENGTH] for begin in range(0, len(word), _MAX_LENGTH))
    return words


def _without_rare_characters(words: Counter[str], room: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            counts[character] += count
    by_count = sorted(counts, key=lambda character: (-counts[character], character))
    enough = _COVERAGE * counts.total()
    before = itertools.accumulate((counts[character] for character in by_count), initial=0)
    kept = {character for character, covered in zip(by_count[:room], before, strict=False) if covered < enough}
    return Counter({word: count for word, count in words.items() if kept.issuperset(word)})


def _enough_pieces(words: Counter[str], room: int) -> list[tuple[str, float]]:
    """Return as many pieces as there is room for, or else the most that the library gives."""
    most: list[tuple[str, float]] = []
    # It often gives fewer pieces than it is asked for, although there are more.
    for share in _SHARES:
        pieces = _in_fixed_order(_train(words, int(room * share)))
        if len(pieces) >= room:
            return _best(pieces, room)
        most = max(most, pieces, key=len)
    return most


def _best(pieces: list[tuple[str, float]], room: int) -> list[tuple[str, float]]:
    """Return all characters, and the most probable of the longer pieces."""
    characters = sum(len(piece) == 1 for piece, _ in pieces)
    longer = [piece for piece, _ in pieces if len(piece) > 1]
    dropped = set(longer[room - characters :])
    return [(piece, score) for piece, score in pieces if piece not in dropped]


def _train(words: Counter[str], room: int) -> list[tuple[str, float]]:
    # No word holds a space, so the piece that the library asks for stays apart.
    unknown = " "
    trainer = tokenizers.trainers.UnigramTrainer(
        vocab_size=room + 1, special_tokens=[unknown], unk_token=unknown, show_progress=False
    )
    trained = tokenizers.Tokenizer(tokenizers.models.Unigram())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    trained.train_from_iterator(repeated(words), trainer)
    return [(piece, score) for piece, score in json.loads(trained.to_str())["model"]["vocab"] if piece != unknown]


def _in_fixed_order(pieces: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return pieces by score, freed of what the random order of the library's hash maps did to them.

    It gives characters that did not become pieces the lowest score and each a step more than the one before, in random
    order: here they follow the code points. Sums in random order differ in their last digits, which are dropped.
    """
    characters = sorted(piece for piece, _ in pieces if len(piece) == 1)
    scores = dict(pieces)
    lowest = min(scores.values())
    highest = lowest + (len(characters) - 0.5) * _STEP
    rare = [character for character in characters if scores[character] < highest]
    scores.update({character: lowest + step * _STEP for step, character in enumerate(reversed(rare))})
    rounded = [(piece, round(score, 6)) for piece, score in scores.items()]
    return sorted(rounded, key=lambda piece: (-piece[1], piece[0]))
