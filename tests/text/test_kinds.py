"""The base of all tokenizers, and the dict of their kinds."""

import pytest

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.kinds import KINDS
from bert_keras.text.mask_parts import mask_parts


def test_every_kind_is_in_the_dict():
    assert list(KINDS.values()) == [KINDS[kind.kind] for kind in KINDS.values()]
    assert set(KINDS.values()) == set(Tokenizer.__subclasses__())


def test_base_is_no_tokenizer():
    with pytest.raises(TypeError, match="abstract"):
        Tokenizer(["a"], special_tokens={})


@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_made_by_its_own_class_and_by_the_base(kind):
    texts = ["one two three four five six seven eight nine ten"] * 20
    size = {"wordpiece": 40, "byte-level-bpe": 270, "unigram": 22}[kind]
    base = Tokenizer.train(texts, size, kind=kind)
    assert type(base) is KINDS[kind]
    assert KINDS[kind].train(texts, size).vocabulary == base.vocabulary


def test_unknown_kinds_are_named():
    with pytest.raises(InputError, match="no kind of vocabulary 'bpe'; the kinds are wordpiece, byte-level-bpe"):
        Tokenizer.train(["x"], 300, kind="bpe")


@pytest.mark.parametrize(
    ("text", "takes_space", "parts"),
    [
        ("", True, []),
        ("a b", True, [(0, 3, False)]),
        ("M", True, [(0, 1, True)]),
        ("a M b", False, [(0, 2, False), (2, 3, True), (3, 5, False)]),
        ("a M b", True, [(0, 1, False), (2, 3, True), (3, 5, False)]),
        (" MM  M", True, [(1, 2, True), (2, 3, True), (5, 6, True)]),
        (" MM  M", False, [(0, 1, False), (1, 2, True), (2, 3, True), (3, 5, False), (5, 6, True)]),
        ("a\u3000\u2003\n\u0085M", True, [(0, 1, False), (5, 6, True)]),
        ("a\u200bM", True, [(0, 2, False), (2, 3, True)]),
    ],
)
def test_parts_around_masks(text, takes_space, parts):
    assert [tuple(part) for part in mask_parts(text, "M", takes_space)] == parts


def test_mask_is_no_pattern():
    assert [part.is_mask for part in mask_parts("a [M] M", "[M]", False)] == [False, True, False]


def test_fault_of_a_vocabulary_names_its_folder(tmp_path):
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n")

    with pytest.raises(InputError, match=rf"{tmp_path}: the vocabulary of 5 pieces lacks the special token '\[MASK\]'"):
        Tokenizer.from_folder(tmp_path)
