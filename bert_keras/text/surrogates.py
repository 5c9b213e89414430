"""Half characters (lone surrogates), which Python's strings can hold and UTF-8 cannot."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """Return a text of the same length with U+FFFD in the place of each lone surrogate."""
    return _SURROGATE.sub("\ufffd", text)
