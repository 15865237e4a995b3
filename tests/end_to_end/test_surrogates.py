"""Surrogates in whole runs: the output, equality on every executor, and a secret that never appears."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

TINY = Path(__file__).parents[1] / "golden" / "tiny_masked_lm"
SECRET = "0123456789abcdef0123456789abcdef"
TURNS = [
    ("Pam Beesly", "This is Pam Beesly, write to pam.beesly@dunder.com or call 570-867-5309."),
    ("agent", "Thanks, Pam. Is 4111 1111 1111 1111 still your card, Ms Beesly?"),
]


def _talk(conversation_id: str) -> dict[str, Any]:
    return {
        "conversation_id": conversation_id,
        "turns": [{"speaker": who, "text": text} for who, text in TURNS],
    }


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("A_SECRET", SECRET)
    file = tmp_path / "config.yaml"
    file.write_text("replacement: {default: surrogates, secret: env:A_SECRET}\n")
    return file


def test_a_person_has_one_surrogate_in_a_conversation(tacenda: Tacenda, lines: Lines, config: Path) -> None:
    run = tacenda("anonymize", "--input", lines(_talk("a")), "--config", config)
    assert run.code == 0, run.err
    first, second = run.corpus()[0]["turns"]
    said = re.fullmatch(
        r"This is (\w+) (\w+), write to (\w+)\.(\w+)@\w+\.example\.com or call \d{3}-555-01\d\d\.",
        first["text"],
    )
    assert said, first
    given, family = said[1], said[2]
    assert first["speaker"] == f"{given} {family}"
    assert (said[3], said[4]) == (given.lower(), family.lower())
    answer = rf"Thanks, {given}\. Is 4\d{{3}} \d{{4}} \d{{4}} \d{{4}} still your card, Ms {family}\?"
    assert re.fullmatch(answer, second["text"])
    assert "Pam" not in json.dumps(run.corpus())
    assert "Beesly" not in json.dumps(run.corpus())


@pytest.mark.parametrize("default", ["surrogates", "random", "masked_lm"])
def test_drawn_values_do_not_depend_on_workers(
    tacenda: Tacenda, lines: Lines, config: Path, default: str
) -> None:
    config.write_text(
        f"replacement: {{default: {default}, secret: env:A_SECRET, masked_lm: {{path: {TINY}}}}}\n"
    )
    given = "anonymize", "--input", lines(*(_talk(str(n)) for n in range(6))), "--config", config
    run = tacenda(*given, "--unit-bytes", "1000000", "--workers", "1")
    assert run.corpus() == tacenda(*given, "--unit-bytes", "600", "--workers", "2").corpus()
    written = json.dumps(run.corpus())
    assert not any(word in written for word in ("Pam", "Beesly", "beesly", "5309", "4111"))
    assert "pseudonymised" in (run.folder / "report.html").read_text()


def test_manifest_and_report_say_that_names_are_invented(
    tacenda: Tacenda, lines: Lines, config: Path
) -> None:
    run = tacenda("anonymize", "--input", lines(_talk("a")), "--config", config)
    manifest = run.json("manifest.json")
    assert manifest["pseudonymised"] is True
    assert manifest["config"]["replacement"]["drawn"] == ["surrogates"]
    report = (run.folder / "report.html").read_text()
    assert "values in the corpus are invented (surrogates)" in report
    assert "pseudonymised, not anonymised, as long as the secret exists" in report
    everything = b"".join((run.folder / name).read_bytes() for name in run.files())
    assert SECRET.encode() not in everything


def test_surrogates_need_a_secret(tacenda: Tacenda, lines: Lines, tmp_path: Path) -> None:
    file = tmp_path / "none.yaml"
    file.write_text("replacement: {default: surrogates}\n")
    run = tacenda("anonymize", "--input", lines(_talk("a")), "--config", file)
    assert run.code == 2
    assert "surrogates need a secret; add secret: env:NAME or file:PATH" in run.err
    assert run.err.count("\n") == 1
