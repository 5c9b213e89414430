"""Makes WordPiece vocabularies from text, the same from the same text every time."""

from collections import Counter
from collections.abc import Iterable, Iterator

import tokenizers

from bert_keras.errors import InputError
from bert_keras.text.rules import HUGGING_FACE_WORD_LIMIT
from bert_keras.text.vocabulary import SPECIAL_TOKENS
from bert_keras.text.words import WordSplitter, check_string, is_plain

_SPECIAL_TOKENS = list(SPECIAL_TOKENS.values())
_MAX_CHARACTERS = 1000
# How many times one string repeats a word on its way to the trainer.
_REPEATS = 10_000


def train_wordpiece(texts: Iterable[str], vocabulary_size: int, lowercase: bool) -> list[str]:
    """Return a vocabulary: special tokens, characters, characters inside words (`##x`), then pieces by merge order.

    Pairs of pieces are merged by how often they occur. There are at most 1,000 characters, and no more than the
    vocabulary has room for: where the texts hold more, the rarest are left out and will be unknown. Words of more
    than 100 characters are passed over.

    Args:
        texts: any iterable of strings; it is read once.
        vocabulary_size: how many pieces to make, special tokens included.
        lowercase: lower-case the texts and strip accents.

    Raises:
        InputError: a text is not a string, the size leaves no room for pieces, or the texts give fewer pieces.
    """
    room = vocabulary_size - len(_SPECIAL_TOKENS)
    if room < 2:
        raise InputError(f"vocabulary_size {vocabulary_size} leaves no room for pieces: give at least 7")
    words = _count_words(texts, lowercase)
    words = _without_rare_characters(words, room)
    if not words:
        raise InputError("the texts hold no words to make a vocabulary from")
    vocabulary = _merge(words, vocabulary_size)
    if len(vocabulary) < vocabulary_size:
        raise InputError(
            f"the texts give only {len(vocabulary)} pieces, fewer than vocabulary_size {vocabulary_size}: "
            f"give more text or a vocabulary_size of at most {len(vocabulary)}"
        )
    return vocabulary


def _count_words(texts: Iterable[str], lowercase: bool) -> Counter[str]:
    normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lowercase)
    pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    splitter = WordSplitter(lowercase, strip_accents=lowercase)
    words: Counter[str] = Counter()
    for index, text in enumerate(texts):
        check_string(text, f"texts[{index}]")
        if is_plain(text):
            words.update(word for word, _ in pre_tokenizer.pre_tokenize_str(normalizer.normalize_str(text)))
        else:
            words.update(splitter.split(text).joined.split())
    return Counter({word: count for word, count in words.items() if len(word) <= HUGGING_FACE_WORD_LIMIT})


def _without_rare_characters(words: Counter[str], room: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    inner: set[str] = set()
    for word, count in words.items():
        inner.update(word[1:])
        for character in word:
            counts[character] += count
    by_count = sorted(counts, key=lambda character: (-counts[character], character))
    kept: set[str] = set()
    for character in by_count[:_MAX_CHARACTERS]:
        room -= 2 if character in inner else 1
        if room < 0:
            break
        kept.add(character)
    return Counter({word: count for word, count in words.items() if kept.issuperset(word)})


def _merge(words: Counter[str], vocabulary_size: int) -> list[str]:
    characters = sorted({character for word in words for character in word})
    inner = sorted({f"##{character}" for word in words for character in word[1:]})
    # The library numbers the inner characters in the random order of its hash map, and breaks ties by those numbers.
    # Given as special tokens they have their numbers beforehand, and its result is the same every time.
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=vocabulary_size, special_tokens=[*_SPECIAL_TOKENS, *inner], show_progress=False
    )
    trained = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    trained.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    trained.train_from_iterator(repeated(words), trainer)
    ids = trained.get_vocab()
    alphabet = [*_SPECIAL_TOKENS, *characters, *inner]
    return alphabet + sorted(ids.keys() - set(alphabet), key=ids.__getitem__)


def repeated(words: Counter[str]) -> Iterator[str]:
    """Yield each word as often as it was counted."""
    for word, count in words.items():
        for _ in range(count // _REPEATS):
            yield f"{word} " * _REPEATS
        yield f"{word} " * (count % _REPEATS)
