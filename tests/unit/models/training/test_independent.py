import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tacenda.models.independent.detector import IndependentDetector
from tacenda.models.independent.tagger import CLASSES, shipped_tagger
from tacenda.models.training.independent import examples_of, maker_of, trained
from tacenda.models.training.sources import sources
from tacenda.transforms.text.column import TextColumn

torch = pytest.importorskip("torch")

NAMES = ("anna", "berta", "carla", "dora", "emma", "frida")
THINGS = ("invoice", "garden", "router", "ticket", "window", "order")


def _write(path: Path, source: str) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for number in range(120):
            name, thing = NAMES[number % 6], THINGS[number // 6 % 6]
            text = f"my name is {name} and this is about the {thing}"
            span = {"start": 11, "end": 11 + len(name), "label": "PERSON_NAME"}
            turns = [{"text": text, "spans": [span]}]
            lines.write(
                json.dumps({"id": str(number), "source": source, "lang": "en", "turns": turns}) + "\n"
            )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    _write(tmp_path / "restaurant8k.train.jsonl.gz", "restaurant8k")
    _write(tmp_path / "wikigold.train.jsonl.gz", "wikigold")
    _write(tmp_path / "kind-it.dev.jsonl.gz", "kind-it")
    return tmp_path


def test_a_word_may_be_what_its_corpus_leaves_out(data: Path) -> None:
    buckets, allowed, weights = examples_of(data / "restaurant8k.train.jsonl.gz")
    assert len(buckets) == len(allowed) == len(weights) == 120 * 10
    named = dict(zip(CLASSES, allowed[3].tolist(), strict=True))
    assert [name for name, may in named.items() if may] == ["PERSON_NAME"]
    # Restaurants8k has names alone, so another word may be a place, but no person.
    assert dict(zip(CLASSES, allowed[0].tolist(), strict=True)) == {
        "O": True,
        "PERSON_NAME": False,
        "LOCATION": True,
        "ORGANIZATION_NAME": True,
        "GENERIC_ID": True,
    }


def test_it_learns_from_listed_files_less_those_of_some_makers(data: Path) -> None:
    tagger = trained(data, {"wikigold"})
    assert tagger.provenance["files"] == ["restaurant8k.train.jsonl.gz"]
    found = IndependentDetector(tagger).find(TextColumn(["my name is anna and this is about the garden"]))[0]
    assert any((one.start, one.end, one.info_type) == (11, 15, "PERSON_NAME") for one in found)
    again = trained(data, {"wikigold"})
    assert np.array_equal(tagger.weights, again.weights)


def test_the_shipped_tagger_learned_from_listed_files_alone() -> None:
    listed = sources()
    files = shipped_tagger().provenance["files"]
    assert [name for name in files if "training" not in listed[name].uses] == []


def test_a_maker_is_the_beginning_of_a_name() -> None:
    assert maker_of("multiconer-en.train.jsonl.gz") == maker_of("multiconer-es.dev.jsonl.gz") == "multiconer"
