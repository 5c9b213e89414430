"""A reader of the README: its blocks, and a shell in a folder with the files and models that they name."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import bert_keras

ROOT = Path(__file__).parent.parent
PACKAGE = Path(bert_keras.__file__).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
# Hub id -> the real model that stands for it: SciBERT's place has another torch file.
HUB = {"sentence-transformers/all-MiniLM-L6-v2": "minilm", "allenai/scibert_scivocab_uncased": "albert-rxn"}
LABELS = ["negative", "positive"]
TEXTS_A_LABEL = 16


def shell(real: Path, folder: Path) -> Callable[[list[str]], tuple[str, str]]:
    """Put the README's files into a folder.

    Returns:
        A function that runs a command there and gives what it printed and its complaints.
    """
    (folder / "train.tsv").write_text(_short_texts("train.tsv"), encoding="utf-8")
    (folder / "valid.tsv").write_text(_short_texts("test.tsv"), encoding="utf-8")
    (folder / "roberta.base").mkdir()
    (folder / "roberta.base" / "model.pt").symlink_to(real / "roberta-vh" / "checkpoint_vh.pt")
    (folder / "roberta.base" / "dict.txt").symlink_to(real / "roberta-vh" / "dict.txt")
    environment = _environment(real, folder / ".home")

    def run(command: list[str]) -> tuple[str, str]:
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout, done.stderr

    return run


def _short_texts(name: str) -> str:
    """A table of the shortest bundled texts of each label."""
    header, *lines = (PACKAGE / "resources" / "sentiment" / name).read_text(encoding="utf-8").splitlines()
    chosen = []
    for label in LABELS:
        chosen += sorted((line for line in lines if line.startswith(label)), key=len)[:TEXTS_A_LABEL]
    return "\n".join([header, *chosen]) + "\n"


def _environment(real: Path, home: Path) -> dict[str, str]:
    """Variables of a shell that finds `bert-keras`, and in the hub's cache the models that the README names."""
    for hub_id, name in HUB.items():
        model = home / "hub" / f"models--{hub_id.replace('/', '--')}"
        (model / "refs").mkdir(parents=True)
        (model / "refs" / "main").write_text("1" * 40)
        (model / "snapshots").mkdir()
        (model / "snapshots" / ("1" * 40)).symlink_to(real / name, target_is_directory=True)
    command = home / "bin" / "bert-keras"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from bert_keras.cli import main; main()" "$@"\n')
    command.chmod(0o755)
    return os.environ | {
        "HF_HUB_CACHE": str(home / "hub"),
        "HF_HUB_OFFLINE": "1",
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PACKAGE.parent),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
