"""Score: annotators' marks become a score, checked with the paper's own examples, and a verdict."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reviewing.marks import parse
from tests.end_to_end.conftest import counts

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]
Annotated = tuple[list[dict[str, Any]], list[str]]

# Gardiner et al., CALD-pseudo 2024, tables 2 and 3, as annotated there.
TABLE_2 = [
    "My name is [PERSON_NAME_1] (Green)[MISSED_PERSON_NAME_PARTIAL] from "
    "(Dunder Mifflin)[MISSED_ORGANIZATION_NAME_SPEAKER].",
    "We are no (staples)[MISSED_ORGANIZATION_NAME], the order is B. [NUMERIC_1] C. for A. two.",
    "Write to (M-K two one)[MISSED_EMAIL_PARTIAL] [EMAIL_ADDRESS_1].",
]
TABLE_3 = [
    "I am with (XYZ lawyer)[MISSED_ORGANIZATION_NAME_SPEAKER], see (IRS dot gov)[MISSED_URL].",
    "This is (ABC incorporated)(MISSED_ORGANIZATION_NAME_SPEAKER).",
]
MARC = ["(Marc)[MISSED_PERSON_NAME_PARTIAL] "] * 4
VARIANTS = [f"({name})[MISSED_PERSON_NAME_PARTIAL#m]" for name in ("Mark", "Marc", "M-A-R-K")]


def _record(conversation_id: str, texts: Iterable[str], **more: Any) -> dict[str, Any]:
    return {
        "conversation_id": conversation_id,
        "turns": [{"speaker": "Person 1", "text": text} for text in texts],
        **more,
    }


def _scores(run: Any) -> dict[str, int]:
    return {row["conversation_id"]: row["score"] for row in run.risk()}


def _inline(record: dict[str, Any], folder: Path) -> tuple[dict[str, Any], list[object]]:
    return record, []


def _in_records(record: dict[str, Any], folder: Path) -> tuple[dict[str, Any], list[object]]:
    turns = []
    for turn in record["turns"]:
        plain, spans = parse(turn["text"])
        turns.append({**turn, "text": plain, "spans": [span._asdict() for span in spans]})
    return {**record, "turns": turns}, []


def _in_files(record: dict[str, Any], folder: Path) -> tuple[dict[str, Any], list[object]]:
    spans, (plain, _) = folder / "spans.parquet", _in_records(record, folder)
    rows = [
        {"conversation_id": record["conversation_id"], "turn": number, **span}
        for number, turn in enumerate(plain["turns"])
        for span in turn.pop("spans")
    ]
    pq.write_table(pa.Table.from_pylist(rows), spans)
    return plain, ["--spans", spans]


@pytest.mark.parametrize("form", [_inline, _in_records, _in_files])
@pytest.mark.parametrize(
    ("texts", "preset", "score"),
    [
        (TABLE_2, "worked_example", 6),
        (TABLE_2, "appendix", 7),
        (TABLE_3, "appendix", 6),
        (MARC, "appendix", 3),
        (VARIANTS, "appendix", 3),
    ],
)
def test_the_papers_examples_in_all_three_forms(
    tacenda: Any, lines: Any, tmp_path: Path, form: Any, texts: list[str], preset: str, score: int
) -> None:
    record, more = form(_record("t", texts), tmp_path)
    run = tacenda("score", "--input", lines(record), "--risk-preset", preset, *more)
    assert [(row["source"], row["score"]) for row in run.risk()] == [("human", score)]
    assert run.code == (0 if score < 5 else 3)
    assert not (run.folder / "corpus").exists()


def test_variants_without_an_entity_are_joined_where_the_config_says_so(
    tacenda: Any, lines: Any, tmp_path: Path
) -> None:
    source = lines(_record("t", [text.replace("#m", "") for text in VARIANTS]))
    assert _scores(tacenda("score", "--input", source)) == {"t": 9}
    (tmp_path / "c.yaml").write_text("risk:\n  variant_clustering: true\n")
    assert _scores(tacenda("score", "--input", source, "--config", tmp_path / "c.yaml")) == {"t": 3}


def test_an_unknown_tag_is_quarantined_and_not_scored_as_zero(tacenda: Any, lines: Any) -> None:
    source = lines(
        _record("a", ["(x)[MISSED_NO_SUCH_THING]"]),
        _record("b", ["(x)[MISSED_URL"]),
        _record("c", ["(Marc)[MISSED_PERSON_NAME_PARTIAL]"]),
        _record("d", ["hello"]),
    )
    run = tacenda("score", "--input", source)
    assert run.code == 3
    assert "2 reviewed rows are in quarantine" in run.out
    assert _scores(run) == {"c": 3}
    assert [(q["stage"], q["error"]) for q in run.quarantine()] == [
        ("score", "UnknownTag"),
        ("score", "MalformedMarkup"),
    ]
    assert run.manifest["rows"] == counts(4, 2, quarantined=2)


def test_unreviewed_conversations_are_not_in_the_figures(tacenda: Any, lines: Any) -> None:
    source = lines(
        _record("a", ["(Marc)[MISSED_PERSON_NAME_PARTIAL]"], context="sales"),
        *(_record(f"u{i}", ["hello"], context="sales") for i in range(3)),
    )
    run = tacenda("score", "--input", source)
    figures = run.json("statistics.json")["sources"]["human"]["contexts"]["sales"]
    assert (figures["count"], figures["unreviewed"], figures["mean"]) == (1, 3, 3.0)
    assert _scores(run) == {"a": 3}
    reviewed = tacenda("score", "--input", source, "--reviewed")
    figures = reviewed.json("statistics.json")["sources"]["human"]["contexts"]["sales"]
    assert (figures["count"], figures["unreviewed"], figures["mean"]) == (4, 0, 0.75)
    assert _scores(reviewed) == {"a": 3, "u0": 0, "u1": 0, "u2": 0}


def test_an_empty_reader_means_unread(tacenda: Any, lines: Any) -> None:
    source = lines(*(_record(f"c{i}", ["hello"], reviewed_by="" if i < 3 else "Pam") for i in range(40)))
    run = tacenda("score", "--input", source, "--reviewed")
    assert (run.folder / "_SCORED").exists()
    assert "3 conversations have no marks, and no sign that anybody read them" in run.out
    untouched = lines(*(_record(f"c{i}", ["hello"], reviewed_by="") for i in range(40)))
    run = tacenda("score", "--input", untouched, "--reviewed")
    assert run.code == 3
    assert "no conversation was scored" in run.out


@pytest.mark.parametrize(
    ("more", "by"),
    [
        ([], "Jim (10) and unnamed people (30)"),
        (["--reviewer", "Pam Beesly"], "Pam Beesly (30) and Jim (10)"),
    ],
)
def test_readers_are_reported(tacenda: Any, lines: Any, more: list[str], by: str) -> None:
    records = [_record(f"c{i}", ["hello"], **({"reviewed_by": "Jim"} if i < 10 else {})) for i in range(40)]
    run = tacenda("score", "--input", lines(*records), "--reviewed", *more)
    assert run.code == 0, run.out
    told = run.json("_SCORED")["rests_on"]
    assert f"a review of 40 conversations by {by}" in [ground["what"] for ground in told]
    assert f"by {by}" in run.report
    assert run.manifest["totals"]["readers"] == {"": 30, "Jim": 10}


def test_what_nobody_marked_or_signed_needs_a_reason(tacenda: Any, lines: Any) -> None:
    marked = [_record(f"m{i}", ["in (May)[MISSED_DATE]"]) for i in range(20)]
    clean = [_record(f"c{i}", ["hello"]) for i in range(20)]
    assert (tacenda("score", "--input", lines(*marked), "--reviewed").folder / "_SCORED").exists()
    spans = lines(*({"conversation_id": f"c{i}", "label": None} for i in range(20)))
    for words in (["--reviewed"], ["--spans", spans]):
        told = tacenda("score", "--input", lines(*clean), *words).json("_SCORED")
        assert "whose reader nobody names (--reviewer, reviewed_by): 20" in told["lacks"][0]
        run = tacenda("score", "--input", lines(*clean), *words, "--reviewer", "Pam")
        assert not run.json("_SCORED")["lacks"]


@pytest.mark.parametrize("name", ["", " ", "-", "\u3164", "x" * 101])
def test_a_reviewer_needs_a_name(tacenda: Any, lines: Any, name: str) -> None:
    run = tacenda("score", "--input", lines(_record("a", ["hi"])), "--reviewed", "--reviewer", name)
    assert run.code == 2
    assert "--reviewer: give a name" in run.err


def test_a_review_of_part_of_the_corpus_holds(tacenda: Any, lines: Any) -> None:
    records = [_record(f"c{i}", ["hello"]) for i in range(20)]
    records.append(_record("worst", ["(Pam Lee)[MISSED_PERSON_NAME]"]))
    run = tacenda("score", "--input", lines(*records), "--reviewed", "--limit", 20, "--release-anyway", "so")
    assert run.code == 3
    assert "1 reviewed row was left out by --limit" in run.out


def test_a_corpus_without_reviews_is_held(tacenda: Any, lines: Any) -> None:
    run = tacenda("score", "--input", lines(_record("a", ["hello"])))
    assert run.code == 3
    assert "no conversation was scored" in run.out


def test_a_null_row_of_a_spans_file_is_a_zero(tacenda: Any, lines: Any) -> None:
    spans = lines({"conversation_id": "a", "label": None}, {"conversation_id": "b", "label": None})
    source = lines(_record("a", ["hello"]), _record("b", ["hi"]), _record("c", ["hi"]))
    run = tacenda("score", "--input", source, "--spans", spans)
    assert run.code == 0, run.err
    assert _scores(run) == {"a": 0, "b": 0}


def test_reviews_of_other_conversations_hold_the_run(tacenda: Any, lines: Any) -> None:
    spans = lines({"conversation_id": "a", "label": None}, {"conversation_id": "zz", "label": None})
    run = tacenda(
        "score", "--input", lines(_record("a", ["hello"])), "--spans", spans, "--release-anyway", "so"
    )
    assert run.code == 3
    assert "2 conversations are reviewed in the spans files, 1 of them" in run.out


def test_exit_codes(tacenda: Any, lines: Any) -> None:
    low = [_record(f"c{i}", ["(x dot gov)[MISSED_URL]"]) for i in range(4)]
    assert tacenda("score", "--input", lines(*low)).code == 0
    high = _record("h", ["(Pam Lee)[MISSED_PERSON_NAME]"])
    assert tacenda("score", "--input", lines(high)).code == 3
    assert tacenda("score", "--input", lines(high), "--release-anyway", "a test").code == 3
    for wrong in (["--spans", "nowhere.jsonl"], ["--risk-preset", "nice"], ["--release-anyway", " "]):
        refused = tacenda("score", "--input", lines(high), *wrong)
        assert refused.code == 2
        assert refused.err.count("\n") == 1


def test_a_gold_corpus_counts_as_gold_zeros_too(tacenda: Any, lines: Any) -> None:
    def gold(conversation_id: str, *labels: str) -> dict[str, Any]:
        spans = [{"start": i, "end": i + 1, "label": label} for i, label in enumerate(labels)]
        return {
            "conversation_id": conversation_id,
            "turns": [{"speaker": "agent", "text": "abcdef", "spans": spans}],
        }

    run = tacenda(
        "score", "--input", lines(gold("a", "PERSON_NAME", "URL"), gold("b"), gold("c", "EMAIL_ADDRESS"))
    )
    assert _scores(run) == {"a": 5, "b": 0, "c": 4}  # a name of one letter is a part of a name
    assert {row["source"] for row in run.risk()} == {"gold"}
    assert {row["conversation_id"]: row["direct_identifier"] for row in run.risk()} == {
        "a": False,
        "b": False,
        "c": True,
    }


def test_gold_and_human_are_never_added_up(tacenda: Any, lines: Any) -> None:
    span = {"start": 0, "end": 3, "label": "URL"}
    gold = {"conversation_id": "g", "turns": [{"speaker": "a", "text": "abc", "spans": [span]}]}
    run = tacenda("score", "--input", lines(gold, _record("h", ["(Marc)[MISSED_PERSON_NAME_PARTIAL]"])))
    sources = run.json("statistics.json")["sources"]
    assert {name: figures["total"]["mean"] for name, figures in sources.items()} == {
        "human": 3.0,
        "gold": 2.0,
    }


def test_other_shapes_carry_markup_too(tacenda: Any, lines: Any) -> None:
    rows = [
        {"conversation_id": "t", "turn_index": i, "speaker": "Person 1", "text": text}
        for i, text in enumerate(TABLE_3)
    ]
    assert _scores(tacenda("score", "--input", lines(*rows[::-1]))) == {"t": 6}
    chat = {"id": "t", "messages": [{"role": "user", "content": text} for text in TABLE_3]}
    assert _scores(tacenda("score", "--input", lines(chat))) == {"t": 6}


def test_marked_text_is_written_to_no_file(tacenda: Any, lines: Any) -> None:
    run = tacenda("score", "--input", lines(_record("a", ["(Zanzibar Lee)[MISSED_PERSON_NAME]"])))
    for path, data in run.files().items():
        assert b"Zanzibar" not in data, path
    assert "Zanzibar" not in json.dumps(run.risk()) + run.out + run.err
