"""Formatted data in sentences from no corpus: rules and spoken detector, counted by language."""

from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.rules.catalogue import default_info_types, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.text.column import TextColumn
from tests.marked_text import unmarked

Entries = list[str | list[str]]


def _read(name: str) -> dict[str, Entries]:
    found: dict[str, Entries] = yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return found


FOUND = _read("forms.yaml")
NAMES = {"PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "NUMERIC"}
"""Left out: what has no form, and the catch-all that would cover any figures."""


class Count(NamedTuple):
    """Marked spans, those fully covered, and letters and digits found, correctly and wrongly."""

    spans: int
    covered: int
    right: int
    wrong: int


@cache
def _detectors() -> tuple[RulesDetector, SpokenDetector]:
    settings = InspectSettings(tuple(sorted({*default_info_types(), "DATE", "TIME"} - NAMES)))
    rules = RulesDetector(settings)
    return rules, SpokenDetector(rules, settings)


def _count(entries: Entries) -> list[Count]:
    """One count for each conversation."""
    conversations = [[entry] if isinstance(entry, str) else entry for entry in entries]
    texts, marks = zip(*(unmarked(sentence) for turns in conversations for sentence in turns), strict=True)
    cells = [0, *accumulate(map(len, conversations))]
    rules, spoken = _detectors()
    found = [
        merge_overlapping([*a, *b], ranks())
        for a, b in zip(
            rules.find(TextColumn(texts, cells)), spoken.find(TextColumn(texts, cells)), strict=True
        )
    ]
    counts = []
    for turns, first in zip(conversations, cells, strict=False):
        total = Count(0, 0, 0, 0)
        for cell in range(first, first + len(turns)):
            marked = marks[cell]
            letters = {i for i, c in enumerate(texts[cell]) if c.isalnum()}
            under = letters & {i for f in found[cell] for i in range(f.start, f.end)}
            wanted = letters & {i for start, end in marked for i in range(start, end)}
            covered = sum(letters & set(range(*span)) <= under for span in marked)
            total = _sum([total, Count(len(marked), covered, len(under & wanted), len(under - wanted))])
        counts.append(total)
    return counts


def _sum(counts: Iterable[Count]) -> Count:
    return Count(*map(sum, zip(*counts, strict=True)))


@cache
def _counts() -> dict[str, Count]:
    return {language: _sum(_count(entries)) for language, entries in FOUND.items()}


@pytest.mark.slow
def test_formatted_identifiers_are_found_with_high_precision() -> None:
    total = _sum(_counts().values())
    assert total.spans > 1000
    assert total.covered / total.spans >= 0.97
    assert total.right / (total.right + total.wrong) >= 0.97


@pytest.mark.parametrize("language", sorted(FOUND))
def test_forms_cover_every_language(language: str) -> None:
    count = _counts()[language]
    assert count.covered >= count.spans - 1
    assert count.right / (count.right + count.wrong) >= 0.93
