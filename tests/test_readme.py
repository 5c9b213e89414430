"""The README's commands, run as a reader would run them, and its tables beside the code."""

import re
import shlex

import pytest
import reader
from reader import BLOCKS, README, ROOT

import bert_keras
from bert_keras import families
from bert_keras.weights import tf1_config
from bert_keras.weights.keras_hub.families import BY_MODEL_TYPE

# Those of every task are run by test_readme_tasks.py.
TASKS = README.partition("\n## Every task")[2].partition("\n## ")[0]
COMMANDS = [text.splitlines() for kind, text in BLOCKS if kind == "bash" and text not in TASKS]
# What CI itself runs, in an empty environment: these tests are part of the second.
INSTALLS = [["pip install . && bert-keras quickstart"], ['pip install ".[test]" && pytest']]


def test_every_block_is_run_or_plain_text():
    assert {kind for kind, _ in BLOCKS} == {"python", "bash", "text"}
    assert len(COMMANDS) > len(INSTALLS)


def test_installation_is_one_command_each():
    assert [lines for lines in COMMANDS if lines[0].startswith("pip")] == INSTALLS


@pytest.fixture
def run(real, tmp_path):
    return reader.shell(real, tmp_path)


@pytest.mark.parametrize("lines", [lines for lines in COMMANDS if lines not in INSTALLS])
def test_commands_run(lines, run, tmp_path):
    for line in lines:
        printed, complaints = run(["bash", "-c", line])
        assert complaints == ""
        program, command, *arguments = shlex.split(line)
        assert program == "bert-keras"
        if "--out" in arguments:
            assert (tmp_path / arguments[arguments.index("--out") + 1]).exists()
        if command == "convert":
            assert (tmp_path / arguments[1] / "model.safetensors").exists()
            assert " 0 variables new; saved" in printed
        if command == "evaluate":
            assert f"{2 * reader.TEXTS_A_LABEL} examples: accuracy 0." in printed
        if command == "predict":
            assert [answer.split("\t")[0] in reader.LABELS for answer in printed.splitlines()] == [True] * 2


COMMON_HEADS = {"fill-mask", "text-classification", "token-classification", "question-answering", "multiple-choice"}
# What the table calls a family -> its name in config.json.
FAMILY_ROWS = {
    "BERT, SciBERT, BioBERT": "bert",
    "RoBERTa": "roberta",
    "XLM-R": "xlm-roberta",
    "ALBERT": "albert",
    "DistilBERT": "distilbert",
    "ELECTRA": "electra",
    "DeBERTa v1": "deberta",
    "DeBERTa v2, v3": "deberta-v2",
}


def cells_of_families():
    """The cells of the table of families, by the name in config.json."""
    section = README.partition("## Families")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")][2:]
    return {FAMILY_ROWS[row[0].strip()]: [cell.strip() for cell in row] for row in rows}


def expanded(names):
    """The names that `a-{b,c}` stands for."""
    first, brace, rest = names.partition("{")
    if not brace:
        return [names]
    options, _, rest = rest.partition("}")
    return [first + option + end for option in options.split(",") for end in expanded(rest)]


def test_every_family_has_a_row():
    assert set(cells_of_families()) == set(families.FAMILIES)


@pytest.mark.parametrize("family", families.FAMILIES)
def test_row_of_a_family_says_what_the_code_has(family):
    _, sizes, _, kind, loads, saves, strings, heads, _ = cells_of_families()[family]
    module = families.FAMILIES[family]
    named = [name for names in re.findall(r"`([^`]+)`", sizes) for name in expanded(names)]
    assert sorted(named) == sorted(name for name, values in module.SIZES.items() if values["model_type"] == family)

    tokenizer = bert_keras.Tokenizer.from_folder(next((ROOT / "tests" / "golden" / "families" / family).iterdir()))
    assert tokenizer.kind == kind.lower().replace(" ", "-")
    assert strings == ("both" if kind == "WordPiece" else "–")

    formats = {"TF1": tf1_config.CONFIG_FILES, "KerasHub": BY_MODEL_TYPE, "fairseq": {"roberta"}}
    assert [name.removesuffix(" (v3)") for name in loads.split(", ")] == (
        [name for name, known in formats.items() if family in known] or ["–"]
    )
    layouts = {"tf1": tf1_config.CONFIG_FILES, "keras-hub": BY_MODEL_TYPE}
    assert re.findall(r"`([^`]+)`", saves) == [layout for layout, known in layouts.items() if family in known]

    own = set(module.HEADS.values()) - {"feature-extraction"}
    stated = set(re.findall(r"`([^`]+)`", heads))
    assert own == (COMMON_HEADS - stated if heads.startswith("not ") else COMMON_HEADS | stated)


def test_page_of_the_families_lists_every_size_with_its_parameters():
    page = (ROOT / "docs" / "families.md").read_text(encoding="utf-8")
    stated = {
        name: int(count.replace(",", "")) for name, count in re.findall(r"^\| `(\S+)` \| ([\d,]+) \|$", page, re.M)
    }
    sizes = {name for family in families.FAMILIES.values() for name in family.SIZES}
    assert set(stated) == sizes
    # What tests/families counts, but for BERT's in tests/test_config.py.
    counted = {
        name: count
        for file in sorted((ROOT / "tests").glob("**/test_*.py"))
        for name, count in re.findall(r'^    "([a-z0-9.-]+)": ([\d_]+),$', file.read_text("utf-8"), re.M)
    }
    assert stated == {name: int(counted[name]) for name in stated}


def test_contributing_names_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w/.]+\.(?:py|ipynb|md|cfg))`", text) if "NAME" not in name}
    folders = (".", "bert_keras", "bert_keras/weights", "docs", "tests", "tests/families", "tests/golden")
    assert len(named) > 25
    assert [name for name in sorted(named) if not any((ROOT / folder / name).exists() for folder in folders)] == []
