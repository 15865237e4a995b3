"""Inspect: findings as a table and as lines, by the contract, never with the text."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

MAIL = "ann.smith@example.com"
CONTRACT = ("conversation_id", "turn", "start", "end", "info_type", "likelihood", "detector", "entity")


def _talk(conversation_id: object, *texts: str, **more: Any) -> dict[str, Any]:
    turns = [{"speaker": "agent", "text": text} for text in texts]
    return {"conversation_id": conversation_id, "turns": turns, **more}


def _places(run: Any) -> list[tuple[Any, ...]]:
    return [(f["conversation_id"], f["turn"], f["start"], f["end"], f["info_type"]) for f in run.findings()]


def test_everything_of_the_contract_is_written_and_nothing_else(tacenda: Tacenda, lines: Lines) -> None:
    run = tacenda("inspect", "--input", lines(_talk("a", "hello", f"to {MAIL} …"), _talk("b", "none")))
    assert run.code == 0, run.err
    assert sorted(run.files()) == [
        "_SUCCESS",
        "findings-jsonl/part-00000.jsonl",
        "findings/part-00000.parquet",
        "manifest-files.parquet",
        "manifest-units.parquet",
        "manifest.json",
        "quarantine/part-00000.jsonl",
    ]
    verdict = run.json("manifest.json")["verdict"]
    assert verdict == run.json("_SUCCESS") == {"state": "inspected", "released": False, "held_by": []}
    (finding,) = run.findings()
    assert [finding[name] for name in CONTRACT[:5]] == ["a", 1, 3, 3 + len(MAIL), "EMAIL_ADDRESS"]
    assert finding["likelihood"] in {"POSSIBLE", "LIKELY", "VERY_LIKELY"}
    assert finding["detector"]
    assert finding["entity"] == 1


def test_json_lines_and_parquet_give_the_same_findings(tacenda: Tacenda, lines: Lines) -> None:
    run = tacenda("inspect", "--input", lines(_talk("a", MAIL, f"{MAIL} bo@example.com")))
    rows = [json.loads(x) for x in (run.folder / "findings-jsonl/part-00000.jsonl").read_text().splitlines()]
    assert rows == run.findings()
    assert [row["entity"] for row in rows] == [1, 1, 2]
    assert set(CONTRACT) <= set(rows[0])
    schema = pq.read_schema(run.folder / "findings/part-00000.parquet")
    assert [str(schema.field(name).type) for name in CONTRACT] == [
        "string", "int32", "int32", "int32", "string", "string", "string", "int32",
    ]  # fmt: skip


def test_offsets_are_code_points_of_the_original_text(tacenda: Tacenda, lines: Lines) -> None:
    text = f"😀é {MAIL} 👩‍👩‍👧 bo@example.com"
    run = tacenda("inspect", "--input", lines(_talk("a", text)), "--detector", "rules")
    assert [text[f["start"] : f["end"]] for f in run.findings()] == [MAIL, "bo@example.com"]


def test_inspect_writes_no_text(tacenda: Tacenda, lines: Lines) -> None:
    run = tacenda(
        "inspect", "--input", lines(_talk("a", "zanzibarqueen@example.com Zanzibar"), b'{"zanzibar')
    )
    assert run.findings()
    for path, data in run.files().items():
        assert b"zanzibar" not in data.lower(), path
    assert "zanzibar" not in (json.dumps(run.findings()) + run.out + run.err).lower()


def test_a_turn_a_row_is_counted_in_its_conversation(tacenda: Tacenda, lines: Lines) -> None:
    rows = [
        {"conversation_id": 7, "turn_index": index, "speaker": "agent", "text": text}
        for index, text in ((30, MAIL), (10, "hi"), (20, "mail bo@example.com"))
    ]
    run = tacenda("inspect", "--input", lines(*rows))
    assert _places(run) == [
        ("7", 1, 5, 19, "EMAIL_ADDRESS"),
        ("7", 2, 0, len(MAIL), "EMAIL_ADDRESS"),
    ]


def test_parts_of_a_chat_message_are_distinguished(tacenda: Tacenda, lines: Lines) -> None:
    call = {
        "id": "x",
        "type": "function",
        "function": {"name": "send", "arguments": json.dumps({"to": MAIL, "n": 1})},
    }
    record = {
        "id": "a",
        "messages": [
            {"role": "user", "content": f"to {MAIL}"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": MAIL}]},
        ],
    }
    run = tacenda("inspect", "--input", lines(record))
    found = run.findings()
    assert [(f["turn"], f["start"], f["end"], f["entity"]) for f in found] == [
        (0, 3, 3 + len(MAIL), 1),
        (1, 0, len(MAIL), 1),
        (2, 0, len(MAIL), 1),
    ]
    assert found[0]["part"] is None
    assert "to" in found[1]["part"]
    assert found[2]["part"]


@pytest.mark.parametrize("context", [None, "", "sales"])
def test_gold_spans_and_contexts_change_nothing(tacenda: Tacenda, lines: Lines, context: str | None) -> None:
    record = _talk("a", MAIL, context=context)
    record["turns"][0]["spans"] = [{"start": 0, "end": 3, "label": "NO_SUCH_LABEL"}]
    run = tacenda("inspect", "--input", lines(record))
    assert _places(run) == [("a", 0, 0, len(MAIL), "EMAIL_ADDRESS")]


def test_inspect_accepts_info_types_without_a_score(tacenda: Tacenda, lines: Lines, tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(
        "inspect:\n  custom_info_types:\n    - info_type: {name: BADGE}\n      likelihood: LIKELY\n"
        "      regex: {pattern: 'B[0-9]{4}'}\n"
    )
    run = tacenda("inspect", "--input", lines(_talk("a", "badge B1234")), "--config", config)
    assert _places(run) == [("a", 0, 6, 11, "BADGE")]


def test_what_cannot_be_read_gives_no_findings(tacenda: Tacenda, lines: Lines) -> None:
    run = tacenda("inspect", "--input", lines(b"{oops"), "--shape", "conversation")
    assert run.code == 0
    assert run.findings() == []
    assert len(run.quarantine()) == 1


def test_lists_apply_to_findings(tacenda: Tacenda, lines: Lines, tmp_path: Path) -> None:
    decided, config = tmp_path / "decided.yaml", tmp_path / "config.yaml"
    decided.write_text(
        f"- protect: {MAIL}\n- {{suppress: blue moon, info_type: ORGANIZATION_NAME}}\n- protect: x\n"
    )
    config.write_text(f"replacement: {{lists: [{decided}]}}\n")
    run = tacenda(
        "inspect",
        "--detector",
        "rules",
        "--config",
        config,
        "--input",
        lines(_talk("a", f"{MAIL} at Blue Moon")),
    )
    assert run.code == 0, run.err
    at = len(MAIL) + 4
    assert _places(run) == [("a", 0, at, at + 9, "ORGANIZATION_NAME")]
    assert [finding["detector"] for finding in run.findings()] == ["list"]
    assert "decided.yaml: 1 of 3 entries matched nothing: line 3" in run.out
