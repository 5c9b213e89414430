"""Shared fixtures."""

import gc
from pathlib import Path

import pytest

REAL = Path(__file__).resolve().parent.parent / ".cache" / "real"


@pytest.fixture(scope="module", autouse=True)
def _short_collections():
    """Keep Python from walking, for half a minute at a time, through all that earlier modules' graphs left."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def write(tmp_path):
    """Write bytes or text to a file of a temporary folder and return its path."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder of real weights and text, or a skip that says how to fetch them."""
    if not (REAL / "COMPLETE").exists():
        pytest.skip("real weights are absent: run `python tests/fetch_real.py`")
    return REAL
