"""What the second look predicts beside a verdict, with the shipped network."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

SAID = (
    "hi, this is Anna Lindqvist calling about the invoice",
    "thanks, my sister grace will pick it up in Malmby",
    "we talked about the garden and the rain",
    "my number is 415 220 9112, ask for mr Okafor",
    "the Quuxby office will call you back, said tom",
)


@pytest.fixture
def source(lines: Lines) -> Path:
    return lines(
        *(
            {
                "conversation_id": f"c{number:02}",
                "context": "sales" if number % 2 else "support",
                "turns": [
                    {"speaker": "agent", "text": SAID[number % 5]},
                    {"speaker": "customer", "text": SAID[(number + 2) % 5]},
                ],
            }
            for number in range(40)
        )
    )


@pytest.fixture
def run(tacenda: Tacenda, source: Path) -> Any:
    return tacenda("anonymize", "--input", source)


def test_an_estimate_releases_nothing(run: Any) -> None:
    told = run.json("statistics.json")["estimate"]
    assert told["source"] == "estimate"
    assert set(told["contexts"]) == {"sales", "support"}
    assert told["total"]["count"] == 40
    assert 0 < told["total"]["mean"] < run.json("statistics.json")["sources"]["model"]["total"]["mean"]
    assert run.json("manifest.json")["verdict"]["state"] != "released"
    assert "Estimate from the second look alone" in (run.folder / "report.html").read_text(encoding="utf-8")


def test_risk_records_have_the_distribution_behind_it(run: Any) -> None:
    rows = run.risk()
    assert {row["source"] for row in rows} == {"model"}
    assert all(sum(row["expected"]) == 1_000_000 for row in rows)
    assert all(0 <= row["expected_direct"] <= 1_000_000 for row in rows)
    assert len({tuple(row["expected"]) for row in rows}) > 1
    # Of names, places and firms: seen by both looks, by the first alone, thousandths by the second alone.
    assert {len(row["looks"]) for row in rows} == {9}
    assert any(row["looks"][0] for row in rows)


def test_it_is_the_same_in_any_division(run: Any, tacenda: Tacenda, source: Path) -> None:
    again = tacenda("anonymize", "--input", source, "--unit-bytes", 1500)
    assert again.json("manifest.json")["units"]["rows"] > 1
    assert again.json("statistics.json")["estimate"] == run.json("statistics.json")["estimate"]
    expected = {row["conversation_id"]: row["expected"] for row in run.risk()}
    assert {row["conversation_id"]: row["expected"] for row in again.risk()} == expected


def test_it_is_the_same_on_beam(run: Any, tacenda: Tacenda, source: Path) -> None:
    beam = tacenda("anonymize", "--input", source, "--unit-bytes", 1500, "--runner=FnApiRunner")
    assert beam.json("statistics.json")["estimate"] == run.json("statistics.json")["estimate"]
    rows = [{row["conversation_id"]: row for row in one.risk()} for one in (run, beam)]
    assert rows[0] == rows[1]


def test_there_is_none_by_rules_alone(tacenda: Tacenda, source: Path) -> None:
    run = tacenda("anonymize", "--input", source, "--detector", "rules")
    assert "calibrated" in run.json("statistics.json")["estimate"]["refused"]
    assert "There is none" in (run.folder / "report.html").read_text(encoding="utf-8")
    assert all(row["expected"] is row["looks"] is None for row in run.risk())


def test_a_changed_estimate_is_detected(
    run: Any, call: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("verify", run.folder) == 0
    path = run.folder / "statistics.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    told["estimate"]["total"]["mean"] = 0.0
    path.write_text(json.dumps(told), encoding="utf-8")
    assert call("verify", run.folder) == 3
    assert "statistics.json, estimate: not what the manifest's counts give" in capsys.readouterr().out
