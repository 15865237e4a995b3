"""Attempts to get an unearned release, as by a careful opponent: none of them ends with _SUCCESS."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

NAME = "Zorblax Quuxington"
NO_REVIEW = "release_on: no_review, because: a trial that stays in this room"


def _call(number: int, context: str = "sales", text: str = "we talked about the garden", **more: Any) -> Any:
    turns = [{"speaker": "agent", "text": text, **more.pop("turn", {})}]
    return {"conversation_id": f"c{number}", "context": context, "turns": turns, **more}


@pytest.fixture
def anonymize(tacenda: Tacenda, lines: Lines, tmp_path: Path) -> Callable[..., Any]:
    """``anonymize(records, "threshold: 4", …)``: with a risk section, by rules alone."""

    def run(records: list[Any], risk: str = NO_REVIEW, *more: object) -> Any:
        (tmp_path / "c.yaml").write_text(f"risk: {{{risk}}}\n")
        config = ["--config", tmp_path / "c.yaml"] if risk else []
        return tacenda("anonymize", "--input", lines(*records), "--detector", "rules", *config, *more)

    return run


def _state(run: Any) -> Any:
    state = run.json("manifest.json")["verdict"]["state"]
    markers = {path.name for path in run.folder.iterdir() if path.name.startswith("_")}
    assert markers == {{"released": "_SUCCESS", "unreviewed": "_UNREVIEWED", "held": "_HELD"}[state]}
    assert (run.folder / "corpus").exists() == (state != "held")
    assert run.code == (3 if state == "held" else 0)
    return state


def _why(run: Any) -> str:
    told = run.json("manifest.json")["verdict"]
    return json.dumps([told["held_by"], told["lacks"]])


def _grounds(run: Any) -> Any:
    return run.json("manifest.json")["verdict"]["rests_on"]


def test_a_config_that_says_so_in_words_releases_and_the_report_says_it(anonymize: Any) -> None:
    run = anonymize([_call(i) for i in range(40)])
    assert _state(run) == "released"
    told = run.json("_SUCCESS")
    assert told["evidence"] == "no_review"
    assert told["because"] == "a trial that stays in this room"
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    assert "a trial that stays in this room" in page


def test_without_a_reason_somebody_has_to_read(anonymize: Any) -> None:
    run = anonymize([_call(i) for i in range(40)], "release_on: no_review")
    assert _state(run) == "held"
    assert "risk.because" in _why(run)


@pytest.mark.parametrize("risk", ["", NO_REVIEW])
def test_mostly_quarantined_input_is_held(anonymize: Any, risk: str) -> None:
    run = anonymize([_call(0), *[b"{oops"] * 99], risk)
    assert _state(run) == "held"
    assert "99 of 100 rows are in quarantine" in _why(run)


def test_contexts_of_another_field_are_reported(anonymize: Any) -> None:
    run = anonymize([_call(i, kind="all") for i in range(40)], NO_REVIEW, "--field", "context=kind")
    assert "contexts are taken from the field kind" in json.dumps(run.json("_SUCCESS")["rests_on"])


@pytest.mark.parametrize(
    "weak",
    [
        "overrides: {PERSON_NAME: 0}",
        "overrides: {PERSON_NAME: {direct: false}}",
        "labels: {EMAIL_ADDRESS: unscored}",
        "threshold: 6",
        "variant_clustering: true",
        "preset: worked_example",
        "largest_quarantined_share: 0.5",
        "least_conversations: 2",
    ],
)
def test_what_weakens_the_gate_is_reported_and_needs_a_reason(anonymize: Any, weak: str) -> None:
    gold = {"gold": "complete", "turn": {"spans": [{"start": 3, "end": 9, "label": "LOCATION"}]}}
    records = [_call(i, **gold) for i in range(40)]
    run = anonymize(records, weak)
    assert _state(run) == "unreviewed"
    assert "settings weaken the gate" in _why(run)
    assert any(ground["weakens"] for ground in run.json("_UNREVIEWED")["rests_on"])
    assert "Weakens" in (run.folder / "report.html").read_text(encoding="utf-8") or "weakens" in (
        run.folder / "report.html"
    ).read_text(encoding="utf-8")
    run = anonymize(records, f"{weak}, because: agreed with counsel")
    assert _state(run) == "released"
    assert "agreed with counsel" in json.dumps(run.json("_SUCCESS")["rests_on"])


def test_exclusion_rules_are_reported(tacenda: Tacenda, lines: Lines, tmp_path: Path) -> None:
    everything = {"regex": {"pattern": "(?s).+"}, "matching_type": "MATCHING_TYPE_FULL_MATCH"}
    rules = {
        "info_types": [{"name": "EMAIL_ADDRESS"}, {"name": "DOMAIN_NAME"}],
        "rules": [{"exclusion_rule": everything}],
    }
    records = [_call(i, text="write to pam@example.com") for i in range(40)]
    config = tmp_path / "c.json"
    for risk, state in (
        ({}, "unreviewed"),
        ({"release_on": "no_review", "because": "the addresses are ours"}, "released"),
    ):
        config.write_text(json.dumps({"inspect": {"rule_set": [rules]}, "risk": risk}))
        run = tacenda("anonymize", "--input", lines(*records), "--detector", "rules", "--config", config)
        assert _state(run) == state
        assert run.corpus()[0]["turns"][0]["text"] == "write to pam@example.com"
        assert {
            "what": "exclusion rules (inspect.rule_set): 1; what they reject is readable: "
            "DOMAIN_NAME 40, EMAIL_ADDRESS 40",
            "weakens": True,
        } in run.json("manifest.json")["verdict"]["rests_on"]


def test_complete_gold_does_not_cover_kept_fields(anonymize: Any) -> None:
    records = [_call(i, gold="complete", turn={"spans": []}, note=f"{NAME} came") for i in range(40)]
    assert _state(anonymize(records, "")) == "released"
    run = anonymize(records, "", "--keep", "note")
    assert _state(run) == "unreviewed"
    assert "gold of turns alone, which does not cover the texts of kept fields: 40" in _why(run)


def test_gold_that_is_what_the_detectors_found_is_reported(anonymize: Any) -> None:
    spans = [{"start": 9, "end": 24, "label": "EMAIL_ADDRESS"}]
    records = [
        _call(i, text="write to pam@example.com", gold="complete", turn={"spans": spans}) for i in range(40)
    ]
    run = anonymize(records, "")
    assert _state(run) == "unreviewed"
    assert "gold that is nearly what the detectors found (40 of 40 places alike)" in _why(run)


def test_a_fixed_value_that_is_what_it_replaces_needs_a_reason(
    tacenda: Tacenda, lines: Lines, tmp_path: Path
) -> None:
    fixed = {"replace_config": {"new_value": {"string_value": "PAM@example.com"}}}
    policies = {"info_type_transformations": {"transformations": [{"primitive_transformation": fixed}]}}
    records = [_call(i, text="write to pam@example.com", gold="complete") for i in range(40)]
    for record in records:
        record["turns"][0]["spans"] = [{"start": 9, "end": 24, "label": "EMAIL_ADDRESS"}]
    config = tmp_path / "c.json"
    config.write_text(json.dumps({"deidentify": policies}))
    run = tacenda("anonymize", "--input", lines(*records), "--detector", "rules", "--config", config)
    assert _state(run) == "unreviewed"
    assert "a fixed value says what it replaces, or a part of that: 40 findings (EMAIL_ADDRESS)" in _why(run)


@pytest.mark.parametrize(("named", "state"), [(0, "released"), (1, "released"), (2, "held"), (24, "held")])
def test_full_names_in_more_than_one_of_fifty_conversations_of_gold_hold(
    anonymize: Any, named: int, state: str
) -> None:
    spans = [{"start": 3, "end": 19, "label": "PERSON_NAME"}]
    records = [_call(i, gold="complete", turn={"spans": spans if i < named else []}) for i in range(50)]
    run = anonymize(records, "")
    assert _state(run) == state
    told = run.json("manifest.json")["verdict"]["figures"]
    assert told["direct_identifiers"] == {"found": named, "at_most": named / 50}


@pytest.mark.parametrize("gold", [{}, {"gold": "partial"}])
def test_empty_or_partial_gold_never_decides_alone(anonymize: Any, gold: dict[str, str]) -> None:
    records = [
        _call(i, text="call me at 555-0134, 4111111111111", turn={"spans": []}, **gold) for i in range(40)
    ]
    run = anonymize(records, "")
    sources = run.json("statistics.json")["sources"]
    assert set(sources) == {"gold", "model"}
    assert sources["gold"]["total"]["max"] == 0
    assert sources["model"]["total"]["count"] == 40
    assert _state(run) != "released"
    told = run.json("manifest.json")["verdict"]
    assert told["evidence"] is None
    assert "partial or empty in 40" in json.dumps([told["lacks"], told["rests_on"]])


def test_empty_gold_that_says_it_is_complete_decides(anonymize: Any) -> None:
    run = anonymize([_call(i, gold="complete", turn={"spans": []}) for i in range(40)], "")
    assert _state(run) == "released"
    assert run.json("_SUCCESS")["evidence"] == "gold"
    assert set(run.json("statistics.json")["sources"]) == {"gold"}


def test_gold_without_annotations_of_text_that_nothing_looked_at_needs_a_reason(
    tacenda: Tacenda, lines: Lines, tmp_path: Path
) -> None:
    config = tmp_path / "c.json"
    records = [
        _call(i, text="I am Pam, pam@example.com", gold="complete", turn={"spans": []}) for i in range(40)
    ]
    for risk, state in (({}, "unreviewed"), ({"because": "the names are invented"}, "released")):
        config.write_text(json.dumps({"inspect": {"info_types": [{"name": "URL"}]}, "risk": risk}))
        run = tacenda("anonymize", "--input", lines(*records), "--detector", "rules", "--config", config)
        assert _state(run) == state
        (ground,) = [g for g in _grounds(run) if "gold without a single annotation" in g["what"]]
        assert ground["weakens"]


@pytest.mark.parametrize("empty", ["", " \u200b", "…"])
def test_many_conversations_without_a_word_need_a_reason(anonymize: Any, empty: str) -> None:
    gold = {"gold": "complete", "turn": {"spans": []}}
    calls = [_call(i, **gold) for i in range(38)]
    for without, weakens in ((2, False), (3, True)):
        run = anonymize([*calls, *(_call(99 + i, text=empty, **gold) for i in range(without))], "")
        assert {
            "what": f"conversations without a word, which score 0: {without} of {38 + without}",
            "weakens": weakens,
        } in _grounds(run)
        assert _state(run) == ("unreviewed" if weakens else "released")


def test_a_part_of_a_corpus_is_not_released(anonymize: Any) -> None:
    records = [_call(i, gold="complete", turn={"spans": []}) for i in range(60)]
    run = anonymize(records, "", "--limit", 40)
    assert _state(run) == "unreviewed"
    assert "20 rows not read (--limit): a part of a corpus is not released" in _why(run)
    told = "40 of 60 rows: the rest was not read, by request (--limit)"
    assert {"what": told, "weakens": False} in _grounds(run)


def test_complete_gold_that_covers_few_replacements_needs_a_reason(anonymize: Any) -> None:
    mail = "write to pam@example.com, we talked about the garden"
    spans = [{"start": 9, "end": 24, "label": "EMAIL_ADDRESS"}]

    def records(known: int) -> list[Any]:
        return [
            _call(i, text=mail, gold="complete", turn={"spans": spans if i < known else []})
            for i in range(40)
        ]

    run = anonymize(records(26), "")
    assert _state(run) == "unreviewed"
    assert "lacks 14 of the 40 places that were replaced" in _why(run)
    assert _state(anonymize(records(26), "because: the others are public addresses")) == "released"
    assert _state(anonymize(records(27), "")) == "released"


def test_one_conversation_without_gold_prevents_the_release(anonymize: Any) -> None:
    records = [_call(i, gold="complete", turn={"spans": []}) for i in range(40)]
    assert _state(anonymize([*records, _call(99)], "")) == "unreviewed"
