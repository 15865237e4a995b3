"""Kinds of data that no detector looked for are reported, not counted as 0."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LOCAL = ("--detector", "rules", "--detector", "gazetteer", "--workers", "1")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    texts = ["She was positive for HIV and is the only female mayor here.", "Rachel Green called about it."]
    turns = [{"speaker": "agent", "text": text} for text in texts]
    path.write_text(
        "".join(json.dumps({"conversation_id": f"c{i}", "turns": turns}) + "\n" for i in range(25))
    )
    return path


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    def write(*info_types: str, **risk: Any) -> Path:
        path = tmp_path / "config.json"
        inspect = {"info_types": [{"name": name} for name in info_types]}
        path.write_text(json.dumps({"inspect": inspect, "risk": risk}), encoding="utf-8")
        return path

    return write


def test_a_run_that_looks_for_ip_addresses_only_says_so(
    tacenda: Any, source: Path, config: Callable[..., Path]
) -> None:
    run = tacenda("anonymize", "--input", source, "--config", config("IP_ADDRESS"), *LOCAL)
    assert (run.folder / "_UNREVIEWED").exists()
    told = json.dumps(run.json("manifest.json")["verdict"]["rests_on"])
    assert "direct identifiers that no detector looked for: " in told
    assert "PERSON_NAME" in told


def test_a_narrow_search_passes_with_a_reported_reason(
    tacenda: Any, source: Path, config: Callable[..., Path]
) -> None:
    settings = config("IP_ADDRESS", because="the speakers are machines")
    run = tacenda("anonymize", "--input", source, "--config", settings, *LOCAL)
    assert run.code == 0
    told = json.dumps(run.json("manifest.json")["verdict"])
    assert "direct identifiers that no detector looked for: " in told
    assert "the speakers are machines" in told


def test_special_categories_that_nothing_looked_for_are_reported(tacenda: Any, source: Path) -> None:
    run = tacenda("anonymize", "--input", source, *LOCAL)
    told = run.json("manifest.json")["not_looked_for"]
    state = {(one["law"], one["name"]): one["looked_for"] for one in told["categories"]}
    assert state["GDPR Art. 9", "health"] == "in part"
    assert state["GDPR Art. 9", "religious or philosophical beliefs"] == "no"
    assert state["HIPAA, 45 CFR 164.514(b)(2)", "names"] == "yes"
    assert state["HIPAA, 45 CFR 164.514(b)(2)", "dates other than years, and ages over 89"] == "in part"
    assert len(state) == 8 + 18
    assert told["in_vain"] == ["MEDICAL_TERM"]
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    assert "religious or philosophical beliefs" in page
    assert "MEDICAL_TERM" in page


def test_info_types_without_a_detector_are_reported_at_launch(
    tacenda: Any, source: Path, config: Callable[..., Path]
) -> None:
    settings = config("MEDICAL_TERM", "ETHNIC_GROUP", "PERSON_NAME")
    run = tacenda("anonymize", "--input", source, "--config", settings, *LOCAL, "--dry-run")
    (note,) = [line for line in run.err.splitlines() if "no active detector can find" in line]
    assert "ETHNIC_GROUP" not in note
    assert "MEDICAL_TERM" in note
    assert "PERSON_NAME" not in note


def test_names_searched_by_rules_only_are_reported(tacenda: Any, source: Path, tmp_path: Path) -> None:
    settings = tmp_path / "config.json"
    settings.write_text(json.dumps({"risk": {"release_on": "no_review"}}), encoding="utf-8")
    run = tacenda(
        "anonymize", "--input", source, "--config", settings, "--detector", "rules", "--workers", "1"
    )
    assert run.code == 3
    (ground,) = [
        one
        for one in run.json("manifest.json")["verdict"]["rests_on"]
        if one["what"].startswith("only rules looked for")
    ]
    assert "PERSON_NAME" in ground["what"]
