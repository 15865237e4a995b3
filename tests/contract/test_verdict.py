"""``docs/evidence/verdict.json``: every row has a defence and an existing test."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def _rows():
    tables = json.loads((ROOT / "docs" / "evidence" / "verdict.json").read_text("utf-8"))
    return [row for table in tables.values() for row in table["rows"]]


def test_the_page_has_a_row_for_each_way_that_was_tried():
    assert len(_rows()) > 40
    assert len({row[0] for row in _rows()}) == len(_rows())


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row[0][:60])
def test_each_row_names_an_existing_test(row):
    tried, stopped, tests = row
    named = _TEST.findall(tests)
    assert tried
    assert stopped
    assert named
    for path, name in named:
        assert f"\ndef {name}(" in (ROOT / path).read_text("utf-8"), f"{path}::{name}"
