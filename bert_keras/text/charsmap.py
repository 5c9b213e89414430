"""Checks SentencePiece's compiled rules about characters, as the library that follows them does not.

They are a trie (four bytes with its size, then units of four bytes: the double array of darts-clone), and behind it the
texts that it leads to, each ended by a zero byte.

Source: google/sentencepiece, src/normalizer.cc; s-yata/darts-clone, include/darts.h.
"""

import numpy as np

# The trie steps over one byte, so that a valid one has room for any byte wherever a step may lead.
_BLOCK = 256


def is_charsmap(content: bytes) -> bool:
    """Tell whether every step that compiled rules can lead to stays inside of them."""
    size = int.from_bytes(content[:4], "little")
    texts = np.frombuffer(content, np.uint8)[4 + size :]
    if len(content) < 4 + size or size == 0 or size % (4 * _BLOCK) or not _is_text(texts):
        return False
    units = np.frombuffer(content, "<u4", count=size // 4, offset=4)
    is_leaf = units >> 31 == 1
    places = units[is_leaf] & 0x7FFFFFFF
    nodes = units[~is_leaf]
    offsets = (nodes >> 10) << ((nodes & 0x200) >> 6)
    steps = np.flatnonzero(~is_leaf).astype(np.uint32) ^ offsets
    # A text begins at a character, not amid its bytes.
    return bool(np.all(steps < len(units)) and np.all(places < len(texts)) and np.all(texts[places] & 0xC0 != 0x80))


def _is_text(texts: np.ndarray) -> bool:
    try:
        texts.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return len(texts) > 0 and texts[-1] == 0
