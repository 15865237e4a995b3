"""Text that no detector covers is never part of a release."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ENGLISH = ["Hello, how can I help you today?", "I would like to change my plan, please."]
HINDI = ["नमस्ते, मैं राहुल शर्मा बोल रहा हूँ, आपका नाम क्या है?", "मेरा नाम प्रिया वर्मा है और मैं दिल्ली में रहती हूँ।"]
POLISH = ["Dzień dobry, w czym mogę pomóc?", "Nazywam się Jan Kowalski i mieszkam w Krakowie od roku."]
TINY = str(Path(__file__).parents[1] / "golden" / "tiny_model")
LOCAL = ("--detector", "rules", "--detector", "gazetteer", "--workers", "1")


@pytest.fixture
def source(tmp_path: Path) -> Callable[..., Path]:
    def write(*conversations: list[str]) -> Path:
        path = tmp_path / "in.jsonl"
        with path.open("w", encoding="utf-8") as lines:
            for i, texts in enumerate(conversations):
                turns = [{"speaker": "agent", "text": text} for text in texts]
                lines.write(json.dumps({"conversation_id": f"c{i}", "turns": turns}) + "\n")
        return path

    return write


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    def write(**languages: Any) -> Path:
        path = tmp_path / "config.json"
        path.write_text(json.dumps({"languages": languages}), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(("texts", "name"), [(HINDI, "Hindi"), (POLISH, "Polish")])
def test_a_corpus_in_an_uncovered_language_can_be_held(
    tacenda: Any, source: Callable[..., Path], config: Callable[..., Path], texts: list[str], name: str
) -> None:
    words = ["--input", source(ENGLISH, texts, ENGLISH), "--config", config(uncovered="hold")]
    run = tacenda("anonymize", *words, *LOCAL)
    assert run.code == 3
    (reason,) = [line for line in run.json("manifest.json")["verdict"]["held_by"] if "language" in line]
    assert f"1 ({name} 1)" in reason
    assert "languages.uncovered" in reason
    assert reason in run.out
    assert not (run.folder / "_SUCCESS").exists()
    told = run.json("statistics.json")["languages"]
    assert told["conversations_not_covered"] == 1
    assert [
        (row["name"], row["covered"], row["turns"], row["conversations"])
        for row in told["by_language"].values()
    ] == [("English", True, 4, 2), (name, False, 2, 1)]


def test_conversations_in_uncovered_languages_are_quarantined(
    tacenda: Any, source: Callable[..., Path]
) -> None:
    """Not those with a stretch in another language, and the run is held only where they are many."""
    mixed = [*ENGLISH, POLISH[1]]
    run = tacenda("anonymize", "--input", source(ENGLISH, HINDI, mixed, *[ENGLISH] * 20), *LOCAL)
    assert run.code == 0
    assert not any("language" in line for line in run.json("manifest.json")["verdict"]["held_by"])
    assert [row["conversation_id"] for row in run.corpus()] == ["c0", *(f"c{i}" for i in range(2, 23))]
    assert {row["error"] for row in run.quarantine()} == {"LanguageNotCovered"}
    assert run.rows() == {
        "in": 23,
        "out": 22,
        "quarantined": 1,
        "dropped": 0,
        "not_read": 0,
        "balanced": True,
    }
    told = run.json("statistics.json")["languages"]
    assert ([*told["by_language"]], told["conversations_quarantined"]) == (["en", "pl"], 1)
    assert tacenda("anonymize", "--input", source(ENGLISH, HINDI), *LOCAL).code == 3


def test_a_language_may_be_accepted_with_a_reason_that_is_reported(
    tacenda: Any, source: Callable[..., Path], config: Callable[..., Path]
) -> None:
    settings = config(accepted={"pl": "read by two people who know it"})
    run = tacenda("anonymize", "--input", source(ENGLISH, POLISH), "--config", settings, *LOCAL)
    assert not any("language" in line for line in run.json("manifest.json")["verdict"]["held_by"])
    assert run.json("manifest.json")["config"]["languages"] == {
        "covered": ["da", "en", "es", "fi", "nb", "sv"],
        "accepted": {"pl": "read by two people who know it"},
        "uncovered": "quarantine",
    }
    told = "text in pl is released by request: read by two people who know it"
    assert told in [ground["what"] for ground in run.json("manifest.json")["verdict"]["rests_on"]]
    assert told in (run.folder / "report.html").read_text(encoding="utf-8")
    for reason in ("", " ", None):
        words = ["--input", source(ENGLISH, POLISH), "--config", config(accepted={"pl": reason}), *LOCAL]
        refused = tacenda("anonymize", *words)
        assert refused.code == 2
        assert "languages.accepted" in refused.err


def test_a_language_that_a_model_is_only_said_to_cover_needs_a_reason(
    tacenda: Any, lines: Callable[..., Path], tmp_path: Path
) -> None:
    settings = tmp_path / "config.json"
    turns = [{"speaker": "agent", "text": text, "spans": []} for text in [*ENGLISH, POLISH[0]]]
    calls = lines(
        *({"conversation_id": f"c{i}", "turns": turns, "gold": "complete"} for i in range(20)),
        name="in.jsonl",
    )
    claim = {"models": [{"path": TINY, "languages": ["en", "pl"]}]}
    for risk, state in (({}, "unreviewed"), ({"because": "measured elsewhere"}, "released")):
        settings.write_text(json.dumps({**claim, "risk": risk}), encoding="utf-8")
        run = tacenda("anonymize", "--input", calls, "--config", settings, "--workers", "1")
        (ground,) = [
            ground
            for ground in run.json("manifest.json")["verdict"]["rests_on"]
            if "by a claim alone" in ground["what"]
        ]
        assert ground["what"].startswith("Polish (20 turns)")
        assert ground["weakens"]
        assert run.json("manifest.json")["verdict"]["state"] == state


def test_short_answers_numbers_and_code_do_not_hold(tacenda: Any, source: Callable[..., Path]) -> None:
    run = tacenda("anonymize", "--input", source(["ok", "4711"], ENGLISH, ["x = f(y[0]);", "{}"]), *LOCAL)
    told = run.json("statistics.json")["languages"]
    assert {name: row["conversations"] for name, row in told["by_language"].items()} == {"en": 1, "none": 2}
    assert told["by_language"]["none"]["covered"] is None
    assert not any("language" in line for line in run.json("manifest.json")["verdict"]["held_by"])


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"uncovered": "release"}, "hold or quarantine"),
        ({"accepted": {"pl": ""}}, "give the reason in words"),
        ({"accepted": {"xx": "why"}}, "a language that cannot be recognised"),
        ({"accepted": ["pl"]}, "must be a mapping"),
        ({"ignored": True}, "languages.ignored: is not a setting"),
    ],
)
def test_invalid_language_settings_are_one_clear_line(
    tacenda: Any, source: Callable[..., Path], config: Callable[..., Path], section: dict[str, Any], told: str
) -> None:
    run = tacenda("anonymize", "--input", source(ENGLISH), "--config", config(**section), *LOCAL)
    assert run.code == 2
    assert told in run.err
    assert run.err.count("\n") == 1


SHORT = ["bonjour jean dupont"]


def test_text_too_short_for_language_detection_is_reported(tacenda: Any, source: Callable[..., Path]) -> None:
    run = tacenda("anonymize", "--input", source(*[ENGLISH] * 3, SHORT), *LOCAL)
    assert run.json("statistics.json")["languages"]["conversations_undecided"] == 1
    page = " ".join((run.folder / "report.html").read_text(encoding="utf-8").split())
    assert "1 conversation has too few words to tell the language" in page
    assert "nobody can tell" not in json.dumps(run.json("manifest.json")["verdict"])


def test_a_corpus_mostly_of_short_text_is_reported(tacenda: Any, source: Callable[..., Path]) -> None:
    run = tacenda("anonymize", "--input", source(*[ENGLISH] * 19, *[SHORT] * 21), *LOCAL)
    told = "text too short to identify its language, in 21 conversations: most of them"
    assert {"what": told, "weakens": False} in run.json("manifest.json")["verdict"]["rests_on"]
