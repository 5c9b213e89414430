"""Folders of byte-level BPE tokenizers: what their files say, and what is written."""

import json

import pytest
import tokenizers

from bert_keras.errors import InputError
from bert_keras.text import ByteLevelBpeTokenizer, Tokenizer

ROBERTA = ["<s>", "<pad>", "</s>", "<unk>"]
DEBERTA = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
PIECES = ["Ġ", "a", "b", "c", "#", "ab", "Ġc", "##"]
MERGES = [("a", "b"), ("Ġ", "c"), ("#", "#")]
SETTINGS = (
    *("vocabulary", "merges", "add_prefix_space", "special_tokens", "mask_takes_space", "model_max_length"),
    "separators",
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def ids_of(vocabulary):
    return {piece: index for index, piece in enumerate(vocabulary)}


def write_vocabulary(folder, specials=ROBERTA, mask="<mask>", merges="#version: 0.2\na b\nĠ c\n# #\n"):
    (folder / "vocab.json").write_text(json.dumps(ids_of([*specials, *PIECES, mask])))
    (folder / "merges.txt").write_text(merges, encoding="utf-8", newline="")


def write_json(folder, name, **values):
    (folder / name).write_text(json.dumps(values))


def write_saved(folder, specials=ROBERTA, mask="<mask>", **others):
    added = [{"id": len(specials) + len(PIECES), "content": mask, "lstrip": True}]
    model = {"type": "BPE", "vocab": ids_of([*specials, *PIECES]), "merges": list(map(list, MERGES))}
    pre_tokenizer = {"type": "ByteLevel", "add_prefix_space": False}
    saved = {"added_tokens": added, "normalizer": None, "pre_tokenizer": pre_tokenizer, "model": model, **others}
    write_json(folder, "tokenizer.json", **saved)


def test_vocabulary_and_merges_alone(folder):
    write_vocabulary(folder)
    tokenizer = Tokenizer.from_folder(folder)
    assert isinstance(tokenizer, ByteLevelBpeTokenizer)
    assert (tokenizer.vocabulary, tokenizer.merges) == ([*ROBERTA, *PIECES, "<mask>"], MERGES)
    assert (tokenizer.cls_id, tokenizer.pad_id, tokenizer.sep_id, tokenizer.unk_id, tokenizer.mask_id) == (
        0,
        1,
        2,
        3,
        12,
    )
    assert (tokenizer.add_prefix_space, tokenizer.separators, tokenizer.mask_takes_space) == (False, 2, True)


@pytest.mark.parametrize("as_text", [False, True], ids=["lists", "texts"])
def test_tokenizer_json_alone(folder, as_text):
    write_saved(folder)
    saved = json.loads((folder / "tokenizer.json").read_text())
    if as_text:
        saved["model"]["merges"] = [" ".join(merge) for merge in MERGES]
    write_json(folder, "tokenizer.json", **saved)
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.vocabulary, tokenizer.merges) == ([*ROBERTA, *PIECES, "<mask>"], MERGES)


def test_berts_special_tokens_make_berts_rows(folder):
    write_vocabulary(folder, DEBERTA, "[MASK]")
    write_json(folder, "tokenizer_config.json", do_lower_case=False, vocab_type="gpt2")
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.pad_id, tokenizer.cls_id, tokenizer.sep_id, tokenizer.unk_id, tokenizer.mask_id) == (
        0,
        1,
        2,
        3,
        12,
    )
    assert tokenizer(["a"], ["ab"])["token_ids"].tolist() == [[1, 5, 2, 9, 2]]


