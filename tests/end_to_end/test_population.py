"""Shares of values in a population, as a config gives them: who else is like what is left."""

from collections.abc import Callable
from math import exp, expm1
from pathlib import Path
from typing import Any

import pytest

from tests.command import call

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

CONFIG = """
risk:
  population:
    people: 1000001
    shares:
      AGE: {"34": 0.01, "91": 0.000001}
      LOCATION: {Kiruna: 0.002}
"""
SAID = (
    "all is well",
    "she is (34)[MISSED_AGE]",
    "he is (91)[MISSED_AGE] and from (Kiruna)[MISSED_LOCATION]",
    "ask (Ann Lee)[MISSED_PERSON_NAME], who is (91)[MISSED_AGE]",
)


@pytest.fixture
def words(lines: Lines, tmp_path: Path) -> list[object]:
    config = tmp_path / "population.yaml"
    config.write_text(CONFIG, "utf-8")
    records = ({"conversation_id": f"c{i:02}", "turns": [{"text": SAID[i % 4]}]} for i in range(40))
    return ["score", "--input", lines(*records), "--config", config, "--reviewed"]


@pytest.fixture
def run(tacenda: Tacenda, words: list[object]) -> Any:
    return tacenda(*words, "--unit-bytes", 900)


def test_the_figures_follow_from_the_risk_records(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.json("manifest.json")["units"]["rows"] > 1
    rows = [row for row in run.risk() if not row["direct_identifier"]]
    others = [row["others"] for row in rows if row["others"] is not None]
    assert {round(one, 6) for one in others} == {10_000, 0.002}
    told = run.json("statistics.json")["identifiability"]["human"]["population"]
    assert told["with_values"] == len(others) == 20
    assert told["unique"] == pytest.approx(sum(exp(-one) for one in others), abs=0.01)
    assert told["small"] == 10
    right = sum(-expm1(-one) / one for one in others)
    assert told["average_risk"] == pytest.approx((10 + right) / 40, abs=1e-5)
    report = (run.folder / "report.html").read_text("utf-8")
    assert "In the population of the config" in report
    assert call(capsys, "verify", run.folder)[0] == 0


def test_it_is_the_same_on_beam(run: Any, tacenda: Tacenda, words: list[object]) -> None:
    beam = tacenda(*words, "--runner=FnApiRunner")
    assert beam.json("statistics.json")["identifiability"] == run.json("statistics.json")["identifiability"]
