"""Unigram tokenizers: ids and places of others, pieces by hand, the families' ids."""

import pytest
from text.unigram_golden import FAMILIES, FOLDER, GOLDEN, PIECES, copy_of, pieces, spans, write_json

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.sentencepiece_model import read_model
from bert_keras.text.unigram import UnigramTokenizer


@pytest.fixture(scope="module", params=FAMILIES)
def family(request):
    return request.param, Tokenizer.from_folder(FOLDER / request.param)


# What others make of texts


def test_ids_and_places_are_those_of_fast_tokenizers(family):
    name, tokenizer = family
    golden = GOLDEN[name]
    assert tokenizer.ids(golden["texts"]) == golden["ids"]
    rows = [tokenizer.tokenize(text) for text in golden["texts"]]
    assert [[index for _, index, _, _ in row] for row in rows] == golden["ids"]
    assert [[[start, end] for _, _, start, end in row] for row in rows] == golden["offsets"]


def test_pairs_are_those_of_fast_tokenizers(family):
    name, _ = family
    tokenizer = Tokenizer.from_folder(FOLDER / name, segments=True)
    first, second = zip(*GOLDEN[name]["pairs"], strict=True)
    arrays = tokenizer(first, second)
    lengths = arrays["padding_mask"].sum(axis=1)
    rows = [row[:length].tolist() for row, length in zip(arrays["token_ids"], lengths, strict=True)]
    assert rows == GOLDEN[name]["pair_ids"]
    if name != "xlm-roberta":
        segments = [row[:length].tolist() for row, length in zip(arrays["segment_ids"], lengths, strict=True)]
        assert segments == GOLDEN[name]["pair_segments"]


# Fast tokenizers drop a `▁` that stands for itself, and follow no rule for several characters that are not written as
# one, such as the three letters of a syllable here.
@pytest.mark.parametrize("name", ["xlm-roberta", "deberta-v2"])
def test_ids_are_those_of_sentencepiece(name):
    tokenizer = Tokenizer.from_folder(FOLDER / name)
    shifted = {0: 3, 1: 0, 2: 2} if name == "xlm-roberta" else {}
    shift = 1 if name == "xlm-roberta" else 0
    golden = GOLDEN[name]
    different = []
    for text, theirs in zip(golden["texts"], golden["sentencepiece"], strict=True):
        if tokenizer.ids([text]) != [[shifted.get(index, index + shift) for index in theirs]]:
            different.append(text)
    assert different == ["か\u3099が ㅎㅏㄴ 東京は", "▁ a ▁▁b"]


# Pieces by hand


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab", ["▁ab"]),  # -3 beats ▁a b with -4.5
        ("abb", ["▁ab", "b"]),
        ("cbc", ["▁", "c", "bc"]),
        ("a ab", ["▁a", "▁ab"]),
        ("bc", ["▁", "bc"]),
        ("xyz", ["▁", "<unk>"]),  # unknown characters side by side are one piece
        ("axbyc", ["▁a", "<unk>", "b", "<unk>", "c"]),
        ("", []),
        (" \n\t", []),
        ("a\x00b", ["▁a", "<unk>", "b"]),
        ("1,", ["▁", "1,"]),
        ("``a''", ["▁", '"', "a", '"']),
        ("A\u0301b", ["▁ab"]),
    ],
)
def test_pieces(text, expected):
    assert pieces(UnigramTokenizer(PIECES), text) == expected


def test_places():
    albert = UnigramTokenizer(PIECES)
    assert spans(albert, " a  bc\u3000x") == [("▁a", 1, 2), ("▁", 4, 5), ("bc", 4, 6), ("▁", 7, 8), ("<unk>", 7, 8)]
    deberta = Tokenizer.from_folder(FOLDER / "deberta-v2")
    assert spans(deberta, "s ns") == [("▁s", 0, 1), ("▁", 1, 2), ("n", 2, 3), ("s", 3, 4)]


def test_places_behind_characters_that_are_deleted(family):
    # The files' rules delete U+200B. tokenizers 0.23 shifts all places of such a text.
    _, tokenizer = family
    text = "\u200b\u200bab bin"
    assert [text[start:end].strip() for _, _, start, end in tokenizer.tokenize(text)] == ["a", "b", "b", "in"]


def test_case_and_accents():
    options = {"pieces": PIECES}
    assert pieces(UnigramTokenizer(**options), "Aé") == ["▁a", "e"]
    assert pieces(UnigramTokenizer(**options, lowercase=False), "Aé") == ["▁", "A", "e"]
    assert pieces(UnigramTokenizer(**options, strip_accents=False), "Aé") == ["▁a", "é"]
    cased = UnigramTokenizer(**options, lowercase=False, strip_accents=False)
    assert pieces(cased, "Aé") == ["▁", "A", "é"]
    assert (cased.lowercase, cased.strip_accents) == (False, False)


