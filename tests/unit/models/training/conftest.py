"""A tiny encoder as a start, and gold whose names a network can learn in a few steps."""

import json
import random

import pytest

from tacenda.models.training.corpora import LabelScheme
from tests.tiny_bert import (
    TINY,  # noqa: F401 - the tests of this room import it from here
    write_bert,
)

PEOPLE = ("Pam", "Dwight", "José", "O", "Schrute")
PLACES = ("Scranton", "New York", "York")
FRAMES = (
    "my name is {p} from {l}",
    "hello {p} and the beet in {l}",
    "call it maybe",
    "will {p} call from {l} ?",
)
LABELS = 'classes: ["O", "PERSON_NAME", "LOCATION"]\nignore: ["TITLE"]\n'


@pytest.fixture(scope="session")
def scheme():
    return LabelScheme.load(LABELS)


def gold(count, seed=1, **fields):
    """Complete conversations of two turns; every fourth has its own subject."""
    rng = random.Random(seed)
    return [
        {
            "id": f"{seed}-{i}",
            "source": "office",
            "lang": "en",
            "subject_id": f"s{i // 4}",
            "turns": [_turn(rng), _turn(rng)],
            **fields,
        }
        for i in range(count)
    ]


def _turn(rng):
    frame, text, spans = rng.choice(FRAMES), "", []
    for piece in frame.replace("{", "\n{").replace("}", "}\n").split("\n"):
        values = {"{p}": ("PERSON_NAME", PEOPLE), "{l}": ("LOCATION", PLACES)}.get(piece)
        if values is None:
            text += piece
            continue
        value = rng.choice(values[1])
        spans.append({"start": len(text), "end": len(text) + len(value), "label": values[0]})
        text += value
    return {"speaker": "a", "text": text, "spans": spans}


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
