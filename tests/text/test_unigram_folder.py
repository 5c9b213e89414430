"""A folder's unigram tokenizer: which family's it is, what its files say, and what is saved."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from text.awkward import STRINGS, fuzzed
from text.unigram_golden import FAMILIES, FOLDER, GOLDEN, PIECES, SIZE, SPECIALS, TEXTS, copy_of, pieces, write_json

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer
from bert_keras.text.sentencepiece_model import Piece, SentencePieceModel, model_bytes, read_model
from bert_keras.text.unigram import UnigramTokenizer
from bert_keras.text.unigram_layouts import LAYOUTS


@pytest.mark.parametrize(
    ("named", "layout"),
    [
        ({"tokenizer_class": "AlbertTokenizer"}, "albert"),
        ({"tokenizer_class": "AlbertTokenizerFast"}, "albert"),
        ({"tokenizer_class": "PreTrainedTokenizerFast"}, "deberta-v2"),
        ({}, "deberta-v2"),
    ],
)
def test_the_class_says_the_family(named, layout, tmp_path):
    folder = copy_of("deberta-v2", tmp_path)
    write_json(folder / "tokenizer_config.json", **named, pad_token="[PAD]", unk_token="[UNK]")
    assert Tokenizer.from_folder(folder).layout == layout


def test_config_json_says_the_family_where_no_class_is_named(tmp_path):
    folder = copy_of("albert", tmp_path)
    (folder / "spiece.model").rename(folder / "spm.model")
    write_json(folder / "config.json", model_type="albert")
    assert Tokenizer.from_folder(folder).layout == "albert"


@pytest.mark.parametrize("name", FAMILIES)
def test_the_pieces_say_the_family_where_nothing_else_does(name, tmp_path):
    (file,) = copy_of(name, tmp_path).glob("*.model")
    file.rename(tmp_path / "vocabulary.model")
    assert Tokenizer.from_folder(tmp_path).layout == name
    assert Tokenizer.from_vocabulary(tmp_path / "vocabulary.model").layout == name


def test_other_classes_are_refused(tmp_path):
    folder = copy_of("albert", tmp_path)
    write_json(folder / "tokenizer_config.json", tokenizer_class="T5Tokenizer")
    with pytest.raises(InputError, match="is a T5Tokenizer, which is not known; known are AlbertTokenizer, XLM"):
        Tokenizer.from_folder(folder)


def test_two_models_are_refused(tmp_path):
    copy_of("albert", tmp_path)
    copy_of("deberta-v2", tmp_path)
    with pytest.raises(InputError, match=r"holds spiece\.model, spm\.model; a folder has one"):
        Tokenizer.from_folder(tmp_path)


def test_options_of_tokenizer_config(tmp_path):
    folder = copy_of("albert", tmp_path)
    mask = {"content": "[MASK]", "lstrip": False}
    config = {"do_lower_case": False, "keep_accents": True, "mask_token": mask, "model_max_length": 512}
    write_json(folder / "tokenizer_config.json", **config)
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.lowercase, tokenizer.strip_accents) == (False, False)
    assert (tokenizer.mask_takes_space, tokenizer.model_max_length) == (False, 512)


def test_added_tokens_of_a_model(tmp_path):
    folder = copy_of("deberta-v2", tmp_path)
    write_json(folder / "added_tokens.json", **{"[MASK]": 145, "[E1]": 143})
    tokenizer = Tokenizer.from_folder(folder)
    assert tokenizer.mask_id == 145
    assert tokenizer.vocabulary[143:] == ["[E1]", "", "[MASK]"]
    assert 143 not in tokenizer.ids(["[E1]"])[0]


def test_a_model_of_other_ids_is_not_fairseqs(tmp_path):
    shutil.copy(FOLDER / "deberta-v2" / "spm.model", tmp_path / "sentencepiece.bpe.model")
    with pytest.raises(InputError, match="have the ids 3, 1 and 2; fairseq's ids need 0, 1 and 2"):
        Tokenizer.from_folder(tmp_path)


def test_rules_that_no_family_has_are_named(tmp_path):
    model = read_model(FOLDER / "deberta-v2" / "spm.model")
    odd = SentencePieceModel(model.pieces, unk_id=3, add_dummy_prefix=False)
    (tmp_path / "spm.model").write_bytes(model_bytes(odd))
    with pytest.warns(UserWarning, match="asks for add_dummy_prefix=False"):
        Tokenizer.from_folder(tmp_path)


def test_google_splits_numbers_with_commas(tmp_path):
    model = SentencePieceModel([Piece(*piece) for piece in PIECES], unk_id=1)
    (tmp_path / "30k-clean.model").write_bytes(model_bytes(model))
    assert pieces(Tokenizer.from_folder(tmp_path), "1,") == ["▁", "1,"]
    write_json(tmp_path / "albert_config.json")
    assert pieces(Tokenizer.from_folder(tmp_path), "1,") == ["▁", "1", ","]


def saved(path: Path, name: str = "albert", **changes) -> dict:
    """Save a family's tokenizer without its .model file, and return what its tokenizer.json holds."""
    Tokenizer.from_folder(FOLDER / name).save(path, force=True)
    (path / LAYOUTS[name].model_file).unlink()
    content = json.loads((path / "tokenizer.json").read_text(encoding="utf-8"))
    write_json(path / "tokenizer.json", **{**content, **changes})
    return content


