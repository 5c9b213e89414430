"""Finds the mask tokens that stand in a text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# White space as Unicode has it; `str.rstrip()` would take the separators U+001C to U+001F too.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


class Part(NamedTuple):
    """A part of a text, `text[start:end]`: a mask token, or what stands between two."""

    start: int
    end: int
    is_mask: bool


def mask_parts(text: str, mask: str, takes_space: bool) -> Iterator[Part]:
    """Yield the parts of a text in their order; there are no empty ones.

    Args:
        text: any text.
        mask: the mask token.
        takes_space: the white space on the left of a mask is in no part, as RoBERTa's files say.
    """
    begin = 0
    for found in re.finditer(re.escape(mask), text):
        before = text[begin : found.start()]
        end = begin + len(before.rstrip(_SPACE)) if takes_space else found.start()
        if end > begin:
            yield Part(begin, end, False)
        yield Part(found.start(), found.end(), True)
        begin = found.end()
    if begin < len(text):
        yield Part(begin, len(text), False)