@pytest.mark.parametrize(
    ("post_processor", "separators"),
    [
        ({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]}, 2),
        ({"type": "BertProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]}, 1),
        ({"type": "ByteLevel", "trim_offsets": True}, 2),
        (None, 2),
        *(
            (
                {
                    "type": "TemplateProcessing",
                    "pair": [
                        {"SpecialToken": {"id": "<s>", "type_id": 0}},
                        {"Sequence": {"id": "A", "type_id": 0}},
                        *[{"SpecialToken": {"id": "</s>", "type_id": 0}}] * between,
                        {"Sequence": {"id": "B", "type_id": 0}},
                        {"SpecialToken": {"id": "</s>", "type_id": 0}},
                    ],
                },
                between,
            )
            for between in (1, 2)
        ),
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_rows_of_pairs_come_from_the_file(folder, post_processor, separators, nested):
    if nested:
        steps = [{"type": "ByteLevel"}] + ([post_processor] if post_processor else [])
        post_processor = {"type": "Sequence", "processors": steps}
    write_saved(folder, post_processor=post_processor)
    assert Tokenizer.from_folder(folder).separators == separators


@pytest.mark.parametrize("name", ["tokenizer_config.json", "special_tokens_map.json"])
def test_special_tokens_come_from_the_files(folder, name):
    write_vocabulary(folder, ["<pad>", "<unk>", "<c>", "</s>"])
    write_json(folder, name, cls_token="<c>", sep_token={"content": "</s>"})
    assert Tokenizer.from_folder(folder)(["a", ""])["token_ids"].tolist() == [[2, 5, 3], [2, 3, 0]]


def test_added_tokens_have_their_ids(folder):
    write_vocabulary(folder)
    ids = ids_of([*ROBERTA, *PIECES])
    write_json(folder, "vocab.json", **ids)
    write_json(folder, "added_tokens.json", **{"<mask>": 14})
    tokenizer = Tokenizer.from_folder(folder)
    assert (tokenizer.mask_id, len(tokenizer.vocabulary)) == (14, 15)


@pytest.mark.parametrize(("lstrip", "ids"), [(True, [5, 12]), (False, [5, 4, 12])])
@pytest.mark.parametrize("place", ["config", "saved"])
def test_files_say_whether_the_mask_takes_the_space(folder, place, lstrip, ids):
    write_vocabulary(folder)
    token = {"id": 12, "content": "<mask>", "lstrip": lstrip}
    if place == "config":
        write_json(folder, "tokenizer_config.json", mask_token=token)
    else:
        write_saved(folder, added_tokens=[token])
    assert Tokenizer.from_folder(folder, mask_in_text=True).ids(["a <mask>"]) == [ids]


def test_prefix_space_comes_from_the_files(folder):
    write_saved(folder, pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True})
    assert Tokenizer.from_folder(folder).add_prefix_space
    write_json(folder, "tokenizer_config.json", add_prefix_space=True)
    (folder / "tokenizer.json").unlink()
    write_vocabulary(folder)
    assert Tokenizer.from_folder(folder).add_prefix_space
    assert not Tokenizer.from_folder(folder, add_prefix_space=False).add_prefix_space


def test_contradictions_warn(folder):
    write_saved(folder)
    write_json(folder, "tokenizer_config.json", add_prefix_space=True)
    with pytest.warns(UserWarning, match="says add_prefix_space=False, tokenizer_config.json True, which is used"):
        assert Tokenizer.from_folder(folder).add_prefix_space


def test_further_tokens_warn(folder):
    write_saved(folder, added_tokens=[{"id": 12, "content": "<mask>"}, {"id": 13, "content": "<e1>"}])
    with pytest.warns(UserWarning, match=r"adds 1 tokens \(<e1>\); in a text they are ordinary text here"):
        assert len(Tokenizer.from_folder(folder).vocabulary) == 14


def test_named_class_chooses_between_two_vocabularies(folder):
    write_vocabulary(folder)
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n")
    assert Tokenizer.from_folder(folder).kind == "wordpiece"
    for name in ("RobertaTokenizer", "RobertaTokenizerFast"):
        write_json(folder, "tokenizer_config.json", tokenizer_class=name)
        assert Tokenizer.from_folder(folder).kind == "byte-level-bpe"


# Bad input

OTHER_RULES = [
    ({"normalizer": {"type": "NFC"}}, "changes texts by NFC; byte-level BPE reads them as they are"),
    ({"pre_tokenizer": {"type": "Metaspace"}}, "splits texts by Metaspace; only ByteLevel"),
    ({"pre_tokenizer": None}, "splits texts by nothing"),
    ({"pre_tokenizer": {"type": "ByteLevel", "use_regex": False}}, "only ByteLevel with its own pattern is known"),
    (
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits"}, {"type": "ByteLevel"}]}},
        "splits texts by Digits, ByteLevel; only",
    ),
    ({"model": {"type": "BPE", "dropout": 0.1}}, "asks for dropout=0.1, which byte-level BPE does not have"),
    ({"model": {"type": "BPE", "ignore_merges": True}}, "asks for ignore_merges=True"),
]


@pytest.mark.parametrize(("others", "message"), OTHER_RULES)
def test_other_rules_are_refused(folder, others, message):
    write_saved(folder, **others)
    with pytest.raises(InputError, match=message):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize(("others", "message"), OTHER_RULES[:2])
def test_other_rules_beside_a_vocabulary_warn(folder, others, message):
    write_vocabulary(folder)
    write_saved(folder, **others)
    with pytest.warns(UserWarning, match=rf"{message}.*; vocab.json and merges.txt are used"):
        assert Tokenizer.from_folder(folder).merges == MERGES


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ("#version: 0.2\na b\n\nĠ\n", "merges.txt, line 4: 'Ġ' is no merge; it should hold two pieces with a space"),
        ("a b c\n", "merges.txt, line 1: 'a b c' is no merge"),
        ("a  b\n", "merges.txt, line 1"),
        ("a b\nb a\n", r"merges\[1\] is \('b', 'a'\), but the vocabulary lacks 'ba'"),
    ],
)
def test_broken_merges_are_named(folder, merges, message):
    write_vocabulary(folder, merges=merges)
    with pytest.raises(InputError, match=message):
        Tokenizer.from_folder(folder)


