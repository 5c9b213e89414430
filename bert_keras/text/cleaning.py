"""The cleaning that makes simpler tokenizers, such as MediaPipe's and tf-text's, agree with BERT's."""

import unicodedata

from bert_keras.text.rules import is_accent, is_dropped, is_whitespace


def clean(text: str, lowercase: bool = True) -> str:
    """Put a text in the form that every WordPiece tokenizer reads alike.

    Control and format characters are deleted, runs of white space become one space; then, if `lowercase`, words are
    lower-cased, decomposed (NFD) and stripped of nonspacing marks. Punctuation and CJK characters are left to the
    tokenizer. BERT's own tokenizer gives the same pieces before and after.

    Source: google-research/bert, tokenization.py (`BasicTokenizer`).

    Args:
        text: any text.
        lowercase: whether the model is uncased.
    """
    kept = (" " if is_whitespace(character) else character for character in text if not is_dropped(character))
    words = "".join(kept).split()
    if lowercase:
        words = [strip_accents(word.lower()) for word in words]
    # A word made of accents alone is empty by now.
    return " ".join(word for word in words if word)


def strip_accents(text: str) -> str:
    """Decompose a text (NFD) and delete its nonspacing marks."""
    return "".join(character for character in unicodedata.normalize("NFD", text) if not is_accent(character))
