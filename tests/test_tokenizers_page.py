"""docs/tokenizers.md names the classes, files and special tokens that are there."""

import re
from pathlib import Path

import pytest

from bert_keras.text import Tokenizer
from bert_keras.text.kinds import KINDS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "tokenizers.md").read_text(encoding="utf-8")
GOLDEN = ROOT / "tests" / "golden" / "families"
# What the page calls the families -> their names in config.json.
FAMILIES = {
    "BERT, DistilBERT, ELECTRA": ["bert", "distilbert", "electra"],
    "RoBERTa, XLM-R": ["roberta", "xlm-roberta"],
    "ALBERT": ["albert"],
    "DeBERTa": ["deberta", "deberta-v2"],
}


def row(label):
    """The cells behind the first one of a table's row."""
    (line,) = re.findall(rf"^\| {re.escape(label)} \|(.*)\|$", PAGE, re.MULTILINE)
    return [cell.strip() for cell in line.split("|")]


def test_classes_are_those_of_the_kinds():
    assert row("class in `bert_keras.text`") == [f"`{kind.__name__}`" for kind in KINDS.values()]


@pytest.mark.parametrize("families", FAMILIES)
def test_special_tokens_and_pairs_are_those_of_the_family(families):
    named, pair, _ = row(families)
    for family in FAMILIES[families]:
        tokenizer = Tokenizer.from_folder(next((GOLDEN / family).iterdir()))
        roles = ("pad", "unk", "cls", "sep", "mask")
        assert re.findall(r"`(\S+)`", named) == [tokenizer.special_tokens[role] for role in roles]
        ids = tokenizer([""], [""])["token_ids"][0]
        right = " ".join(tokenizer.vocabulary[index] for index in ids)
        assert pair.strip("`").replace("</s></s>", "</s> </s>").replace(" A", "").replace(" B", "") == right


@pytest.mark.parametrize("kind, column", [(kind, column) for column, kind in enumerate(KINDS)])
def test_files_are_those_that_save_writes(kind, column, tmp_path):
    families = ["bert", "roberta", "albert"], ["xlm-roberta", "deberta-v2"]
    used = [families[0][column], *(families[1] if kind == "unigram" else [])]
    stated = set(re.findall(r"`([\w.]+\.\w+)`", row("writes")[column] + row("and")[0]))
    written = set()
    for family in used:
        tokenizer = Tokenizer.from_folder(next((GOLDEN / family).iterdir()))
        assert tokenizer.kind == kind
        tokenizer.save(tmp_path / family)
        written |= {file.name for file in (tmp_path / family).iterdir()}
    assert written == stated


def test_every_file_on_the_page_exists():
    files = set(re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", PAGE))
    assert len(files) >= 4
    assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []
