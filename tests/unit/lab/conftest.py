"""A tiny masked language model with known probabilities (``tests/golden/tiny_masked_lm/build.py``)."""

import shutil
from pathlib import Path

import pytest

TINY = Path(__file__).parents[2] / "golden" / "tiny_masked_lm"


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(TINY, tmp_path / "tiny")
