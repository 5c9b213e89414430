"""Folders of checkpoints: what their files say, contradictions, and what is written."""

import json
import warnings

import pytest
import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import Tokenizer

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
UNCASED = [*SPECIALS, "a", "##b", "cafe", "café"]
CASED = [*SPECIALS, "a", "##b", "Cafe", "Café", "The", "Paris"]


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def write_vocabulary(folder, vocabulary=UNCASED):
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in vocabulary), encoding="utf-8", newline="\n")


def write_config(folder, **config):
    (folder / "tokenizer_config.json").write_text(json.dumps(config))


def write_saved(folder, vocabulary=UNCASED, normalizer=None, pre_tokenizer=None, **model):
    saved = {
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
            **(normalizer or {}),
        },
        "pre_tokenizer": pre_tokenizer or {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "vocab": {piece: i for i, piece in enumerate(vocabulary)}, **model},
    }
    (folder / "tokenizer.json").write_text(json.dumps(saved))


def test_vocabulary_file_alone(folder):
    write_vocabulary(folder)
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.vocabulary, tokenizer.lowercase, tokenizer.strip_accents) == (UNCASED, True, None)


def test_vocabulary_with_capitals_is_cased_where_nothing_is_said(folder):
    write_vocabulary(folder, CASED)
    assert not Tokenizer.from_folder(folder).lowercase


def test_tokenizer_json_alone(folder):
    write_saved(folder, CASED, {"lowercase": False, "strip_accents": True}, max_input_chars_per_word=77)
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.vocabulary, tokenizer.lowercase, tokenizer.strip_accents) == (CASED, False, True)
    assert tokenizer.max_characters_per_word == 77


def test_tokenizer_json_with_missing_ids(folder):
    write_saved(folder)
    saved = json.loads((folder / "tokenizer.json").read_text())
    saved["model"]["vocab"] = {**{piece: i for i, piece in enumerate(SPECIALS)}, "a": 8}
    saved["added_tokens"] = [{"id": 9, "content": "[E1]"}]
    (folder / "tokenizer.json").write_text(json.dumps(saved))
    with pytest.warns(UserWarning, match=r"adds 1 tokens \(\[E1\]\); in a text they are ordinary text here"):
        assert Tokenizer.from_folder(folder).vocabulary == [*SPECIALS, "", "", "", "a", "[E1]"]


@pytest.mark.parametrize("index", [-1, 10**12, "7", None])
def test_ids_that_are_no_ids_are_refused(folder, index):
    write_saved(folder)
    saved = json.loads((folder / "tokenizer.json").read_text())
    saved["model"]["vocab"]["a"] = index
    (folder / "tokenizer.json").write_text(json.dumps(saved))
    with pytest.raises(InputError, match=r"tokenizer.json: piece 'a' has the id .*; ids count from 0"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize("lowercase", [True, False])
def test_config_says_the_case(folder, lowercase):
    write_vocabulary(folder)
    write_config(folder, do_lower_case=lowercase, strip_accents=True)
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.lowercase, tokenizer.strip_accents) == (lowercase, True)


def test_config_wins_over_tokenizer_json_with_a_warning(folder):
    write_saved(folder)
    write_config(folder, do_lower_case=False)
    with pytest.warns(UserWarning, match="tokenizer.json says lowercase=True, tokenizer_config.json False"):
        assert not Tokenizer.from_folder(folder).lowercase


def test_cased_vocabulary_with_lowercase_config_warns(folder):
    write_vocabulary(folder, CASED)
    write_config(folder, do_lower_case=True)
    with pytest.warns(UserWarning, match="cased but lowercase=True"):
        assert Tokenizer.from_folder(folder).lowercase


def test_vocabulary_file_wins_over_tokenizer_json_with_a_warning(folder):
    write_vocabulary(folder)
    write_saved(folder, [*UNCASED[:5], "x", *UNCASED[6:]])
    with pytest.warns(UserWarning, match=r"differ in 2 pieces, the first of them .*; vocab.txt is used"):
        assert Tokenizer.from_folder(folder).vocabulary == UNCASED


def test_equal_files_do_not_warn(folder):
    write_vocabulary(folder, [*UNCASED, "", "a"])
    write_saved(folder, [*UNCASED, "", "a"])
    Tokenizer.from_folder(folder)


