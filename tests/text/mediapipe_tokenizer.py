"""What MediaPipe's BertTokenizer does to a text: it lower-cases ASCII alone, and cleans nothing."""

from text.reference_tokenizer import _wordpiece, is_cjk, is_punctuation

# Counted in bytes of UTF-8.
_MAX_BYTES = 100


def pieces(text: str, vocabulary: list[str]) -> list[str]:
    """Return the pieces that MediaPipe gives a model."""
    known = set(vocabulary)
    found = []
    for word in _words(text):
        is_long = len(word.encode()) > _MAX_BYTES
        found += ["[UNK]"] if is_long else _wordpiece(word, known, max_characters=_MAX_BYTES)
    return found


def _words(text: str) -> list[str]:
    # Its C interface ends a text at NUL.
    text = text.split("\0")[0]
    spaced = ""
    for char in text:
        if char.isascii():
            char = char.lower()
        spaced += f"\n{char}\n" if is_punctuation(char) or is_cjk(char) else char
    words = [""]
    for char in spaced:
        if char in " \t\n\r\f":
            words.append("")
        else:
            words[-1] += char
    return [word for word in words if word]
