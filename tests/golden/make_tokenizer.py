"""Makes tokenizer.json: ids that transformers' AutoTokenizer gives for folders that our tokenizer saved.

Run with transformers installed (`pip install ".[bench]"`): python tests/golden/make_tokenizer.py
"""

import json
import tempfile
from pathlib import Path

import transformers

from bert_keras.text import Tokenizer

HERE = Path(__file__).parent

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = list("abcdefghijklmnopqrstuvwxyz0123456789éäüßαβσя東京かカ한\u1112\u1161\u11ab")
MARKS = list("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~—…“”、。€")
UNCASED = [
    "the",
    "film",
    "is",
    "good",
    "great",
    "not",
    "café",
    "cafe",
    "naïve",
    "naive",
    "##ing",
    "##ed",
    "don",
    "word",
]
CASED = [*UNCASED, "The", "Film", "Café"]
SHARED = [*SPECIALS, *LETTERS, *(f"##{letter}" for letter in LETTERS), *MARKS]

TOKENIZERS = {
    "uncased": {"vocabulary": [*SHARED, *UNCASED], "lowercase": True},
    "uncased, 100 characters": {
        "vocabulary": [*SHARED, *UNCASED],
        "lowercase": True,
        "max_characters_per_word": 100,
    },
    "uncased with accents": {
        "vocabulary": [*SHARED, *UNCASED],
        "lowercase": True,
        "strip_accents": False,
    },
    "cased": {"vocabulary": [*SHARED, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *CASED], "lowercase": False},
    "odd lines": {"vocabulary": [*SHARED, "", "the", "\u2028", "a", " b", "film\u0085", ""], "lowercase": True},
}

PAIRS = [
    ("The film is good!", "A great film."),
    ("Café naïve", "cafe naive"),
    ("cafe\u0301 a\u0308", "É"),
    ("don't stop; it's (very) good...", "[x] <y> {z} $5+3=8"),
    ("東京film ひらがな カ 한", "日本"),
    ("", "word"),
    ("word", " "),  # not "", which transformers takes for no pair
    (" \t\n ", "\u200b"),
    ("one\nline\ttwo\u00a0three\u3000four", "a\u0085b a\u200bb"),
    ("ab" * 50, "ab" * 50 + "a"),
    ("ab" * 100, "ab" * 100 + "a"),
    ("😀good 😀 good", "Straße ßß"),
    ("яя αβ", "ÄÜ äü"),
    ("filming filmed filmx", "xfilm the the"),
]


def main() -> None:
    golden = []
    for name, options in TOKENIZERS.items():
        with tempfile.TemporaryDirectory() as folder:
            Tokenizer.from_vocabulary(**options).save(folder)
            theirs = transformers.AutoTokenizer.from_pretrained(folder)
        rows = [theirs(first, second) for first, second in PAIRS]
        golden.append(
            {
                "name": name,
                "options": options,
                "pairs": PAIRS,
                "token_ids": [row["input_ids"] for row in rows],
                "segment_ids": [row["token_type_ids"] for row in rows],
            }
        )
    lines = ",\n".join(json.dumps(one) for one in golden)
    (HERE / "tokenizer.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