def test_an_option_keeps_the_characters_of_the_file():
    cased = Tokenizer.from_folder(FOLDER / "albert", lowercase=False)
    assert cased.rules.charsmap == read_model(FOLDER / "albert" / "spiece.model").charsmap
    assert (cased.lowercase, cased.strip_accents) == (False, True)


def test_punctuation_may_be_split(tmp_path):
    folder = copy_of("deberta-v2", tmp_path)
    assert "▁(" not in pieces(Tokenizer.from_folder(folder), "is(it)")
    write_json(folder / "tokenizer_config.json", split_by_punct=True)
    assert pieces(Tokenizer.from_folder(folder), "s(s") == ["▁s", "▁", "(", "▁s"]
    assert Tokenizer.from_folder(folder).rules.split_by_punctuation
    assert not Tokenizer.from_folder(folder, split_by_punctuation=False).rules.split_by_punctuation


def test_half_a_character_is_read_as_the_replacement_character(family):
    _, tokenizer = family
    for text in ("\ud800", "a\udfffb", "\udbff \udc00"):
        other = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert len(other) == len(text)
        assert tokenizer.tokenize(text) == tokenizer.tokenize(other)


def test_special_tokens_in_a_text_are_ordinary_text(family):
    _, tokenizer = family
    tokens = list(tokenizer.special_tokens.values())
    special = {tokenizer.pad_id, tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id}
    for text in (" ".join(tokens), "".join(tokens), "<s> [CLS] <pad> <unk>"):
        assert not special.intersection(tokenizer.ids([text])[0])
    tokenizer = UnigramTokenizer(PIECES)
    assert pieces(tokenizer, "<pad>") == ["▁", "<", "p", "a", "d", ">"]


def test_the_mask_in_a_text():
    tokenizer = UnigramTokenizer(PIECES, mask_in_text=True)
    assert spans(tokenizer, "a  [MASK]b") == [("▁a", 0, 1), ("[MASK]", 3, 9), ("▁", 9, 10), ("b", 9, 10)]
    assert tokenizer.ids(["a  [MASK]b"]) == [[6, 4, 5, 8]]


def test_words_begin_with_a_space():
    tokenizer = UnigramTokenizer(PIECES)
    assert [tokenizer.continues_word(piece) for piece in ("▁ab", "▁", "bc", "(")] == [False, False, True, True]


def test_bytes_for_unknown_characters():
    hexadecimal = [(f"<0x{byte:02X}>", -9.0) for byte in range(256)]
    tokenizer = UnigramTokenizer([*PIECES, *hexadecimal], byte_fallback=True)
    assert pieces(tokenizer, "aß") == ["▁a", "<0xC3>", "<0x9F>"]


# The families' ids (1.17)


def test_ids_of_special_tokens(family):
    name, tokenizer = family
    ids = (tokenizer.pad_id, tokenizer.unk_id, tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id)
    last = len(tokenizer.vocabulary) - 1
    assert ids == {"albert": (0, 1, 2, 3, 4), "xlm-roberta": (1, 3, 0, 2, last), "deberta-v2": (0, 3, 1, 2, last)}[name]


def test_ids_of_xlm_roberta_are_one_more_than_those_of_sentencepiece():
    model = read_model(FOLDER / "xlm-roberta" / "sentencepiece.bpe.model")
    tokenizer = Tokenizer.from_folder(FOLDER / "xlm-roberta")
    assert tokenizer.vocabulary[:4] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert tokenizer.vocabulary[4:-1] == [piece.text for piece in model.pieces[3:]]
    assert len(tokenizer.vocabulary) == len(model.pieces) + 2
    assert tokenizer.ids(["\x00"])[0][-1] == 3


def test_pairs_and_segments_of_the_families(family):
    name, tokenizer = family
    arrays = tokenizer([""], [""])
    cls, sep = tokenizer.cls_id, tokenizer.sep_id
    assert arrays["token_ids"].tolist() == [[cls, sep, sep, sep] if name == "xlm-roberta" else [cls, sep, sep]]
    assert Tokenizer.from_folder(FOLDER / name).segments == (name == "albert")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pieces": PIECES[1:]}, "lacks the special token '<pad>'"),
        ({"pieces": [*PIECES, ("x", float("nan"))]}, r"piece 24 \('x'\) has the score nan"),
        ({"pieces": [*PIECES, "x"]}, "piece 24 is 'x'; it should be a piece and a number"),
        (
            {"pieces": PIECES, "layout": "t5"},
            "there is no layout 't5'; the layouts are albert, xlm-roberta, deberta-v2",
        ),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(InputError, match=message):
        UnigramTokenizer(**options)
