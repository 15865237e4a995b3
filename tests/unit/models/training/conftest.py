"""A tiny encoder as a start, and what its gold is labelled with."""

import json

import pytest

from tacenda.models.training.corpora import LabelScheme
from tests.tiny_bert import write_bert

LABELS = 'classes: ["O", "PERSON_NAME", "LOCATION"]\nignore: ["TITLE"]\n'


@pytest.fixture(scope="session")
def scheme():
    return LabelScheme.load(LABELS)


@pytest.fixture
def write(tmp_path):
    def to(records, name="gold.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        return path

    return to


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """A BERT of two layers, 32 wide, with random weights."""
    for name in ("torch", "safetensors.torch", "onnx"):
        pytest.importorskip(name, reason=f"needs {name}; pip install '.[train]'")
    return write_bert(tmp_path_factory.mktemp("base"), layers=2, seed=7)