@pytest.mark.parametrize("name", FAMILIES)
def test_tokenizer_json_alone(name, tmp_path):
    saved(tmp_path, name)
    for file in ("tokenizer_config.json", "special_tokens_map.json"):
        (tmp_path / file).unlink()
    tokenizer = Tokenizer.from_folder(tmp_path)
    assert tokenizer.layout == name
    assert tokenizer.ids(GOLDEN[name]["texts"]) == GOLDEN[name]["ids"]
    assert tokenizer.separators == (2 if name == "xlm-roberta" else 1)


def test_rules_of_tokenizer_json_are_followed(tmp_path):
    normalizer = {"type": "Replace", "pattern": {"String": "film"}, "content": "dog"}
    saved(tmp_path, normalizer=normalizer)
    with pytest.warns(UserWarning) as warned:
        (tmp_path / "tokenizer_config.json").unlink()
        tokenizer = Tokenizer.from_folder(tmp_path)
        assert "film" not in "".join(pieces(tokenizer, "the film"))
        assert "".join(pieces(tokenizer, "the film")) == "▁the▁dog"
        saved(tmp_path, normalizer=normalizer)
        Tokenizer.from_folder(tmp_path)
    # tokenizer_config.json still says what the family does.
    messages = [str(warning.message) for warning in warned]
    assert ["lowercase=False" in message or "keep_accents=True" in message for message in messages] == [True, True]


