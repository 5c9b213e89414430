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


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder of real weights and text, or a skip that says how to fetch them."""
    if not (REAL / "COMPLETE").exists():
        pytest.skip("real weights are absent: run `python tests/fetch_real.py`")
    return REAL
