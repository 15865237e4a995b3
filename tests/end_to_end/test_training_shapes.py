"""Fine-tuning sets keep their shape, with the same calls and values."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases

LOCAL = ("--workers", "1", "--detector", "rules", "--detector", "gazetteer")


def chat(
    name: str = "find_patient", call: str = "call_1", description: str = "Look somebody up."
) -> dict[str, Any]:
    arguments = json.dumps({"patient_id": 882713, "email": "grace.lee@example.com"})
    return {
        "messages": [
            {"role": "user", "content": "My mail is grace.lee@example.com.", "weight": 0},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": call, "type": "function", "function": {"name": name, "arguments": arguments}}
                ],
            },
            {
                "role": "tool",
                "name": name,
                "tool_call_id": call,
                "content": '{"email":"grace.lee@example.com", "open": true, "rooms": [4]}',
            },
        ],
        "tools": [{"type": "function", "function": {"name": name, "description": description}}],
        "parallel_tool_calls": False,
    }


@pytest.fixture
def anonymized(tacenda: Any, tmp_path: Path) -> Callable[..., Any]:
    def run(*records: dict[str, Any]) -> Any:
        source = tmp_path / "set.jsonl"
        source.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        return tacenda("anonymize", "--input", source, *LOCAL)

    return run


def test_a_chat_with_tools_keeps_its_calls_and_its_json(anonymized: Callable[..., Any]) -> None:
    before = chat()
    (after,) = anonymized(before).corpus()
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


@pytest.mark.parametrize(
    ("told", "pointer"), cases(__file__, "test_a_call_that_names_somebody_goes_to_quarantine")
)
def test_a_call_that_names_somebody_goes_to_quarantine(
    anonymized: Callable[..., Any], told: dict[str, str], pointer: str
) -> None:
    run = anonymized(chat(**told), chat())
    assert len(run.corpus()) == 1
    assert [(row["error"], row["pointer"]) for row in run.quarantine()] == [("LabelLooksPersonal", pointer)]
    (value,) = told.values()
    for path, data in run.files().items():
        assert value.encode() not in data, path


def test_a_reason_opens_definitions_of_tools(tacenda: Any, tmp_path: Path) -> None:
    source = tmp_path / "set.jsonl"
    source.write_text(json.dumps(chat(description="Ask grace.lee@example.com first.")) + "\n", "utf-8")
    run = tacenda("anonymize", "--input", source, "--opaque", "tools=written by our engineers", *LOCAL)
    (after,) = run.corpus()
    assert after["tools"] == chat(description="Ask grace.lee@example.com first.")["tools"]
    assert "grace" not in json.dumps(after["messages"])


def test_a_preference_has_one_token_for_one_person(anonymized: Callable[..., Any]) -> None:
    record = {
        "prompt": [{"role": "user", "content": "Who wrote?"}],
        "chosen": "It was grace.lee@example.com.",
        "rejected": "grace.lee@example.com, I think.",
        "score_chosen": 7,
    }
    run = anonymized(record)
    assert run.corpus() == [
        json.loads(json.dumps(record).replace("grace.lee@example.com", "[EMAIL_ADDRESS_1]"))
    ]


ODD = {
    "openai": {
        "messages": [
            {"role": "system", "content": ""},
            {"role": "user", "content": []},
            {"role": "user", "content": [{"type": "text", "text": "é \u2028 \U0001f600"}], "weight": 1.0},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "f", "arguments": ""}},
                    {"id": "b", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                    {
                        "id": "c",
                        "type": "function",
                        "function": {
                            "name": "f",
                            "arguments": '{"n": 1.0,"m":1, "e":1e5, "z":-0, "big":12345678901234567890123, '
                            '"u":"\\u00e9\\/", "same":1, "same":2, "none":null, "in":{"a":[[],{}]}}',
                        },
                    },
                ],
            },
            {"role": "tool", "tool_call_id": "c", "content": ' [1e5, 1.0, 2.50,\t{"a": "b"}]\r\n'},
            {"role": "assistant", "content": "The list is ready.", "tool_calls": [], "train": False},
            {"role": "assistant", "content": "a", "tool_calls": None, "function_call": None, "audio": None},
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"maximum": 1.0}}}],
        "parallel_tool_calls": False,
    },
    "anthropic": {
        "system": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": ""},
                    {
                        "type": "tool_use",
                        "id": "t",
                        "name": "f",
                        "input": {"x": [1, 1.0, True, None, {}, []]},
                    },
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t", "content": [], "is_error": False},
                    {"type": "tool_result", "tool_use_id": "t"},
                    {"type": "image", "source": {"type": "url", "url": "https://x.example/p.png"}},
                ],
            },
        ],
    },
    "sharegpt": {
        "conversations": [
            {"from": "human", "value": ""},
            {
                "from": "function_call",
                "value": '{"name": "f", "arguments": {"x": 1.0, "y": 12345678901234567890123}}',
            },
            {"from": "observation", "value": '{"r": 1e5, "r": 2}'},
        ],
        "tools": '[ {"name":"f"} ]',
    },
    "alpaca": {"instruction": "a", "input": None, "output": ""},
    "preference": {"prompt": [], "chosen": "a\u2028b", "rejected": "", "margin": 1.0, "score_chosen": 10},
    "kto": {"prompt": "p", "completion": " c", "label": None},
    "document": {"text": "\ufeffe\u0301 \x00\x1f\x7f\u200b"},
}
"""Legal records with nothing personal in them, in spellings that a reader may stumble over."""


@pytest.mark.parametrize("name", sorted(ODD))
def test_odd_records_without_personal_data_come_out_as_they_were(
    anonymized: Callable[..., Any], name: str
) -> None:
    run = anonymized(ODD[name])
    assert not run.quarantine()
    (after,) = run.corpus()
    assert repr(after) == repr(ODD[name])  # 1 is not 1.0, and the order of fields stays


def test_what_is_left_out_of_a_message_is_said(anonymized: Callable[..., Any]) -> None:
    record = chat()
    record["messages"][0]["content"] = [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"},
        {"type": "redacted_thinking", "data": "ZW5jcnlwdGVk"},
    ]
    record["messages"][1]["tool_calls"][0]["index"] = 0
    run = anonymized(record)
    (after,) = run.corpus()
    assert after["messages"][0]["content"] == [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "redacted_thinking", "data": "[EMBEDDED_MEDIA]"},
    ]
    dropped = run.json("manifest.json")["fields"]["dropped"]
    assert dropped == ["messages.content.signature", "messages.tool_calls.index"]


def test_what_models_and_served_tools_say_is_searched(anonymized: Callable[..., Any]) -> None:
    who = "grace.lee@example.com"
    before = {
        "messages": [
            {"role": "developer", "content": f"Never write to {who}."},
            {
                "role": "assistant",
                "content": None,
                "refusal": f"I cannot mail {who}.",
                "reasoning_content": f"They ask for {who}.",
                "tool_calls": [
                    {"id": "call_1", "type": "custom", "custom": {"name": "sh", "input": f"mail {who}"}}
                ],
            },
            {"role": "assistant", "content": None, "audio": {"id": "audio_1", "expires_at": 1729234567}},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": who},
                    {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": who}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "s",
                        "content": [{"type": "web_search_result", "title": who, "page_age": "2 days"}],
                    },
                    {
                        "type": "text",
                        "text": who,
                        "citations": [{"type": "page_location", "cited_text": who}],
                    },
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "title": who,
                        "citations": {"enabled": True},
                        "source": {"type": "text", "media_type": "text/plain", "data": f"From {who}"},
                    }
                ],
            },
        ],
    }
    run = anonymized(before)
    assert not run.quarantine()
    assert run.corpus() == [json.loads(json.dumps(before).replace(who, "[EMAIL_ADDRESS_1]"))]
    assert run.json("manifest.json")["fields"]["dropped"] == []


SHAPES = Path(__file__).parents[3] / "shared" / "data" / "shapes"


@pytest.mark.skipif(not SHAPES.exists(), reason="needs the files of ../shared/data/shapes")
@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("alpaca.json", ()),
        ("anthropic-blocks.jsonl", ()),
        ("axolotl-alpaca.json", ()),
        ("call.vcon", ()),
        ("dpo-messages.jsonl", ()),
        ("dpo-strings.jsonl", ()),
        ("kto.jsonl", ()),
        ("hf-saved", ("topic", "uid")),
        ("llamafactory-toolcall.json", ()),
        ("openai-tools.jsonl", ()),
        ("openai-tools.jsonl.gz", ()),
        pytest.param(
            "plain.txt",
            (),
            marks=pytest.mark.xfail(strict=True, reason="the network takes the tag of a valve for an id"),
        ),
        ("prompt-completion.jsonl", ()),
        ("py-vcon-recording.vcon", ()),
        ("quoted.csv", ("ticket_id", "created", "channel", "resolved")),
        ("sharegpt-array.json", ("source", "lang")),
        ("sharegpt.jsonl", ("source", "lang")),
        ("turns.parquet", ("start_ms", "asr_confidence")),
    ],
)
def test_files_of_other_makers_come_out_in_their_shape(
    tacenda: Any, tmp_path: Path, name: str, labels: tuple[str, ...]
) -> None:
    flags = [word for field in labels for word in ("--opaque", f"{field}=a label of ours")]
    if name.startswith("openai-tools"):
        config = tmp_path / "config.json"
        config.write_text(json.dumps({"languages": {"accepted": {"de": "a test of shapes"}}}), "utf-8")
        flags += ["--config", str(config)]
    if name == "turns.parquet":
        flags += ["--field", "conversation_id=call_id", "--field", "text=utterance"]
    run = tacenda("anonymize", "--input", SHAPES / name, "--workers", "1", *flags)
    assert not run.quarantine()
    expected = json.loads((SHAPES / "EXPECTED.json").read_text("utf-8"))["files"][name]
    before, after = checker().load(str(SHAPES / name), name), run.corpus()
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


def checker() -> Any:
    """What the files come with: it reads them."""
    spec = importlib.util.spec_from_file_location("check", SHAPES / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def at(value: Any, path: list[str]) -> Any:
    if not path:
        yield json.dumps(value, default=str)
    elif path[0] == "*" and isinstance(value, list):
        for item in value:
            yield from at(item, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from at(value[path[0]], path[1:])
