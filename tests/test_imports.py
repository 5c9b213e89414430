"""Imports run one way, and nothing heavy or unsafe is imported where it must not be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bert_keras

PACKAGE = Path(bert_keras.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Part -> the parts that it may import. `cli` and `quickstart`, on top of all, may import every other.
ANY = {"config", "errors", "files"}
ALLOWED = {
    "__init__": set(),
    "config": set(),
    "encoder": {"layers"},
    "errors": set(),
    "files": set(),
    "layers": set(),
    "lean": {"layers"},
    "losses": set(),
    "metrics": set(),
    "resources": set(),
    "text": set(),
    "weights": set(),
    "answers": {"text"},
    "sentence_modules": {"weights"},
    "families": {"layers", "text", "weights"},
    "tasks": {"encoder", "layers", "lean", "losses", "metrics"},
    "checkpoint": {"families", "sentence_modules", "weights"},
    "held_task": {"checkpoint", "families", "sentence_modules", "tasks", "weights"},
    "pretrained": {"checkpoint", "encoder", "families", "held_task", "sentence_modules", "tasks", "text", "weights"},
    "data": {"encoder", "losses", "metrics", "tasks", "text"},
    "evaluation": {"data", "metrics"},
    "training": {"data", "losses", "metrics", "tasks"},
    "export": {"answers", "checkpoint", "data", "encoder", "layers", "lean", "pretrained", "tasks", "text", "weights"},
    "explain": {"encoder", "layers", "tasks", "text"},
    "search": {"data", "export", "text"},
}
ON_TOP = {"cli", "quickstart"}
PEERS = {"torch", "transformers", "onnx", "onnxruntime", "pickle", "dill", "joblib"}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def parts_imported(path: Path) -> set[str]:
    names = (name.split(".") for name in imported(path))
    return {name[1] for name in names if name[0] == "bert_keras" and len(name) > 1}


def ids(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def test_every_part_has_a_rule():
    assert {part_of(path) for path in MODULES} <= ALLOWED.keys() | ON_TOP


@pytest.mark.parametrize("path", [path for path in MODULES if part_of(path) not in ON_TOP], ids=ids)
def test_imports_run_one_way(path):
    part = part_of(path)
    assert parts_imported(path) <= ALLOWED[part] | ANY | {part, "__version__"}


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_peers_and_pickle_are_never_imported(path):
    assert not {name.split(".")[0] for name in imported(path)} & PEERS


@pytest.mark.parametrize("module", ["bert_keras", "bert_keras.cli"])
def test_import_loads_nothing_heavy(module):
    heavy = {"tensorflow", "keras", "numpy", "tokenizers", "ai_edge_litert", "matplotlib"}
    code = f"import sys, {module}; print(*{heavy!r} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
