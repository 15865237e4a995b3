from importlib.resources import files
from pathlib import Path
from textwrap import dedent

import pytest

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.rules.catalogue import (
    catalogue,
    default_info_types,
    ranks,
    read_info_type,
)
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import CLASSES
from tests.cases import cases
from tests.info_types import checked_info_type

INFO_TYPES = Path(str(files("tacenda.transforms.detecting"))) / "rules" / "info_types"
RISK_TABLE = tuple(cases(__file__, "RISK_TABLE"))
NOT_DEFAULT = cases(__file__, "NOT_DEFAULT")

ENTRY = dedent(
    """
    name: "BADGE"
    description: "A badge."
    source: "None"
    regions: ["global"]
    rank: 5
    patterns:
      - regex: 'B\\d{4}'
        likelihood: "LIKELY"
    examples:
      find: [{text: "B1234", match: "B1234"}]
      ignore: []
    """
)


def _found(name, text):
    detector = RulesDetector(InspectSettings((name,)))
    return [text[f.start : f.end] for f in merge_overlapping(detector.find(TextColumn([text]))[0], ranks())]


@pytest.mark.parametrize(("name", "text", "match"), [(n, *e) for n, t in catalogue().items() for e in t.find])
def test_example_is_found(name, text, match):
    assert _found(name, text) == [match]


@pytest.mark.parametrize(("name", "text"), [(n, e) for n, t in catalogue().items() for e in t.ignore])
def test_example_is_ignored(name, text):
    assert _found(name, text) == []


@pytest.mark.parametrize("name", RISK_TABLE)
def test_the_risk_table_is_covered_with_examples(name):
    info_type = catalogue()[name]
    assert info_type.patterns
    assert info_type.find
    assert info_type.ignore
    assert info_type.default


def test_the_default_set_leaves_out_what_the_paper_leaves_out():
    assert not set(NOT_DEFAULT) & set(default_info_types())
    assert set(NOT_DEFAULT) <= set(catalogue())
    assert "DATE_OF_BIRTH" in default_info_types()


def test_catch_alls_have_the_lowest_ranks():
    lowest = sorted(ranks(), key=lambda name: ranks()[name])[:2]
    assert lowest == ["NUMERIC", "SPELLED_WORD"]


def test_every_shipped_file_is_valid_and_in_the_catalogue():
    info_types = [path.read_text(encoding="utf-8") for path in sorted(INFO_TYPES.rglob("*.yaml"))]
    assert {info_type.name: info_type for info_type in map(checked_info_type, info_types)} == dict(
        catalogue()
    )
    assert len(catalogue()) == len(info_types)


def test_fragments_are_inserted_by_name():
    head, patterns = ENTRY.split("patterns:")
    fragments = """fragments:
  four: '\\d{4}'
  badge: 'B(?&four)|C(?&four)'
  top: {word_list: "top_level_domains"}
"""
    called = patterns.replace("'B\\d{4}'", "'x(?&badge)y(?&top)'")
    entry = read_info_type(f"{head}{fragments}patterns:{called}")
    assert entry.patterns[0].regex.startswith(r"x(?:B(?:\d{4})|C(?:\d{4}))y(?:")
    assert "|com|" in entry.patterns[0].regex


def test_character_classes_are_at_most_sixteen():
    assert len(CLASSES) <= 16
