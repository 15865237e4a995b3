"""Fields beside the turns are inspected like turns, unless the user gives a reason; all are reported."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

LOCAL = ("--detector", "rules", "--detector", "gazetteer", "--workers", "1")
CARD = "4111 1111 1111 1111"


def chat(name: str, **more: Any) -> dict[str, Any]:
    return {
        "conversation_id": name,
        "messages": [
            {"role": "user", "content": "My name is Rachel Green and I want to change my plan."},
            {
                "role": "assistant",
                "content": "Sure.",
                "reasoning_content": "The user is Rachel Green, see 12.",
            },
        ],
        **more,
    }


def talk(name: str, **more: Any) -> dict[str, Any]:
    return {"conversation_id": name, "turns": [{"speaker": "agent", "text": "Hello, how are you?"}], **more}


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., Path]:
    def write(*records: dict[str, Any]) -> Path:
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path

    return write


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    def write(**output: Any) -> Path:
        path = tmp_path / "config.json"
        path.write_text(json.dumps({"output": output}), encoding="utf-8")
        return path

    return write


def test_a_name_in_a_kept_field_has_the_token_of_the_turns(tacenda: Any, lines: Callable[..., Path]) -> None:
    source = lines(chat("a"))
    run = tacenda("anonymize", "--input", source, "--keep", "messages.reasoning_content", *LOCAL)
    (record,) = run.corpus()
    assert record["messages"][0]["content"].startswith("My name is [PERSON_NAME_1]")
    assert record["messages"][1]["reasoning_content"] == "The user is [PERSON_NAME_1], see 12."


def test_columns_of_parquet_keep_their_types(tacenda: Any, tmp_path: Path) -> None:
    table = pa.table(
        {
            "conversation_id": ["a", "b"],
            "turns": [[{"speaker": "agent", "text": "Hello, how are you?", "note": "call Rachel Green back"}]]
            * 2,
            "raw": pa.array([4111111111111111, 12], pa.int64()),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    keep = ("--keep", "raw", "--keep", "turns.note")
    run = tacenda("anonymize", "--input", tmp_path / "in.parquet", *keep, *LOCAL)
    written = pq.read_table(run._parts("corpus")[0])
    assert written.schema.field("raw").type == pa.int64()
    assert written["raw"].to_pylist() == [None, 12]
    assert [turns[0]["note"] for turns in written["turns"].to_pylist()] == ["call [PERSON_NAME_1] back"] * 2


def test_rows_of_turns_keep_their_fields_anonymised(tacenda: Any, lines: Callable[..., Path]) -> None:
    rows = [
        {"conversation_id": "a", "turn_index": i, "speaker": "agent", "text": "Hello you.", "note": note}
        for i, note in enumerate(["Rachel Green called", "nothing"])
    ]
    run = tacenda("anonymize", "--input", lines(*rows), "--keep", "note", *LOCAL)
    assert [row["note"] for row in run.corpus()] == ["[PERSON_NAME_1] called", "nothing"]


def test_kept_dropped_and_opaque_fields_are_reported_and_make_another_config(
    tacenda: Any, lines: Callable[..., Path]
) -> None:
    source = lines(talk("a", channel="phone", raw=CARD, note="x", **{"anna@x.se": 1}))
    fields = ("--keep", "channel", "--opaque", "note=a code of our own")
    plain = tacenda("anonymize", "--input", source, *LOCAL)
    told = tacenda("anonymize", "--input", source, *fields, *LOCAL)
    assert told.json("manifest.json")["fields"] == {
        "kept": ["channel"],
        "opaque": {"note": "a code of our own"},
        "dropped": ["raw"],
        "dropped_unnamed": 1,
    }
    assert told.json("manifest.json")["config"]["output"]["opaque"] == {"note": "a code of our own"}
    hashes = {run.json("manifest.json")["config_hash"] for run in (plain, told)}
    assert len(hashes) == 2
    grounds = json.dumps(told.json("manifest.json")["verdict"])
    assert "nothing inspected the field note: a code of our own" in grounds
    plan = tacenda("anonymize", "--input", source, *fields, *LOCAL, "--dry-run").out
    assert "kept and anonymised: channel" in plan
    assert "opaque, written unchanged: note (a code of our own)" in plan
    assert "dropped: raw and 1 more" in plan


def test_an_opaque_field_is_written_as_it_is_and_needs_a_reason(
    tacenda: Any, lines: Callable[..., Path], config: Callable[..., Path]
) -> None:
    source = lines(talk("a", note="Rachel Green"))
    run = tacenda("anonymize", "--input", source, "--config", config(opaque={"note": "why"}), *LOCAL)
    assert run.corpus()[0]["note"] == "Rachel Green"
    for settings in (("--opaque", "note"), ("--config", config(opaque={"note": " "}))):
        refused = tacenda("anonymize", "--input", source, *settings, *LOCAL)
        assert refused.code == 2
        assert "reason" in refused.err


@pytest.mark.parametrize("name", ["rachel.green@x.com", "Rachel Green", "rachel_green", "+46 70 123 45 67"])
def test_an_id_that_names_somebody_goes_to_quarantine(
    tacenda: Any, lines: Callable[..., Path], name: str
) -> None:
    run = tacenda("anonymize", "--input", lines(talk(name), talk("call-17")), *LOCAL)
    assert [row["conversation_id"] for row in run.corpus()] == ["call-17"]
    assert [row["error"] for row in run.quarantine()] == ["IdLooksPersonal"]
    assert run.json("manifest.json")["rows"]["balanced"]
    for path, data in run.files().items():
        assert name.encode() not in data, path


def test_inspect_looks_into_conversations_whatever_their_ids(
    tacenda: Any, lines: Callable[..., Path]
) -> None:
    turns = [{"speaker": "agent", "text": "write to ann@example.com"}]
    run = tacenda("inspect", "--input", lines(talk("rachel_green", turns=turns), talk("call-17")), *LOCAL)
    assert run.quarantine() == []
    assert {row["conversation_id"] for row in run.findings()} == {"rachel_green"}


def test_a_context_that_names_somebody_is_not_written(tacenda: Any, lines: Callable[..., Path]) -> None:
    source = lines(talk("a", context="Rachel Green"), talk("b", context="home loans"))
    run = tacenda("anonymize", "--input", source, *LOCAL)
    assert [row["context"] for row in run.corpus()] == ["other", "home loans"]


def test_ids_become_keyed_hashes_where_the_config_says_so(
    tacenda: Any, lines: Callable[..., Path], config: Callable[..., Path], tmp_path: Path
) -> None:
    source = lines(talk("rachel.green@x.com", context="Rachel Green"), talk("b", context="sales"))
    key = tmp_path / "key"
    ids = []
    for secret in ("0123456789abcdef", "0123456789abcdef", "fedcba9876543210"):
        key.write_text(secret, encoding="utf-8")
        settings = config(key_file=str(key))
        run = tacenda("anonymize", "--input", source, "--config", settings, *LOCAL, keep_ids=False)
        first, second = run.corpus()
        assert second["context"] == "sales"
        assert UUID(first["context"]).version == 8
        ids.append([first["conversation_id"], second["conversation_id"]])
        assert {row["conversation_id"] for row in run.risk()} == {*ids[-1]}
        assert secret not in json.dumps(run.json("manifest.json"))
    assert ids[0] == ids[1] != ids[2]
    assert all(UUID(name).version == 8 for pair in ids for name in pair)


def test_whole_numbers_as_ids_become_hashes_in_parquet(
    tacenda: Any, config: Callable[..., Path], tmp_path: Path
) -> None:
    turns = [[{"speaker": "agent", "text": "Hello, how are you?"}]]
    pq.write_table(pa.table({"conversation_id": [17], "turns": turns}), tmp_path / "in.parquet")
    (tmp_path / "key").write_text("0123456789abcdef", encoding="utf-8")
    settings = config(key_file=str(tmp_path / "key"))
    words = ["--input", tmp_path / "in.parquet", "--config", settings, *LOCAL]
    run = tacenda("anonymize", *words, keep_ids=False)
    (record,) = run.corpus()
    assert UUID(record["conversation_id"]).version == 8


@pytest.mark.parametrize(
    ("shape", "field"),
    [
        ("conversation", "turns"),
        ("conversation", "turns.text"),
        ("conversation", "said.what"),
        ("conversation", "turns.speaker"),
        ("chat", "messages.tool_calls"),
        ("document", "text"),
    ],
)
def test_text_cannot_be_opaque(tacenda: Any, lines: Callable[..., Path], shape: str, field: str) -> None:
    records = {
        "conversation": {"conversation_id": "c", "turns": [{"text": "pam@example.com", "speaker": "a"}]},
        "chat": {"id": "c", "messages": [{"role": "user", "content": "pam@example.com"}]},
        "document": {"id": "c", "text": "pam@example.com"},
    }
    words = ["--shape", shape]
    record = records[shape]
    if field == "said.what":
        record = {"conversation_id": "c", "said": [{"what": "pam@example.com"}]}
        words += ["--field", "turns=said", "--field", "turns.text=what"]
    run = tacenda("anonymize", "--input", lines(record), *words, "--opaque", f"{field}=ours", *LOCAL)
    assert run.code == 2
    assert f"--opaque {field}: is read by the shape {shape}, " in run.err
    assert run.err.count("\n") == 1


def test_opaque_ids_open_no_names_of_tools(tacenda: Any, lines: Callable[..., Path]) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "mail_pam@dunder.com", "arguments": "{}"}}
    messages = [{"role": "user", "content": "hello"}, {"role": "assistant", "tool_calls": [call]}]
    source = lines(
        {"id": "ann@example.com", "messages": messages}, {"id": "bo@example.com", "messages": messages[:1]}
    )
    run = tacenda("anonymize", "--input", source, "--opaque", "conversation_id=ours", *LOCAL)
    assert [record["id"] for record in run.corpus()] == ["bo@example.com"]
    assert [one["error"] for one in run.quarantine()] == ["LabelLooksPersonal"]


def test_ids_may_be_declared_opaque(tacenda: Any, lines: Callable[..., Path]) -> None:
    source = lines(talk("415-555-2671"))
    run = tacenda("anonymize", "--input", source, "--opaque", "conversation_id=numbers of our switch", *LOCAL)
    assert run.corpus()[0]["conversation_id"] == "415-555-2671"
    assert "numbers of our switch" in json.dumps(run.json("manifest.json")["verdict"])


def test_kept_fields_are_looked_at_alike_on_beam(tacenda: Any, lines: Callable[..., Path]) -> None:
    source = lines(*(chat(f"c{i}", raw={"card": CARD}) for i in range(6)))
    words = ["--input", source, "--keep", "messages.reasoning_content", "--keep", "raw", "--unit-bytes", 700]
    local = tacenda("anonymize", *words, *LOCAL)
    beam = tacenda("anonymize", *words, *LOCAL[:4], "--runner=FnApiRunner")
    assert beam.code == local.code, beam.err
    assert beam.files() == local.files()
    assert len(beam.corpus()) == 6
    for record in beam.corpus():
        assert record["messages"][1]["reasoning_content"] == "The user is [PERSON_NAME_1], see 12."
        assert record["raw"] == {"card": "[CREDIT_CARD_NUMBER_1]"}
