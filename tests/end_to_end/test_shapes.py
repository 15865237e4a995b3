"""Each shape in each encoding: the output has the shape of the input, with its text replaced."""

import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Tacenda = Callable[..., Any]
Record = dict[str, Any]

TEXT, CLEAN = "write to ann.smith@example.com please", "write to [EMAIL_ADDRESS_1] please"


def _call(text: str) -> list[Record]:
    arguments = json.dumps({"note": text, "n": 3})
    return [{"id": "call_1", "type": "function", "function": {"name": "save", "arguments": arguments}}]


def _conversation(text: str) -> list[Record]:
    return [
        {
            "conversation_id": f"c{i}",
            "context": "sales",
            "turns": [{"speaker": "agent", "text": text}, {"speaker": "customer", "text": "ok"}],
        }
        for i in range(3)
    ]


def _turns(text: str) -> list[Record]:
    return [
        {"conversation_id": f"c{i}", "context": "sales", "turn_index": turn, "speaker": "agent", "text": said}
        for i in range(3)
        for turn, said in enumerate((text, "ok"))
    ]


def _chat(text: str) -> list[Record]:
    return [
        {
            "id": f"c{i}",
            "messages": [
                {"role": "user", "content": text},
                {"role": "assistant", "content": "ok", "tool_calls": _call(text)},
            ],
        }
        for i in range(3)
    ]


def _sharegpt(text: str) -> list[Record]:
    return [
        {"id": f"c{i}", "conversations": [{"from": "human", "value": text}, {"from": "gpt", "value": "ok"}]}
        for i in range(3)
    ]


def _document(text: str) -> list[Record]:
    return [{"id": f"c{i}", "text": text} for i in range(3)]


def _vcon(text: str) -> list[Record]:
    return [
        {
            "vcon": "0.0.1",
            "uuid": f"c{i}",
            "parties": [{"role": "agent"}, {"role": "customer"}],
            "dialog": [
                {"type": "text", "start": "2025-01-01T00:00:00Z", "parties": [0, 1], "body": said}
                for said in (text, "ok")
            ],
        }
        for i in range(3)
    ]


SHAPES: dict[str, Callable[[str], list[Record]]] = {
    "conversation": _conversation,
    "turns": _turns,
    "chat": _chat,
    "sharegpt": _sharegpt,
    "document": _document,
    "vcon": _vcon,
}


def _write(records: Sequence[Record], path: Path) -> Path:
    lines = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(list(records)), path)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines))
    elif path.suffix == ".zst":
        path.write_bytes(pa.compress(lines, "zstd", asbytes=True))
    else:
        path.write_bytes(lines)
    return path


def _without_nulls(value: Any) -> Any:
    """A table has null for a field that a JSON record lacks."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "jsonl.gz", "jsonl.zst"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_shape_comes_out(tacenda: Tacenda, tmp_path: Path, shape: str, suffix: str) -> None:
    source = _write(SHAPES[shape](TEXT), tmp_path / f"in.{suffix}")
    run = tacenda("anonymize", "--input", source)
    assert run.code == 0, run.err
    manifest = run.json("manifest.json")
    assert manifest["shape"] == shape
    assert manifest["rows"]["quarantined"] == 0
    assert _without_nulls(run.corpus()) == SHAPES[shape](CLEAN)
    (part,) = (run.folder / "corpus").iterdir()
    assert part.name.endswith(".parquet" if suffix == "parquet" else ".jsonl.gz")
    if suffix == "parquet":
        assert pq.read_schema(part).equals(pq.read_schema(source))


@pytest.mark.parametrize("suffix", ["parquet", "jsonl.gz"])
def test_turn_rows_in_any_order_over_several_files(tacenda: Tacenda, tmp_path: Path, suffix: str) -> None:
    rows = [
        {
            "conversation_id": i,
            "turn_index": turn,
            "speaker": "Pam",
            "text": f"Pam, {turn}: mail user{turn % 3}@example.com",
        }
        for i in range(9)
        for turn in range(7)
    ]
    corpora = []
    for seed in range(2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        shuffled = random.Random(seed).sample(rows, len(rows))
        for part in range(3):
            _write(shuffled[part::3], folder / f"{part}.{suffix}")
        local = ("--detector", "rules", "--detector", "gazetteer")
        run = tacenda("anonymize", "--input", folder, "--unit-bytes", "400", *local)
        assert run.code == 0, run.err
        rows_of = run.json("manifest.json")["rows"]
        assert (rows_of["in"], rows_of["out"], rows_of["balanced"]) == (63, 63, True)
        assert run.json("manifest.json")["units"]["rows"] > 1
        corpora.append(run.corpus())
    for corpus in corpora:
        of: dict[int, list[Record]] = {}
        for row in corpus:
            of.setdefault(row["conversation_id"], []).append(row)
        assert sorted(of) == list(range(9))
        for turns in of.values():
            assert [turn["turn_index"] for turn in turns] == list(range(7))
            assert [turn["text"] for turn in turns] == [
                f"[PERSON_NAME_1], {i}: mail [EMAIL_ADDRESS_{i % 3 + 1}]" for i in range(7)
            ]
            assert {turn["speaker"] for turn in turns} == {"[PERSON_NAME_1]"}

    def by_place(row: Record) -> tuple[int, int]:
        return row["conversation_id"], row["turn_index"]

    assert sorted(corpora[0], key=by_place) == sorted(corpora[1], key=by_place)


def test_fields_can_have_other_names(tacenda: Tacenda, tmp_path: Path) -> None:
    records = [{"call_id": 7, "utterances": [{"who": "Pam", "said": TEXT}]}]
    mapping = ["conversation_id=call_id", "turns=utterances", "turns.speaker=who", "turns.text=said"]
    words = [word for pair in mapping for word in ("--field", pair)]
    run = tacenda(
        "anonymize", "--input", _write(records, tmp_path / "a.jsonl"), "--shape", "conversation", *words
    )
    assert run.corpus() == [{"call_id": 7, "utterances": [{"who": "[PERSON_NAME_1]", "said": CLEAN}]}]


@pytest.mark.parametrize("context", [None, ""])
def test_an_invalid_context(tacenda: Tacenda, tmp_path: Path, context: str | None) -> None:
    records = [{**record, "context": context} for record in _conversation(TEXT)]
    run = tacenda("anonymize", "--input", _write(records, tmp_path / "a.jsonl"))
    assert run.code == 0
    assert {row["context"] for row in run.risk()} == {""}
    assert list(run.json("statistics.json")["sources"]["model"]["contexts"]) == [""]
