"""docs/mathematics.md names files, classes and tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "mathematics.md").read_text(encoding="utf-8")


def test_every_file_exists():
    files = set(re.findall(r"`((?:bert_keras|tests)/[\w/]+\.py)", PAGE))

    assert len(files) > 20
    assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []


def test_every_test_exists():
    tests = set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE))

    assert len(tests) > 30
    missing = [
        f"{file}::{name}" for file, name in sorted(tests) if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert missing == []


def test_every_class_and_function_is_in_its_file():
    named = set(re.findall(r"`(bert_keras/[\w/]+\.py)` `(\w+)`", PAGE))

    assert len(named) > 10
    missing = [
        f"{file} {name}"
        for file, name in sorted(named)
        if not re.search(rf"^(class|def) {name}\b", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    ]
    assert missing == []


def test_every_layer_is_on_the_page():
    layers = [
        file.name for file in (ROOT / "bert_keras" / "layers").glob("*.py") if "@keras" in file.read_text("utf-8")
    ]

    # GatherRows only picks rows, and an initializer is no layer.
    assert {name for name in layers if f"layers/{name}" not in PAGE} == {"gather_rows.py", "initializer.py"}


def test_every_section_of_the_page_has_its_number():
    assert re.findall(r"^## (\d+)\.", PAGE, re.MULTILINE) == [str(i) for i in range(1, 25)]
