"""Help, version, and wrong use of the command line itself."""

import os
import subprocess
import sys

import pytest

from bert_keras import __version__
from bert_keras.cli.app import COMMANDS

NAMES = [command.__name__ for command in COMMANDS]


def test_every_command_of_the_design_is_there():
    assert NAMES == [
        "quickstart",
        "pretrain",
        "finetune",
        "evaluate",
        "predict",
        "explain",
        "export",
        "convert",
        "inspect",
        "embed",
        "search",
    ]


def test_help_lists_every_command(bert_keras_command):
    outcome = bert_keras_command("--help")
    assert outcome.code == 0
    assert all(name in outcome.stdout for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_json_and_debug(bert_keras_command, name):
    outcome = bert_keras_command(name, "--help")
    assert outcome.code == 0
    assert "--json" in outcome.stdout
    assert "--debug" in outcome.stdout


def test_version(bert_keras_command):
    assert bert_keras_command("--version").stdout.strip() == f"bert-keras {__version__}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["predict"],
        ["finetune", "folder"],
        ["finetune", "folder", "--train", "t.tsv", "--out", "o", "--epochs", "many"],
        ["finetune", "folder", "--train", "t.tsv", "--out", "o", "--epochs", "0"],
        ["finetune", "folder", "--train", "t.tsv", "--out", "o", "--task", "no-such-task"],
        ["export", "folder", "--to", "onnx", "--out", "o"],
        ["export", "folder", "--to", "tflite", "--recipe", "int3", "--out", "no-such-file"],
        ["export", "folder", "--to", "saved-model", "--check", "c.tsv", "--out", "o"],
        ["evaluate", "folder", "d.tsv", "--predictions", "answers.xml"],
        ["predict", "folder", "a text", "--file", "texts.txt"],
        ["convert", "folder", "out", "--task", "no-such-task"],
        ["pretrain", "--text", "t.txt", "--out", "o", "--max-length", "100000"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-2:]),
)
def test_wrong_use_exits_with_2_and_says_why(bert_keras_command, arguments):
    outcome = bert_keras_command(*arguments)
    assert outcome.code == 2
    assert "Error" in outcome.stderr
    assert "Traceback" not in outcome.stderr


def run_program(*arguments):
    code = "from bert_keras.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment)


def test_no_word_of_the_libraries_reaches_a_user(classifier):
    done = run_program("predict", str(classifier[1]), "a calm and pretty beach")
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_a_failure_is_one_line_of_the_program_itself(tmp_path):
    done = run_program("convert", "source", str(tmp_path))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_debug_shows_the_trace(tmp_path):
    done = run_program("convert", "source", str(tmp_path), "--debug")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
