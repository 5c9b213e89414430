"""BERT's tokenizer in plain Python, slow and literal: google-research/bert's tokenization.py, step by step."""

import unicodedata


def basic_words(text: str, lowercase: bool = True) -> list[str]:
    """Return the words of a text (`BasicTokenizer.tokenize`)."""
    words = []
    for token in _space_out_cjk(_clean(text)).split():
        if lowercase:
            token = _strip_accents(token.lower())
        words += _split_on_punctuation(token)
    # The original joins with spaces and splits again.
    return " ".join(words).split()


def pieces(text: str, vocabulary: list[str], lowercase: bool = True, max_characters: int = 200) -> list[str]:
    """Return the pieces of a text (`FullTokenizer.tokenize`)."""
    known = set(vocabulary)
    return [piece for word in basic_words(text, lowercase) for piece in _wordpiece(word, known, max_characters)]


def ids(text: str, vocabulary: list[str], lowercase: bool = True, max_characters: int = 200) -> list[int]:
    """Return the ids of the pieces of a text; of duplicate pieces the last one counts."""
    numbers = {piece: index for index, piece in enumerate(vocabulary)}
    return [numbers[piece] for piece in pieces(text, vocabulary, lowercase, max_characters)]


def truncate_pair(first: list, second: list, room: int) -> None:
    """Shorten a pair in place (`_truncate_seq_pair` of run_classifier.py)."""
    while len(first) + len(second) > room:
        (first if len(first) > len(second) else second).pop()


def _clean(text: str) -> str:
    output = ""
    for char in text:
        if ord(char) in (0, 0xFFFD) or is_control(char):
            continue
        output += " " if is_whitespace(char) else char
    return output


def is_control(char: str) -> bool:
    if char in ("\t", "\n", "\r"):
        return False
    return unicodedata.category(char) in ("Cc", "Cf")


def is_whitespace(char: str) -> bool:
    return char in (" ", "\t", "\n", "\r") or unicodedata.category(char) == "Zs"


def is_punctuation(char: str) -> bool:
    code = ord(char)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(char).startswith("P")


def is_cjk(char: str) -> bool:
    code = ord(char)
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2A6DF
        or 0x2A700 <= code <= 0x2B73F
        or 0x2B740 <= code <= 0x2B81F
        or 0x2B820 <= code <= 0x2CEAF
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
    )


def _space_out_cjk(text: str) -> str:
    return "".join(f" {char} " if is_cjk(char) else char for char in text)


def _strip_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")


def _split_on_punctuation(token: str) -> list[str]:
    words: list[str] = []
    starts_word = True
    for char in token:
        if is_punctuation(char):
            words.append(char)
            starts_word = True
        elif starts_word:
            words.append(char)
            starts_word = False
        else:
            words[-1] += char
    return words


def _wordpiece(word: str, known: set[str], max_characters: int) -> list[str]:
    if len(word) > max_characters:
        return ["[UNK]"]
    found = []
    start = 0
    while start < len(word):
        ends = range(len(word), start, -1)
        candidates = (("##" if start else "") + word[start:end] for end in ends)
        piece = next((candidate for candidate in candidates if candidate in known), None)
        if piece is None:
            return ["[UNK]"]
        found.append(piece)
        start += len(piece) - (2 if start else 0)
    return found