def test_accents_of_the_config_win_over_tokenizer_json_with_a_warning(folder):
    write_saved(folder, normalizer={"strip_accents": False})
    assert Tokenizer.from_folder(folder).strip_accents is False
    write_config(folder, strip_accents=True)
    with pytest.warns(UserWarning, match="tokenizer.json says strip_accents=False, tokenizer_config.json True"):
        assert Tokenizer.from_folder(folder).strip_accents is True


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        ({"normalizer": {"handle_chinese_chars": False}}, "handle_chinese_chars=False"),
        ({"normalizer": {"type": "Lowercase"}}, "type='Lowercase'"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "type='Whitespace'"),
    ],
)
def test_other_rules_in_tokenizer_json_warn(folder, options, setting):
    write_saved(folder, **options)
    with pytest.warns(UserWarning, match=f"{setting}; the rules of google-research/bert are followed instead"):
        Tokenizer.from_folder(folder)


def test_other_rules_in_the_config_warn(folder):
    write_vocabulary(folder)
    write_config(folder, tokenize_chinese_chars=False)
    with pytest.warns(UserWarning, match="tokenize_chinese_chars=False"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize("name", ["tokenizer_config.json", "special_tokens_map.json"])
def test_special_tokens_may_have_other_names(folder, name):
    write_vocabulary(folder, ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "a"])
    tokens = {"cls_token": "<s>", "sep_token": {"content": "</s>"}, "unk_token": "<unk>", "pad_token": "<pad>"}
    (folder / name).write_text(json.dumps({**tokens, "mask_token": "<mask>"}))
    tokenizer = Tokenizer.from_folder(folder)
    assert tokenizer(["a z"])["token_ids"].tolist() == [[0, 5, 3, 2]]
    assert (tokenizer.pad_id, tokenizer.mask_id) == (1, 4)


@pytest.mark.parametrize(
    ("file", "limit"),
    [("config.json", 100), ("bert_config.json", 200), ("bert_model.ckpt.index", 200), ("model.ckpt-1000.meta", 200)],
)
def test_word_limit_follows_the_origin_of_the_checkpoint(folder, file, limit):
    write_vocabulary(folder)
    (folder / file).touch()
    assert Tokenizer.from_folder(folder).max_characters_per_word == limit


def test_options_win_over_the_folder(folder):
    write_vocabulary(folder)
    tokenizer = Tokenizer.from_folder(folder, lowercase=False, mask_in_text=True)
    assert not tokenizer.lowercase
    assert tokenizer.ids(["[MASK]"]) == [[4]]


# Bad input


def test_missing_folder_is_refused(folder):
    with pytest.raises(InputError, match="no such folder"):
        Tokenizer.from_folder(folder / "absent")


def test_folder_without_vocabulary_is_refused(folder):
    with pytest.raises(InputError, match=r"holds no vocabulary: neither vocab.txt, nor .* nor tokenizer.json"):
        Tokenizer.from_folder(folder)


def test_other_kind_of_tokenizer_is_refused(folder):
    write_saved(folder, type="WordLevel")
    with pytest.raises(InputError, match="tokenizer of kind WordLevel; known are WordPiece, BPE, Unigram"):
        Tokenizer.from_folder(folder)


def test_other_kind_of_tokenizer_beside_a_vocabulary_warns(folder):
    write_saved(folder, type="Unigram")
    write_vocabulary(folder)
    with pytest.warns(UserWarning, match=r"kind Unigram, not WordPiece; vocab.txt is used"):
        assert Tokenizer.from_folder(folder).vocabulary == UNCASED


def test_other_prefix_is_refused(folder):
    write_saved(folder, continuing_subword_prefix="@@")
    with pytest.raises(InputError, match="pieces inside words begin with '@@'"):
        Tokenizer.from_folder(folder)


def test_words_from_another_splitter_are_refused(folder):
    write_vocabulary(folder)
    write_config(folder, word_tokenizer_type="mecab")
    with pytest.raises(InputError, match="needs words from 'mecab'"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1,\n "b"', "tokenizer_config.json, line 2: not JSON"),
        (b"[]", "tokenizer_config.json holds a list"),
        (b'{"a": "\xff"}', "tokenizer_config.json: not UTF-8"),
        (b'{"a": ' + b"9" * 5_000 + b"}", r"tokenizer_config.json: not JSON of a tokenizer \(Exceeds the limit"),
        (b'{"a": ' + b"[" * 100_000, r"tokenizer_config.json: not JSON of a tokenizer \(nested too deeply\)"),
    ],
)
def test_broken_json_is_refused(folder, content, message):
    write_vocabulary(folder)
    (folder / "tokenizer_config.json").write_bytes(content)
    with pytest.raises(InputError, match=message):
        Tokenizer.from_folder(folder)


