"""Without the automaton library, the findings are the same, in both looks."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacenda.transforms.generating.sample.corpus import conversations
from tests.benchmarks.bench_hostile import PIECES, WORDS, text_of

SCRIPT = """
import json, sys

if sys.argv[1] == "blocked":
    sys.modules["hyperscan"] = None  # an import of it fails from here on
from tacenda.transforms.detecting.patterns.prefilter import filtering
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

filtering.WORTH_BYTES = 0
settings = InspectSettings(tuple(catalogue()))
column = TextColumn(*json.load(sys.stdin))
found = []
for likelihood in (None, Likelihood.VERY_UNLIKELY):
    rules = RulesDetector(settings, likelihood)
    found.append(rules.find(column))
    found.append(SpokenDetector(rules, settings, likelihood).find(column))
json.dump({"automaton": sys.modules.get("hyperscan") is not None, "found": found}, sys.stdout)
"""

REAL_DATA = Path(__file__).parents[3] / "shared" / "data"
CONVERSATIONS = 8
"""Of each file and of the sample."""


def _hostile() -> Iterator[list[str]]:
    for piece in (*PIECES.values(), *WORDS.values()):
        yield [text_of(piece, length) for length in (7, 150, 1500)]


def _real() -> Iterator[list[str]]:
    for path in sorted(REAL_DATA.glob("*.dev.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for _, line in zip(range(CONVERSATIONS), lines, strict=False):
                yield [turn["text"][:1000] for turn in json.loads(line)["turns"]]


def _sample() -> Iterator[list[str]]:
    for conversation in conversations(1, 0, CONVERSATIONS):
        yield [turn["text"] for turn in conversation["turns"]]


def _run(how: str, several: list[list[str]]) -> dict[str, object]:
    first_cell = [0]
    for turns in several:
        first_cell.append(first_cell[-1] + len(turns))
    given = json.dumps([[text for turns in several for text in turns], first_cell])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, how], input=given, capture_output=True, text=True, check=True
    )
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


@pytest.mark.slow
@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(lambda: [*_sample(), *_hostile()], id="sample and hostile"),
        pytest.param(
            lambda: list(_real()),
            id="real",
            marks=pytest.mark.skipif(not REAL_DATA.is_dir(), reason="the corpora are not on this machine"),
        ),
    ],
)
def test_findings_do_not_depend_on_the_automaton_library(texts: object) -> None:
    pytest.importorskip("hyperscan")
    several = texts()  # type: ignore[operator]
    with_it, without_it = _run("free", several), _run("blocked", several)
    assert with_it["automaton"]
    assert not without_it["automaton"]
    assert with_it["found"] == without_it["found"]
    assert any(with_it["found"])  # type: ignore[arg-type]
