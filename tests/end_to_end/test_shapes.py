"""Each shape comes out as it came in, with its text replaced, and its calls, values and spellings kept.

Fields beside the turns are inspected like turns, unless the user gives a reason; all are reported.
"""

import gzip
import json
import random
import runpy
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cases import cases, tabled
from tests.shaped import SHAPES, conversation, document
from tests.shaped import chat as chat_of
from tests.talks import talk

LOCAL = ("--workers", "1", "--detector", "rules", "--detector", "gazetteer")
TEXT, CLEAN = "write to ann.smith@example.com please", "write to [EMAIL_ADDRESS_1] please"
CARD, WHO = "4111 1111 1111 1111", "grace.lee@example.com"
HELLO = "Hello, how are you?"


def _write(records, path):
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


def _without_nulls(value):
    """A table has null for a field that a JSON record lacks."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "jsonl.gz", "jsonl.zst"])
@pytest.mark.parametrize(("make", "shape"), SHAPES.items())
def test_the_same_shape_comes_out(tacenda, tmp_path, make, shape, suffix):
    source = _write(make([TEXT, "ok"]), tmp_path / f"in.{suffix}")
    run = tacenda("anonymize", "--input", source)
    assert run.code == 0, run.err
    assert (run.manifest["shape"], run.rows()["quarantined"]) == (shape, 0)
    assert _without_nulls(run.corpus()) == make([CLEAN, "ok"])
    (part,) = (run.folder / "corpus").iterdir()
    assert part.name.endswith(".parquet" if suffix == "parquet" else ".jsonl.gz")
    if suffix == "parquet":
        assert pq.read_schema(part).equals(pq.read_schema(source))


@pytest.mark.parametrize("suffix", ["parquet", "jsonl.gz"])
def test_turn_rows_in_any_order_over_several_files(anonymize, tmp_path, suffix):
    rows = [
        {
            "conversation_id": i,
            "turn_index": n,
            "speaker": "Pam",
            "text": f"Pam, {n}: mail u{n % 3}@example.com",
        }
        for i in range(9)
        for n in range(7)
    ]
    texts = [f"[PERSON_NAME_1], {n}: mail [EMAIL_ADDRESS_{n % 3 + 1}]" for n in range(7)]
    for seed in range(2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        shuffled = random.Random(seed).sample(rows, len(rows))
        for part in range(3):
            _write(shuffled[part::3], folder / f"{part}.{suffix}")
        run = anonymize(folder, "--unit-bytes", "400", *LOCAL)
        assert run.code == 0, run.err
        assert (run.rows()["in"], run.rows()["out"], run.rows()["balanced"]) == (63, 63, True)
        assert run.manifest["units"]["rows"] > 1
        of = {}
        for row in run.corpus():
            of.setdefault(row["conversation_id"], []).append(row)
        assert sorted(of) == list(range(9))
        for turns in of.values():
            assert [(turn["turn_index"], turn["text"]) for turn in turns] == list(enumerate(texts))
            assert {turn["speaker"] for turn in turns} == {"[PERSON_NAME_1]"}


# Fine-tuning sets.


def chat(name="find_patient", call="call_1", description="Look somebody up."):
    function = {"name": name, "arguments": json.dumps({"patient_id": 882713, "email": WHO})}
    calls = [{"id": call, "type": "function", "function": function}]
    result = f'{{"email":"{WHO}", "open": true, "rooms": [4]}}'
    return {
        "messages": [
            {"role": "user", "content": f"My mail is {WHO}.", "weight": 0},
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "name": name, "tool_call_id": call, "content": result},
        ],
        "tools": [{"type": "function", "function": {"name": name, "description": description}}],
        "parallel_tool_calls": False,
    }


def test_a_chat_with_tools_keeps_its_calls_and_its_json(anonymize):
    before = chat()
    (after,) = anonymize([before], *LOCAL).corpus()
    assert "grace" not in json.dumps(after)
    assert list(after) == list(before)
    assert after["tools"] == before["tools"]
    asked, called, told = after["messages"]
    assert asked["weight"] == 0
    assert called["tool_calls"][0]["id"] == told["tool_call_id"] == "call_1"
    assert called["tool_calls"][0]["function"]["name"] == told["name"] == "find_patient"
    token = asked["content"].removeprefix("My mail is ").removesuffix(".")
    assert json.loads(called["tool_calls"][0]["function"]["arguments"])["email"] == token
    assert told["content"] == f'{{"email":"{token}", "open": true, "rooms": [4]}}'


@tabled("told")
def test_a_call_that_names_somebody_goes_to_quarantine(anonymize, told):
    run = anonymize([chat(**told), chat()], *LOCAL)
    assert len(run.corpus()) == 1
    assert [row["error"] for row in run.quarantine()] == ["LabelLooksPersonal"]
    assert run.holds(*told.values()) == []


def test_a_reason_opens_definitions_of_tools(anonymize):
    record = chat(description=f"Ask {WHO} first.")
    (after,) = anonymize([record], "--opaque", "tools=written by our engineers", *LOCAL).corpus()
    assert after["tools"] == record["tools"]
    assert "grace" not in json.dumps(after["messages"])


ODD = {name: json.loads(record) for name, record in cases(__file__, "ODD").items()}
"""Legal records with nothing personal in them, in spellings that a reader may stumble over."""


@pytest.mark.parametrize("name", sorted(ODD))
def test_odd_records_without_personal_data_come_out_as_they_were(anonymize, name):
    run = anonymize([ODD[name]], *LOCAL)
    assert not run.quarantine()
    (after,) = run.corpus()
    assert repr(after) == repr(ODD[name])  # 1 is not 1.0, and the order of fields stays


def test_what_is_left_out_of_a_message_is_said(anonymize):
    record = chat()
    thought = {"type": "thinking", "thinking": "Hm."}
    hidden = {"type": "redacted_thinking", "data": "ZW5jcnlwdGVk"}
    record["messages"][0]["content"] = [{**thought, "signature": "c2lnbmVk"}, hidden]
    record["messages"][1]["tool_calls"][0]["index"] = 0
    run = anonymize([record], *LOCAL)
    told = run.corpus()[0]["messages"][0]["content"]
    assert told == [thought, {**hidden, "data": "[EMBEDDED_MEDIA]"}]
    assert run.manifest["fields"]["dropped"] == ["messages.content.signature", "messages.tool_calls.index"]


# Numbers come out as they were spelled, and no text is lost behind a repeated key.

NUMBERS = (
    *("1E5", "0.10", "1.0e-7", "-0.0", "-0", "1e+2", "3.14159265358979323846"),
    *("18446744073709551616", "7", "0.5"),
)
"""Spellings of numbers; those before the last three may be times, the last two are usual ones."""

_LIST = "[" + ",".join(NUMBERS) + "]"
_TOOLS = '[{"type":"function","function":{"name":"f","parameters":{"maximum":1.50}}}]'
_CALL = '{"id":"a","type":"tool_use","name":"f","input":{"n":' + _LIST + "}}"

SPELLED = {
    "conversation": '{"turns":[{"text":"Hello.","confidence":%s}],"score":%s,"id":"c"}',
    "turns": '{"conversation_id":"c","turn_index":1E0,"text":"Hello.","confidence":%s,"score":%s}',
    "chat": '{"messages":[{"role":"user","content":"Hello.","weight":%s}],"score":%s}',
    "sharegpt": '{"conversations":[{"from":"human","value":"Hello."}],"confidence":%s,"score":%s}',
    "document": '{"text":"Hello.","confidence":%s,"score":%s}',
    "preference": '{"prompt":"p","chosen":"c","rejected":"r","margin":%s,"score":%s}',
    "prompt_completion": '{"prompt":"p","completion":"c","label":%s,"score":%s}',
    "vcon": '{"vcon":"0.0.1","uuid":"c","parties":[],"dialog":[{"type":"text","start":"2026-01-05",'
    '"duration":%s,"body":"Hello."}],"score":%s}',
    "alpaca": '{"instruction":"i","output":"o","confidence":%s,"score":%s}',
}
"""A record of each shape that has numbers, with a place for one more, and for others, in a kept field."""

LABELS = ("turns.confidence", "confidence", "score")


@pytest.fixture
def written(anonymize, tmp_path):
    """``written(line, …, flags=…)``: the run and the lines that it wrote."""

    def run(*lines, flags=()):
        (source := tmp_path / "set.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        finished = anonymize(source, "--workers", "1", "--format", "jsonl", *flags)
        parts = sorted([*finished.folder.glob("corpus/part-*"), *finished.folder.glob(".held/part-*")])
        return finished, [line for path in parts for line in path.read_text("utf-8").splitlines()]

    return run


@pytest.mark.parametrize("shape", sorted(SPELLED))
@pytest.mark.parametrize("how", ["--keep", "--opaque"])
def test_numbers_of_every_shape(written, shape, how):
    lines = [SPELLED[shape] % (number, _LIST) for number in NUMBERS[:-3]]
    lines = [line.replace('"c"', f'"c{i}"') for i, line in enumerate(lines)]
    fields = [name for name in LABELS if name.rpartition(".")[2] in SPELLED[shape]]
    fields = [name for name in fields if ("." in name) == (shape == "conversation" and name != "score")]
    reason = "=a number of ours" if how == "--opaque" else ""
    run, after = written(*lines, flags=tuple(word for name in fields for word in (how, name + reason)))
    assert not run.quarantine()
    assert after == lines


def test_numbers_of_calls_and_definitions(written):
    line = f'{{"messages":[{{"role":"assistant","content":[{_CALL}]}}],"tools":{_TOOLS}}}'
    run, after = written(line)
    assert (run.quarantine(), after) == ([], [line])


def test_a_long_number_is_searched_as_it_is_spelled(written):
    line = '{"text":"Hello.","card":4111111111111111.0,"other":41111111111111110000000}'
    _, (after,) = written(line, flags=("--keep", "card", "--keep", "other"))
    assert json.loads(after)["other"] == 41111111111111110000000
    assert "4111111111111111.0" not in after


def test_a_definition_with_a_repeated_key_is_searched_whole(written):
    tools = json.dumps(f'[{{"name":"f","name":"g","description":"Ask {WHO}","description":"d"}}]')
    line = '{"conversations":[{"from":"human","value":"Hello."}],"tools":%s}'
    run, _ = written(line % tools, line % '"[]"')
    assert run.errors() == ["LabelLooksPersonal"]


# Fields beside the turns, and ids.


def _reasoned(name, **more):
    asked = {"role": "user", "content": "My name is Rachel Green and I want to change my plan."}
    answer = {
        "role": "assistant",
        "content": "Sure.",
        "reasoning_content": "The user is Rachel Green, see 12.",
    }
    return {"conversation_id": name, "messages": [asked, answer], **more}


def test_a_name_in_a_kept_field_has_the_token_of_the_turns(anonymize):
    run = anonymize([_reasoned("a")], "--keep", "messages.reasoning_content", *LOCAL)
    (record,) = run.corpus()
    assert record["messages"][0]["content"].startswith("My name is [PERSON_NAME_1]")
    assert record["messages"][1]["reasoning_content"] == "The user is [PERSON_NAME_1], see 12."
    rows = [
        {"conversation_id": "a", "turn_index": i, "speaker": "agent", "text": "Hello you.", "note": note}
        for i, note in enumerate(["Rachel Green called", "nothing"])
    ]
    run = anonymize(rows, "--keep", "note", *LOCAL)
    assert [row["note"] for row in run.corpus()] == ["[PERSON_NAME_1] called", "nothing"]


def test_columns_of_parquet_keep_their_types(anonymize, tmp_path):
    turns = [{"speaker": "agent", "text": HELLO, "note": "call Rachel Green back"}]
    raw = pa.array([4111111111111111, 12], pa.int64())
    table = pa.table({"conversation_id": ["a", "b"], "turns": [turns] * 2, "raw": raw})
    pq.write_table(table, tmp_path / "in.parquet")
    run = anonymize(tmp_path / "in.parquet", "--keep", "raw", "--keep", "turns.note", *LOCAL)
    written = pq.read_table(run._parts("corpus")[0])
    assert written.schema.field("raw").type == pa.int64()
    assert written["raw"].to_pylist() == [None, 12]
    assert [turns[0]["note"] for turns in written["turns"].to_pylist()] == ["call [PERSON_NAME_1] back"] * 2


def test_kept_dropped_and_opaque_fields_are_reported_and_make_another_config(anonymize):
    record = talk("a", HELLO, channel="phone", raw=CARD, note="x", **{"anna@x.se": 1})
    fields = ("--keep", "channel", "--opaque", "note=a code of our own")
    plain, told = anonymize([record], *LOCAL), anonymize([record], *fields, *LOCAL)
    opaque = {"note": "a code of our own"}
    assert told.manifest["fields"] == {
        "kept": ["channel"], "opaque": opaque, "dropped": ["raw"], "dropped_unnamed": 1,
    }  # fmt: skip
    assert told.manifest["config"]["output"]["opaque"] == opaque
    assert plain.manifest["config_hash"] != told.manifest["config_hash"]
    assert "nothing inspected the field note: a code of our own" in json.dumps(told.manifest["verdict"])
    plan = anonymize([record], *fields, *LOCAL, "--dry-run").out
    assert "kept and anonymised: channel" in plan
    assert "opaque, written unchanged: note (a code of our own)" in plan
    assert "dropped: raw and 1 more" in plan


def test_an_opaque_field_is_written_as_it_is_and_needs_a_reason(anonymize):
    records = [talk("a", HELLO, note="Rachel Green")]
    run = anonymize(records, *LOCAL, config={"output": {"opaque": {"note": "why"}}})
    assert run.corpus()[0]["note"] == "Rachel Green"
    anonymize(records, "--opaque", "note", *LOCAL).refused("reason")
    anonymize(records, *LOCAL, config={"output": {"opaque": {"note": " "}}}).refused("reason")


@pytest.mark.parametrize("name", ["rachel.green@x.com", "Rachel Green", "rachel_green", "+46 70 123 45 67"])
def test_an_id_that_names_somebody_goes_to_quarantine(anonymize, name):
    run = anonymize([talk(name, HELLO), talk("call-17", HELLO)], *LOCAL)
    assert (run.ids(), run.errors(), run.rows()["balanced"]) == (["call-17"], ["IdLooksPersonal"], True)
    assert run.holds(name) == []


def test_inspect_looks_into_conversations_whatever_their_ids(tacenda, lines):
    source = lines(talk("rachel_green", TEXT), talk("call-17", HELLO))
    run = tacenda("inspect", "--input", source, *LOCAL)
    assert run.quarantine() == []
    assert {row["conversation_id"] for row in run.findings()} == {"rachel_green"}


@pytest.mark.parametrize(
    ("make", "field"),
    [
        *((conversation, field) for field in ("turns", "turns.text", "said.what", "turns.speaker")),
        (chat_of, "messages.tool_calls"),
        (document, "text"),
    ],
)
def test_text_cannot_be_opaque(anonymize, make, field):
    shape = SHAPES[make]
    (record,), words = make([TEXT]), ["--shape", shape]
    if field == "said.what":
        record = {"conversation_id": "c", "said": [{"what": "pam@example.com"}]}
        words += ["--field", "turns=said", "--field", "turns.text=what"]
    run = anonymize([record], *words, "--opaque", f"{field}=ours", *LOCAL)
    run.refused(f"--opaque {field}: is read by the shape {shape}, ")


def test_opaque_ids_stay_and_open_no_names_of_tools(anonymize):
    call = {"id": "1", "type": "function", "function": {"name": "mail_pam@dunder.com", "arguments": "{}"}}
    messages = [{"role": "user", "content": "hello"}, {"role": "assistant", "tool_calls": [call]}]
    records = [
        {"id": "ann@example.com", "messages": messages},
        {"id": "415-555-2671", "messages": messages[:1]},
    ]
    run = anonymize(records, "--opaque", "conversation_id=numbers of our switch", *LOCAL)
    assert [record["id"] for record in run.corpus()] == ["415-555-2671"]
    assert run.errors() == ["LabelLooksPersonal"]
    assert "numbers of our switch" in json.dumps(run.manifest["verdict"])


@pytest.mark.slow
def test_kept_fields_are_looked_at_alike_on_beam(anonymize, lines):
    source = lines(*(_reasoned(f"c{i}", raw={"card": CARD}) for i in range(6)))
    words = ("--keep", "messages.reasoning_content", "--keep", "raw", "--unit-bytes", 700, *LOCAL[2:])
    local, beam = (
        anonymize(source, *words, "--workers", "1"),
        anonymize(source, *words, "--runner=FnApiRunner"),
    )
    assert beam.code == local.code, beam.err
    assert beam.files() == local.files()
    assert len(beam.corpus()) == 6
    for record in beam.corpus():
        assert record["messages"][1]["reasoning_content"] == "The user is [PERSON_NAME_1], see 12."
        assert record["raw"] == {"card": "[CREDIT_CARD_NUMBER_1]"}


# Files of other makers.

OTHERS = Path(__file__).parents[3] / "shared" / "data" / "shapes"
_LABELS = {
    "hf-saved": ("topic", "uid"),
    "quoted.csv": ("ticket_id", "created", "channel", "resolved"),
    **dict.fromkeys(("sharegpt-array.json", "sharegpt.jsonl"), ("source", "lang")),
    "turns.parquet": ("start_ms", "asr_confidence"),
}
_FILES = [
    *("alpaca.json", "anthropic-blocks.jsonl", "axolotl-alpaca.json", "call.vcon", "dpo-messages.jsonl"),
    *("dpo-strings.jsonl", "kto.jsonl", "llamafactory-toolcall.json", "openai-tools.jsonl"),
    *("openai-tools.jsonl.gz", "prompt-completion.jsonl", "py-vcon-recording.vcon", *_LABELS),
]
_KNOWN = pytest.mark.xfail(strict=True, reason="the network takes the tag of a valve for an id")


@pytest.mark.skipif(not OTHERS.exists(), reason="needs the files of ../shared/data/shapes")
@pytest.mark.parametrize("name", [*_FILES, pytest.param("plain.txt", marks=_KNOWN)])
def test_files_of_other_makers_come_out_in_their_shape(tacenda, tmp_path, name):
    flags = [word for field in _LABELS.get(name, ()) for word in ("--opaque", f"{field}=a label of ours")]
    if name.startswith("openai-tools"):
        (config := tmp_path / "config.yaml").write_text("languages: {accepted: {de: a test of shapes}}")
        flags += ["--config", str(config)]
    if name == "turns.parquet":
        flags += ["--field", "conversation_id=call_id", "--field", "text=utterance"]
    run = tacenda("anonymize", "--input", OTHERS / name, "--workers", "1", *flags)
    assert not run.quarantine()
    expected = json.loads((OTHERS / "EXPECTED.json").read_text("utf-8"))["files"][name]
    load = runpy.run_path(str(OTHERS / "check.py"))["load"]  # what the files come with: it reads them
    before, after = load(str(OTHERS / name), name), run.corpus()
    if isinstance(before, dict):
        assert {split: len(rows) for split, rows in before.items()} == expected["rows"]
        before = [row for split in sorted(before) for row in before[split]]
    for one, other in zip(before, after, strict=True):
        for pointer in expected["identical"]:
            path = pointer.strip("/").split("/")
            assert list(at(one, path)) == list(at(other, path)), pointer
    text = "\n".join(json.dumps(record, ensure_ascii=False, default=str) for record in after)
    plain = text
    for escaped, character in (('\\"', '"'), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")):
        plain = plain.replace(escaped, character)
    text += plain
    assert [planted["label"] for planted in expected["planted"] if planted["value"] in text] == []
    assert [stays for stays in expected["stays"] if stays not in text] == []


def at(value, path):
    if not path:
        yield json.dumps(value, default=str)
    elif path[0] == "*" and isinstance(value, list):
        for item in value:
            yield from at(item, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from at(value[path[0]], path[1:])
