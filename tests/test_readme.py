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

ROOT = Path(__file__).parent.parent
PACKAGE = Path(bert_keras.__file__).parent
BLOCKS = re.findall(
    r"^```(\w*)\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
COMMANDS = [text.splitlines() for kind, text in BLOCKS if kind == "bash"]
# What CI itself runs, in an empty environment: these tests are part of the second.
INSTALLS = [["pip install . && bert-keras quickstart"], ['pip install ".[test]" && pytest']]

HUB_ID = "sentence-transformers/all-MiniLM-L6-v2"
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
    """Variables of a shell that finds `bert-keras`, and in the hub's cache the encoder that the README names."""
    folder = tmp_path_factory.mktemp("reader")
    model = folder / "hub" / f"models--{HUB_ID.replace('/', '--')}"
    (model / "refs").mkdir(parents=True)
    (model / "refs" / "main").write_text("1" * 40)
    (model / "snapshots").mkdir()
    (model / "snapshots" / ("1" * 40)).symlink_to(real / "minilm", target_is_directory=True)
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
def run(environment, tmp_path):
    """Run a command in a folder that holds train.tsv and valid.tsv; gives what it printed and its complaints."""
    (tmp_path / "train.tsv").write_text(short_texts("train.tsv"), encoding="utf-8")
    (tmp_path / "valid.tsv").write_text(short_texts("test.tsv"), encoding="utf-8")

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
        if command == "evaluate":
            assert f"{2 * TEXTS_A_LABEL} examples: accuracy 0." in printed
        if command == "predict":
            assert [answer.split("\t")[0] in LABELS for answer in printed.splitlines()] == [True] * 2
