"""The figures of speed in the documents were written by a benchmark."""

import json
import re
from importlib.util import find_spec

import pytest

from tests.benchmarks.bench_job import STAGES, slower_than
from tests.benchmarks.figures import (
    EVIDENCE,
    FOLDER,
    PAGES,
    ROOT,
    Figure,
    load,
    rendered,
    shown,
    with_evidence,
)
from tests.benchmarks.rounds import Spread, alternate, ratio, speed
from tests.cases import tabled

RECORDS = sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tables_are_what_their_records_say(page):
    text = page.read_text("utf-8")  # type: ignore[attr-defined]
    assert rendered(text) == text, "python -m tests.benchmarks.figures writes the tables anew"


def test_the_readme_says_how_fast_one_process_is():
    told = re.search(r"about\s+(\d+)\s+KB of text a second", (ROOT / "README.md").read_text("utf-8"))
    first = load("anonymize")["rows"][0]
    assert first["what"] == "one process"
    assert told
    assert int(told[1]) == pytest.approx(first["value"]["median"], rel=0.1)


def test_every_record_is_on_a_page():
    pages = [*PAGES, *EVIDENCE.glob("*.md")]
    on_pages = {name for page in pages for name in shown(page.read_text("utf-8"))}
    assert RECORDS
    assert on_pages == {*RECORDS}


def test_every_table_of_evidence_is_on_a_page_once():
    tables = [
        (file.stem, name) for file in EVIDENCE.glob("*.json") for name in json.loads(file.read_text("utf-8"))
    ]
    text = "\n".join(page.read_text("utf-8") for page in EVIDENCE.glob("*.md"))
    assert sorted(re.findall(r"<!-- table ([\w-]+): ([^>]+) -->", text)) == sorted(tables)
    whole = with_evidence(text)
    assert "<!-- table" not in whole
    assert re.search(r"\| PERSON_NAME \| 8,348 \| \.8\d\d ", whole)


def test_rows_of_evidence_have_their_columns():
    for file in EVIDENCE.glob("*.json"):
        for name, table in json.loads(file.read_text("utf-8")).items():
            assert {len(table["align"]), *map(len, table["rows"])} == {len(table["columns"])}, name


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_says_how_it_was_measured(name):
    record = load(name)
    _, _, module, *_ = record["command"].split()
    assert find_spec(module), module
    assert f"--figures {name}" in record["command"]
    # Shares come out alike in every round; times do not.
    assert record["rounds"] >= (1 if {row["unit"] for row in record["rows"]} == {"%"} else 3)
    for row in record["rows"]:
        for value in (row["value"], row["ratio"]):
            assert value is None or value["least"] <= value["median"] <= value["most"], row


def test_a_changed_figure_shows():
    for name in RECORDS:
        page = f"<!-- figures {name} -->\nold\n<!-- end -->"
        assert rendered(rendered(page)) == rendered(page) != page


def test_a_page_may_show_some_rows():
    for name in RECORDS:
        rows = load(name)["rows"]
        first = rows[0]["what"]
        page = rendered(f"<!-- figures {name}: {first} -->\n<!-- end -->")
        assert page.count(f"| {first} |") == sum(row["what"] == first for row in rows)
        assert page.count("\n| ") == page.count(f"| {first} |") + 1


def test_rounds_alternate_and_the_first_does_not_count():
    order = []
    taken = iter([9.0, 9.0, 2.0, 4.0, 1.0, 5.0, 3.0, 3.0])

    def stage(name):
        order.append(name)
        return next(taken)

    seconds = alternate({"a": lambda: stage("a"), "b": lambda: stage("b")}, 3)
    assert order == ["a", "b"] * 4
    assert seconds == {"a": [2, 1, 3], "b": [4, 5, 3]}
    assert speed(6, seconds["a"]) == Spread(3, 2, 6)
    assert ratio(seconds["a"], seconds["b"]) == Spread(0.5, 0.2, 1)
    assert json.dumps(seconds)


@tabled("what", "on", "times", "fails")
def test_a_slower_job_or_stage_fails(what, on, times, fails):
    table = load("job")
    figures = []
    for row in table["rows"]:
        if row["ratio"]:
            now = row["ratio"]["median"] * (times if (row["what"], row["on"]) == (what, on) else 1)
            figures.append(
                Figure(row["what"], row["on"], row["unit"], Spread(now, now, now), "", Spread(now, now, now))
            )
    slower = slower_than(table, figures)
    assert len(slower) == fails
    assert all(what in line for line in slower)


def test_the_stages_of_a_job_are_where_the_benchmark_looks():
    assert [
        place for places in STAGES.values() for place in places.split() if not (ROOT / place).exists()
    ] == []
