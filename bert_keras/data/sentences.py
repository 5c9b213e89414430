"""Sentences of running text, by punctuation and a short list of abbreviations."""

import re

# A sentence ends after . ! ? … and closing quotes or brackets, before a space and something that can begin one.
# Chinese and Japanese stops need no space.
_END = re.compile(
    r"""(?<=[.!?…])["'”’»)\]]*\s+(?=["'“‘«(\[¿¡]*[^\W_a-z]) | (?<=[。！？])[」』”’）]*\s*(?=\S)""", re.VERBOSE
)
_LAST_WORD = re.compile(r"([^\W_][\w.&'’-]*)\.$")
_TITLES_AND_OTHERS = """
    mr mrs ms messrs dr prof rev hon gen col maj capt lt sgt sr st mt ft gov sen rep pres
    vs cf viz e.g i.e al ed eds approx dept est jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k
"""
_BEFORE_NUMBERS = "no nos p pp fig figs ch sec vol vols eq art"
_ABBREVIATIONS = frozenset(_TITLES_AND_OTHERS.split())
_NUMBERED = frozenset(_BEFORE_NUMBERS.split())


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, without the space around them.

    Args:
        text: running text; a text of one sentence gives that sentence.
    """
    sentences: list[str] = []
    begin = 0
    for end in _END.finditer(text):
        if _abbreviated(text[begin : end.start()], text[end.end()]):
            continue
        # The closing quotes in front of the space still belong to the sentence.
        sentences.append(text[begin : end.end()].strip())
        begin = end.end()
    rest = text[begin:].strip()
    return [*sentences, rest] if rest else sentences


def _abbreviated(sentence: str, following: str) -> bool:
    last = _LAST_WORD.search(sentence)
    if last is None:
        return False
    word = last[1].lower()
    # One letter is an initial (J. Smith), except I, which more often ends a sentence.
    initial = len(word) == 1 and word.isalpha() and word != "i"
    return initial or word in _ABBREVIATIONS or (word in _NUMBERED and following.isdecimal())
