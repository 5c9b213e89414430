"""Tiny unigram vocabularies: those of tests/golden/unigram and one to add up by hand; texts to train on."""

import json
import shutil
from pathlib import Path

from bert_keras.text import Tokenizer

FOLDER = Path(__file__).parent.parent / "golden" / "unigram"
GOLDEN = json.loads((FOLDER / "golden.json").read_text(encoding="utf-8"))
FAMILIES = list(GOLDEN)
SPECIALS = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]

# Logarithms of probabilities, so that what is most probable can be added up by hand.
PIECES = [
    *((token, 0.0) for token in SPECIALS),
    *(("▁", -2.0), ("▁a", -2.0), ("▁ab", -3.0), ("b", -2.5), ("c", -2.5), ("bc", -3.5), ("a", -3.0)),
    *(('"', -4.0), ("(", -4.0), (">", -5.0), ("<", -5.0), ("p", -5.0), ("d", -5.0), ("é", -5.0), ("A", -5.0)),
    *(("e", -5.0), ("1,", -2.0), ("1", -4.0), (",", -4.0)),
]


TEXTS = [
    "the film was good and the music was great, the films of the director were better than his music",
    "a bad film, a terrible film: nothing is good in this film, nothing was great in those",
    "The Café was nice, the café was naïve, Nothing in The Café is nicer than The Music",
    "good, better, best; great, greater, greatest; bad, worse, worst; nice, nicer, nicest",
    "filming, filmed, playing, played, staying, stayed, directing, directed, acting, acted",
] * 20
SIZE = 60


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    return [piece for piece, _, _, _ in tokenizer.tokenize(text)]


def spans(tokenizer: Tokenizer, text: str) -> list[tuple[str, int, int]]:
    return [(piece, start, end) for piece, _, start, end in tokenizer.tokenize(text)]


def write_json(file: Path, **values) -> None:
    file.write_text(json.dumps(values), encoding="utf-8")


def copy_of(name: str, path: Path) -> Path:
    shutil.copytree(FOLDER / name, path, dirs_exist_ok=True)
    return path