def test_separators_of_tokenizer_json_are_followed(tmp_path):
    saved(tmp_path, post_processor={"type": "RobertaProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})
    assert Tokenizer.from_folder(tmp_path).separators == 2


def test_tokens_that_tokenizer_json_adds(tmp_path):
    added = saved(tmp_path)["added_tokens"]
    index = len(Tokenizer.from_folder(tmp_path).vocabulary)
    saved(tmp_path, added_tokens=[*added, {**added[0], "id": index, "content": "[E1]"}])
    with pytest.warns(UserWarning, match=r"adds 1 tokens \(\[E1\]\)"):
        tokenizer = Tokenizer.from_folder(tmp_path)
    assert tokenizer.vocabulary[index] == "[E1]"
    assert index not in tokenizer.ids(["[E1]"])[0]


def test_both_files_are_compared(tmp_path):
    tokenizer = Tokenizer.from_folder(FOLDER / "albert")
    tokenizer.save(tmp_path)
    other = read_model(FOLDER / "albert" / "spiece.model")
    swapped = [*other.pieces[:-2], other.pieces[-1], other.pieces[-2]]
    (tmp_path / "spiece.model").write_bytes(model_bytes(SentencePieceModel(swapped, unk_id=1, charsmap=other.charsmap)))
    with pytest.warns(UserWarning, match=r"spiece\.model and tokenizer\.json differ in 2 pieces"):
        assert Tokenizer.from_folder(tmp_path).vocabulary == tokenizer.vocabulary
    content = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    shutil.copy(FOLDER / "albert" / "spiece.model", tmp_path)
    steps = [step for step in content["normalizer"]["normalizers"] if step["type"] != "Precompiled"]
    write_json(tmp_path / "tokenizer.json", **{**content, "normalizer": {"type": "Sequence", "normalizers": steps}})
    with pytest.warns(UserWarning, match=r"does not change characters as spiece\.model does"):
        Tokenizer.from_folder(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pre_tokenizer": {"type": "ByteLevel"}}, "words are split by ByteLevel; .* needs Metaspace"),
        ({"pre_tokenizer": None}, "words are split by nothing"),
        ({"normalizer": {"type": "Magic"}}, "unknown rules for splitting text"),
        ({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}}, "rules about characters .* damaged"),
        ({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "?"}}, "rules about characters .* damaged"),
        ({"model": {"type": "Unigram", "unk_id": 9, "vocab": [["a", 0.0]]}}, "unk_id is 9; .* of 1 pieces"),
        ({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a"]]}}, r"holds \['a'\]; it should hold pieces"),
        ({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", "b"]]}}, "piece 0 is .*its score"),
        ({"model": {"type": "Unigram", "unk_id": 0}}, "another kind than a tokenizer's"),
        ({"added_tokens": [{"content": "[CLS]"}]}, "another kind than a tokenizer's"),
    ],
)
def test_damaged_tokenizer_json(changes, message, tmp_path):
    saved(tmp_path, **changes)
    with pytest.raises(InputError, match=message):
        Tokenizer.from_folder(tmp_path)


# Saving


@pytest.mark.parametrize("name", FAMILIES)
def test_a_saved_folder_gives_the_same_tokenizer(name, tmp_path):
    tokenizer = Tokenizer.from_folder(FOLDER / name)
    tokenizer.save(tmp_path)
    files = {LAYOUTS[name].model_file, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"}
    assert {file.name for file in tmp_path.iterdir()} == files
    texts = STRINGS + GOLDEN[name]["texts"]
    again = Tokenizer.from_folder(tmp_path)
    assert (again.vocabulary, again.rules, again.special_tokens) == (
        tokenizer.vocabulary,
        tokenizer.rules,
        tokenizer.special_tokens,
    )
    assert again.ids(texts) == tokenizer.ids(texts)
    (tmp_path / "tokenizer.json").unlink()
    alone = Tokenizer.from_folder(tmp_path)
    assert (alone.vocabulary, alone.rules) == (tokenizer.vocabulary, tokenizer.rules)
    assert alone.ids(texts) == tokenizer.ids(texts)


def test_files_are_not_replaced_unasked(tmp_path):
    (tmp_path / "spiece.model").write_bytes(b"mine")
    with pytest.raises(InputError, match="exists"):
        UnigramTokenizer(PIECES).save(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["spiece.model"]
    UnigramTokenizer(PIECES).save(tmp_path, force=True)
    assert len(read_model(tmp_path / "spiece.model").pieces) == len(PIECES)


def test_ids_that_a_model_file_cannot_hold_are_in_tokenizer_json_alone(tmp_path):
    tokenizer = UnigramTokenizer([*PIECES, ("", 0.0), ("[E1]", 0.0)], control_tokens=["[E1]"])
    tokenizer.save(tmp_path)
    assert not (tmp_path / "spiece.model").exists()
    with pytest.warns(UserWarning, match="adds 1 tokens"):
        assert Tokenizer.from_folder(tmp_path).vocabulary == tokenizer.vocabulary


# transformers warns of what is its own.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", [*FAMILIES, "trained"])
def test_transformers_opens_a_saved_folder(name, tmp_path):
    transformers = pytest.importorskip("transformers")
    trained = name == "trained"
    tokenizer = Tokenizer.train(TEXTS, SIZE, kind="unigram") if trained else Tokenizer.from_folder(FOLDER / name)
    tokenizer.segments = True
    tokenizer.save(tmp_path)
    write_json(tmp_path / "config.json", model_type=tokenizer.layout)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    texts = [text for text in STRINGS + fuzzed(seed=1, count=300) if not any(token in text for token in SPECIALS)]
    rows = theirs(texts, add_special_tokens=False, return_offsets_mapping=True)
    assert tokenizer.ids(texts) == rows["input_ids"]
    # Theirs are shifted where the rules delete the beginning of a text.
    normalized = theirs.backend_tokenizer.normalizer.normalize_str
    for text, offsets in zip(texts, rows["offset_mapping"], strict=True):
        if normalized(text[:1]):
            assert [(start, end) for _, _, start, end in tokenizer.tokenize(text)] == offsets
    first, second = texts[:150], texts[150:300]
    arrays = tokenizer(first, second)
    padded = theirs(first, second, padding=True, return_token_type_ids=True, return_tensors="np")
    np.testing.assert_array_equal(arrays["token_ids"], padded["input_ids"])
    if name != "xlm-roberta":
        np.testing.assert_array_equal(arrays["segment_ids"], padded["token_type_ids"])
    masked = f"a {tokenizer.special_tokens['mask']}. b{tokenizer.special_tokens['mask']}c"
    assert tokenizer.with_mask_in_text().ids([masked]) == [theirs(masked, add_special_tokens=False)["input_ids"]]
