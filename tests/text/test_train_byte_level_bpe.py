"""Training of byte-level BPE: merges counted by hand, and the same result every time."""

import subprocess
import sys

import pytest

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer

TEXTS = ["the cat sat on the mat", "the café, the 日本 of the mat", "don't", "\x00 ", ""] * 3


def train(texts, size, **options) -> Tokenizer:
    return Tokenizer.train(texts, size, kind="byte-level-bpe", **options)


def test_pairs_merge_by_count():
    # Words: ab 1, Ġab 3, Ġcd 2. Pairs: ab 4; then Ġ+ab 3; then cd 2, before Ġ+c, which has the higher numbers.
    tokenizer = train(["ab ab ab ab cd cd"], 265)
    assert tokenizer.merges == [("a", "b"), ("Ġ", "ab"), ("c", "d"), ("Ġ", "cd")]
    assert tokenizer.vocabulary[260:] == ["ab", "Ġab", "cd", "Ġcd", "<mask>"]


def test_special_tokens_are_in_robertas_order():
    tokenizer = train(TEXTS, 280)
    assert tokenizer.vocabulary[:4] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert tokenizer.mask_id == 279
    assert len(set(tokenizer.vocabulary[4:260])) == 256


def test_prefix_space_is_learned_and_kept():
    tokenizer = train(["ab", "ab"], 263, add_prefix_space=True)
    assert tokenizer.add_prefix_space
    assert [piece for piece, *_ in tokenizer.tokenize("ab")] == ["Ġab"]


def test_order_and_kind_of_iterable_do_not_matter():
    expected = train(TEXTS, 285)
    for texts in (TEXTS[::-1], iter(TEXTS), (text for text in TEXTS)):
        again = train(texts, 285)
        assert (again.vocabulary, again.merges) == (expected.vocabulary, expected.merges)


def test_same_in_another_process():
    code = (
        "from bert_keras.text import Tokenizer\n"
        f"t = Tokenizer.train({TEXTS!r}, 285, kind='byte-level-bpe')\n"
        "print(ascii((t.vocabulary, t.merges)))"
    )
    tokenizer = train(TEXTS, 285)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ascii((tokenizer.vocabulary, tokenizer.merges))


def test_half_characters_can_be_trained_on():
    assert train(["\ud83d\ud83d"] * 2, 262).vocabulary == train(["\ufffd\ufffd"] * 2, 262).vocabulary


@pytest.mark.parametrize(
    ("texts", "size", "message"),
    [
        (["ab"], 260, "leaves no room for the 256 bytes: give at least 261"),
        (["ab"], 300, "the texts give only 262 pieces, fewer than vocabulary_size 300"),
        (["ab", None], 300, r"texts\[1\] is None"),
        ("ab", 300, "texts is one string"),
    ],
)
def test_texts_that_cannot_be_trained_on_are_refused(texts, size, message):
    with pytest.raises(InputError, match=message):
        train(texts, size)