def test_merges_that_are_not_utf8_are_named(folder):
    write_vocabulary(folder)
    (folder / "merges.txt").write_bytes(b"#version: 0.2\na b\n\xff c\n")
    with pytest.raises(InputError, match=r"merges.txt, line 3: not UTF-8"):
        Tokenizer.from_folder(folder)


def test_line_ends_of_windows_are_read(folder):
    write_vocabulary(folder, merges="#version: 0.2\r\na b\r\nĠ c\r\n# #\r\n")
    assert Tokenizer.from_folder(folder).merges == MERGES


def test_missing_merges_are_named(folder):
    write_vocabulary(folder)
    (folder / "merges.txt").unlink()
    with pytest.raises(InputError, match=r"merges.txt: there is no such file; it belongs to vocab.json"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize("ids", [{"a": "x"}, {"a": -1}, {"a": 1.5}])
def test_ids_that_are_no_numbers_are_named(folder, ids):
    write_vocabulary(folder)
    write_json(folder, "vocab.json", **ids)
    with pytest.raises(InputError, match=r"vocab.json: piece 'a' has the id .*; ids count from 0"):
        Tokenizer.from_folder(folder)


@pytest.mark.parametrize(
    "saved",
    [
        {"added_tokens": 5},
        {"model": {"type": "BPE", "vocab": {}, "merges": [5]}},
        {"model": {"type": "BPE", "vocab": 5, "merges": []}},
        {"pre_tokenizer": 5},
        {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": "x"}},
    ],
)
def test_values_of_another_kind_are_refused(folder, saved):
    write_saved(folder, **saved)
    with pytest.raises(InputError, match="holds a value of another kind"):
        Tokenizer.from_folder(folder)


# Saving


def make(**options):
    return ByteLevelBpeTokenizer([*ROBERTA, *PIECES, "<mask>"], MERGES, **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"add_prefix_space": True, "model_max_length": 512},
        {"separators": 1},
        {"mask_takes_space": False},
        {"special_tokens": {"pad": "<unk>", "cls": "</s>"}},
    ],
)
@pytest.mark.parametrize("files", ["all", "tokenizer.json"])
def test_saved_folder_reads_back(folder, options, files):
    tokenizer = make(**options)
    tokenizer.save(folder)
    if files == "tokenizer.json":
        (folder / "vocab.json").unlink()
        (folder / "merges.txt").unlink()
    again = Tokenizer.from_folder(folder)
    assert {name: getattr(again, name) for name in SETTINGS} == {name: getattr(tokenizer, name) for name in SETTINGS}


@pytest.mark.parametrize("options", [{}, {"add_prefix_space": True}, {"separators": 1, "segments": True}])
def test_saved_tokenizer_json_gives_our_rows_in_the_library(folder, options):
    tokenizer = make(mask_in_text=True, **options)
    tokenizer.save(folder)
    library = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    for first, second in [("ab c", "c"), ("a  <mask>", ""), ("é##", "ab <mask>b")]:
        ours = tokenizer([first], [second])
        theirs = library.encode(first, second)
        assert ours["token_ids"].tolist() == [theirs.ids]
        assert ours.get("segment_ids", ours["token_ids"] * 0).tolist() == [theirs.type_ids]


def test_existing_files_are_not_replaced_unless_forced(folder):
    make().save(folder)
    with pytest.raises(InputError, match=r"vocab.json exists"):
        make().save(folder)
    make(add_prefix_space=True).save(folder, force=True)
    assert Tokenizer.from_folder(folder).add_prefix_space


def test_merges_that_cannot_be_written_leave_nothing(folder):
    tokenizer = ByteLevelBpeTokenizer([*ROBERTA, "<mask>", " ", "a", " a"], [(" ", "a")])
    with pytest.raises(InputError, match=r"merge 0 \(' ', 'a'\) holds white space, so merges.txt cannot hold it"):
        tokenizer.save(folder / "new")
    assert not (folder / "new").exists()