# Saving

SETTINGS = ("vocabulary", "lowercase", "strip_accents", "max_characters_per_word", "special_tokens", "model_max_length")
ODD = [*UNCASED, "", "\u2028", " x", "a", "y\u0085", ""]


@pytest.mark.parametrize(
    ("vocabulary", "options"),
    [
        (UNCASED, {}),
        (UNCASED, {"max_characters_per_word": 100, "model_max_length": 512}),
        (CASED, {"lowercase": False}),
        (UNCASED, {"strip_accents": False}),
        (ODD, {}),
        (["<s>", *UNCASED[1:], "[PAD]"], {"special_tokens": {"cls": "<s>"}}),
    ],
)
def test_saved_folder_reads_back(folder, vocabulary, options):
    tokenizer = Tokenizer.from_vocabulary(vocabulary, **options)
    tokenizer.save(folder)
    again = Tokenizer.from_folder(folder)
    assert {name: getattr(again, name) for name in SETTINGS} == {name: getattr(tokenizer, name) for name in SETTINGS}


def test_saved_tokenizer_json_reads_back_alone(folder):
    Tokenizer.from_vocabulary(UNCASED, strip_accents=False).save(folder)
    for name in ("vocab.txt", "tokenizer_config.json", "special_tokens_map.json"):
        (folder / name).unlink()
    again = Tokenizer.from_folder(folder)
    assert (again.vocabulary, again.lowercase, again.strip_accents) == (UNCASED, True, False)
    assert again.max_characters_per_word == 200


@pytest.mark.parametrize("limit", [100, 200])
def test_saved_tokenizer_json_gives_our_ids_in_the_library(folder, limit):
    tokenizer = Tokenizer.from_vocabulary(ODD, max_characters_per_word=limit)
    tokenizer.save(folder)
    library = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    for text in ("a ab Café z", "a" + "b" * 150, "", "\u200b"):
        ours = tokenizer([text], [text])
        theirs = library.encode(text, text)
        assert ours["token_ids"].tolist() == [theirs.ids]
        assert ours["segment_ids"].tolist() == [theirs.type_ids]


def test_existing_files_are_not_replaced_unless_forced(folder):
    write_vocabulary(folder, CASED)
    tokenizer = Tokenizer.from_vocabulary(UNCASED)
    with pytest.raises(InputError, match=r"vocab.txt exists"):
        tokenizer.save(folder)
    assert [path.name for path in folder.iterdir()] == ["vocab.txt"]
    tokenizer.save(folder, force=True)
    assert Tokenizer.from_folder(folder).vocabulary == UNCASED


def test_vocabulary_that_cannot_be_written_leaves_nothing(folder):
    with pytest.raises(InputError, match="holds a line end"):
        Tokenizer.from_vocabulary([*UNCASED, "x\n"]).save(folder / "new")
    assert not (folder / "new").exists()


def test_duplicates_and_blank_lines_do_not_warn_after_saving(folder):
    Tokenizer.from_vocabulary(ODD).save(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize(
    "saved",
    [
        {"added_tokens": 5},
        {"added_tokens": [{"id": 1}]},
        {"added_tokens": [{"id": 7, "content": ["x"]}]},
        {"normalizer": "x"},
        {"pre_tokenizer": 3},
        {"model": "x"},
    ],
)
def test_values_of_another_kind_in_tokenizer_json_are_refused(folder, saved):
    write_vocabulary(folder)
    write_saved(folder)
    file = folder / "tokenizer.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **saved}))
    with pytest.raises(InputError, match="holds a value of another kind"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize("limit", ["x", -1])
def test_word_limits_that_are_none_are_refused(folder, limit):
    write_saved(folder, max_input_chars_per_word=limit)
    with pytest.raises(InputError, match="holds a value of another kind"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize(
    "config", [{"do_lower_case": "yes"}, {"strip_accents": 5}, {"pad_token": {"x": 1}}, {"pad_token": ["x"]}]
)
def test_values_of_another_kind_in_the_config_are_refused(folder, config):
    write_vocabulary(folder)
    write_config(folder, **config)
    with pytest.raises(InputError, match="holds a value of another kind"):
        Tokenizer.from_folder(folder)
