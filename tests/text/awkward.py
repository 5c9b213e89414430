"""Awkward strings, chosen and random, without special tokens of any vocabulary but BERT's."""

import random

STRINGS = [
    "a great movie",
    "This film is TERRIBLE, and bad!",
    "I love the caf\xe9 \u2014 na\xefve \xfcber r\xe9sum\xe9",
    "don't stop; it's (very) good...",
    "",
    "   \t\n spaced   out\xa0text\u3000here ",
    "\u4e2d\u6587\u6d4b\u8bd5 \u6a21\u578b",
    "\u65e5\u672c\u8a9e \u3072\u3089\u304c\u306a \u30ab\u30bf\u30ab\u30ca",
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440",
    "\u0130stanbul ISTANBUL \u0131",
    "\ufb01ne ligature \u2460 \xbd",
    "\uff26\uff35\uff2c\uff2c\uff37\uff29\uff24\uff34\uff28 good",
    "emoji \U0001f600 good\U0001f44dbad",
    "zero\u200bwidth\u200djoin soft\xadhyphen",
    "e\u0301 cafe\u0301 u\u0308ber",
    "\u201cquotes\u201d \u2018single\u2019 \u2026 \xab x \xbb \u3001\u3002\uff01",
    "$100 + 5% = x^2 `code` ~a|b <tag>",
    "word " * 60,
    "antidisestablishmentarianism" * 10,
    "x" * 250,
    "[CLS] hello [SEP] [MASK] [UNK]",
    "\xc0\xc9\xce\xd5\xdc \xc7\xd1 \xdf \xc6 \xd8 \u0152 \u0141 \u0110",
    "good\ufffdbad",
    "Stra\xdfe \u1e9e \u017f K \xc5",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u0928\u092e\u0938\u094d\u0924\u0947",
    "\ud55c\uad6d\uc5b4 \uc88b\uc740",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\u0627\u0644\u0639\u064e\u0631\u064e\u0628\u0650\u064a\u064e\u0651\u0629",
    "a\x00b",
    "\u2026---\u2026",
    "line\nbreak\rreturn\u2028sep",
    "A.B.C. U.S.A. e-mail x_y",
    "\U00020000 \U0002a700 good",
    "\u03ac \u0386 \u03aa \u0390",
    "\ufeffbom good",
    "x\u0300\u0316y",
    "a\u202eb",
    "\xa9\xae\u2122 good",
    "word1 123456 7.5",
]

_LETTERS = "abcxyzABCéñİıßẞſΣσςάЙйがカ한ﬁＡａ①½अनि्กำ日東\U00020000😀👍👨"
_OTHERS = (
    "   \t\n\r\u00a0\u3000\u2003\u2028\u0085\u200b\u200d\u00ad\ufeff\ufe0f\x00\ufffd\x0b\x1c\u1680\u180e"
    "\u0300\u0301\u0316\u0345\u0f71\U0001d165\u302e\u2581\u0120"
    "!?.,'-—$+<=>^`|~[]#«»…、。0123456789\ue000\U000effff\ufffe"
)
_WORDS = [
    " the",
    " function",
    "Hello",
    " world",
    "ing",
    "don't",
    " we're",
    "I'll",
    "  ",
    " \n",
    "12 345",
    "< s>",
    "[MASK",
]


def fuzzed(seed: int, count: int) -> list[str]:
    """Return random strings: words, letters of many scripts, marks, white space, controls, any code point."""
    generator = random.Random(seed)
    strings = []
    for _ in range(count):
        parts = [_part(generator) for _ in range(generator.randint(0, 14))]
        strings.append("".join(parts))
    return strings


def _part(generator: random.Random) -> str:
    kind = generator.random()
    if kind < 0.3:
        return generator.choice(_WORDS)
    if kind < 0.6:
        return generator.choice(_LETTERS)
    if kind < 0.95:
        return generator.choice(_OTHERS)
    code = generator.randrange(0x110000 - 0x800)
    return chr(code if code < 0xD800 else code + 0x800)
