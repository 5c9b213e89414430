"""Every command and every line of Python in the README, run as a reader would run them."""

import ast
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bert_keras
from bert_keras import families
from bert_keras.weights import tf1_config
from bert_keras.weights.keras_hub.families import BY_MODEL_TYPE

ROOT = Path(__file__).parent.parent
PACKAGE = Path(bert_keras.__file__).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
# Those of every task are run by test_readme_tasks.py.
TASKS = README.partition("\n## Every task")[2].partition("\n## ")[0]
COMMANDS = [text.splitlines() for kind, text in BLOCKS if kind == "bash" and text not in TASKS]
# What CI itself runs, in an empty environment: these tests are part of the second.
INSTALLS = [["pip install . && bert-keras quickstart"], ['pip install ".[test]" && pytest']]

# Hub id -> the real model that stands for it: SciBERT's place has another torch file.
HUB = {"sentence-transformers/all-MiniLM-L6-v2": "minilm", "allenai/scibert_scivocab_uncased": "albert-rxn"}
LABELS = ["negative", "positive"]
TEXTS_A_LABEL = 16
# What TensorFlow says whenever it is imported.
GREETING = "warning: all log messages before absl::initializelog() is called are written to stderr"


def test_every_block_is_run_or_plain_text():
    assert {kind for kind, _ in BLOCKS} == {"python", "bash", "text"}
    assert len(COMMANDS) > len(INSTALLS)


def test_installation_is_one_command_each():
    assert [lines for lines in COMMANDS if lines[0].startswith("pip")] == INSTALLS


def short_texts(name):
    """A table of the shortest bundled texts of each label."""
    header, *lines = (PACKAGE / "resources" / "sentiment" / name).read_text(encoding="utf-8").splitlines()
    chosen = []
    for label in LABELS:
        chosen += sorted((line for line in lines if line.startswith(label)), key=len)[:TEXTS_A_LABEL]
    return "\n".join([header, *chosen]) + "\n"


@pytest.fixture(scope="module")
def environment(real, tmp_path_factory):
    """Variables of a shell that finds `bert-keras`, and in the hub's cache the models that the README names."""
    folder = tmp_path_factory.mktemp("reader")
    for hub_id, name in HUB.items():
        model = folder / "hub" / f"models--{hub_id.replace('/', '--')}"
        (model / "refs").mkdir(parents=True)
        (model / "refs" / "main").write_text("1" * 40)
        (model / "snapshots").mkdir()
        (model / "snapshots" / ("1" * 40)).symlink_to(real / name, target_is_directory=True)
    command = folder / "bin" / "bert-keras"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from bert_keras.cli import main; main()" "$@"\n')
    command.chmod(0o755)
    return os.environ | {
        "HF_HUB_CACHE": str(folder / "hub"),
        "HF_HUB_OFFLINE": "1",
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PACKAGE.parent),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }


@pytest.fixture
def run(environment, real, tmp_path):
    """Run a command in a folder that holds the README's files; gives what it printed and its complaints."""
    (tmp_path / "train.tsv").write_text(short_texts("train.tsv"), encoding="utf-8")
    (tmp_path / "valid.tsv").write_text(short_texts("test.tsv"), encoding="utf-8")
    (tmp_path / "roberta.base").mkdir()
    (tmp_path / "roberta.base" / "model.pt").symlink_to(real / "roberta-vh" / "checkpoint_vh.pt")
    (tmp_path / "roberta.base" / "dict.txt").symlink_to(real / "roberta-vh" / "dict.txt")

    def run(command):
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout, done.stderr

    return run


@pytest.mark.parametrize("block", PYTHON)
def test_python_runs(block, run, tmp_path):
    printed, complaints = run([sys.executable, "-c", block])
    answers = ast.literal_eval(printed.splitlines()[-1])
    assert "warning" not in complaints.lower().replace(GREETING, "")
    assert [set(answer["scores"]) for answer in answers] == [set(LABELS)] * 2
    assert all(answer["score"] == max(answer["scores"].values()) for answer in answers)
    assert (tmp_path / "sentiment" / "model.safetensors").is_file()
    assert (tmp_path / "serving" / "sentiment" / "1" / "saved_model.pb").is_file()


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
            assert f"{2 * TEXTS_A_LABEL} examples: accuracy 0." in printed
        if command == "predict":
            assert [answer.split("\t")[0] in LABELS for answer in printed.splitlines()] == [True] * 2


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
