"""What google-research/bert's tokenization.py says of single characters.

Where Hugging Face's rules differ, Google's are followed: private-use and unassigned characters stay in their word,
U+2B820 to U+2B91F are CJK, and newer punctuation is known as the running Python's `unicodedata` knows it.
"""

import unicodedata

# Longer words are unknown: in the checkpoints that Google released, and in those made with Hugging Face's tokenizers.
GOOGLE_WORD_LIMIT = 200
HUGGING_FACE_WORD_LIMIT = 100

_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def is_whitespace(character: str) -> bool:
    """Tell whether a character separates words: white space that is not a control character, U+2028 and U+2029."""
    if character in " \t\n\r":
        return True
    return unicodedata.category(character) in ("Zs", "Zl", "Zp")


def is_dropped(character: str) -> bool:
    """Tell whether cleaning deletes a character: control and format characters, NUL, U+FFFD."""
    if character in "\t\n\r":
        return False
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf")


def is_punctuation(character: str) -> bool:
    """Tell whether a character is a word by itself: Unicode's P* and every ASCII symbol, such as `$` and `^`."""
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


def is_cjk(character: str) -> bool:
    """Tell whether a character is a CJK ideograph, which is a word by itself; kana and hangul are not."""
    code = ord(character)
    return any(first <= code <= last for first, last in _CJK)


def is_accent(character: str) -> bool:
    """Tell whether stripping accents deletes a character of a decomposed (NFD) text."""
    return unicodedata.category(character) == "Mn"
