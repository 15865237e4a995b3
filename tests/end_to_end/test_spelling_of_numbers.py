"""Numbers come out as they were spelled, and no text is lost behind a repeated key."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LOCAL = ("--workers", "1", "--detector", "rules", "--format", "jsonl")
ODD = (
    "1E5",
    "0.10",
    "1.0e-7",
    "-0.0",
    "-0",
    "1e+2",
    "3.14159265358979323846",
    "18446744073709551616",
    "7",
    "0.5",
)
"""Spellings of numbers; those before the last three may be times, the last two are usual ones."""

_LIST = "[" + ",".join(ODD) + "]"
_TOOLS = '[{"type":"function","function":{"name":"f","parameters":{"maximum":1.50}}}]'
_CALL = '{"id":"a","type":"tool_use","name":"f","input":{"n":' + _LIST + "}}"

LINES = {
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
def written(tacenda: Any, tmp_path: Path) -> Callable[..., Any]:
    def run(*lines: str, flags: tuple[str, ...] = ()) -> Any:
        source = tmp_path / "set.jsonl"
        source.write_text("\n".join(lines) + "\n", "utf-8")
        return tacenda("anonymize", "--input", source, *LOCAL, *flags)

    return run


def text_of(run: Any) -> str:
    parts = [*run.folder.glob("corpus/part-*"), *run.folder.glob(".held/part-*")]
    return "".join(path.read_text("utf-8") for path in sorted(parts))


@pytest.mark.parametrize("shape", sorted(LINES))
@pytest.mark.parametrize("how", ["--keep", "--opaque"])
def test_numbers_of_every_shape(written: Callable[..., Any], shape: str, how: str) -> None:
    lines = [LINES[shape] % (number, _LIST) for number in ODD[:-3]]
    lines = [line.replace('"c"', f'"c{i}"') for i, line in enumerate(lines)]
    fields = [name for name in LABELS if name.rpartition(".")[2] in LINES[shape]]
    fields = [name for name in fields if ("." in name) == (shape == "conversation" and name != "score")]
    reason = "=a number of ours" if how == "--opaque" else ""
    run = written(*lines, flags=tuple(word for name in fields for word in (how, name + reason)))
    assert not run.quarantine()
    assert text_of(run).splitlines() == lines


def test_numbers_of_calls_and_definitions(written: Callable[..., Any]) -> None:
    line = f'{{"messages":[{{"role":"assistant","content":[{_CALL}]}}],"tools":{_TOOLS}}}'
    run = written(line)
    assert not run.quarantine()
    assert text_of(run) == line + "\n"


def test_numbers_in_columns_are_worth_what_they_were(written: Callable[..., Any]) -> None:
    numbers = ("0.5", "1E5", "0.10", "-0", "18446744073709551616")
    lines = [f'{{"text":"Hello.","score":{number}}}' for number in numbers]
    run = written(*lines, flags=("--opaque", "score=a number of ours", "--format", "parquet"))
    assert [row["error"] for row in run.quarantine()] == ["NotInColumns"]
    assert [row["score"] for row in run.corpus()] == [0.5, 1e5, 0.1, 0.0]


def test_a_long_number_is_searched_as_it_is_spelled(written: Callable[..., Any]) -> None:
    run = written(
        '{"text":"Hello.","card":4111111111111111.0,"other":41111111111111110000000}',
        flags=("--keep", "card", "--keep", "other"),
    )
    assert json.loads(text_of(run))["other"] == 41111111111111110000000
    assert "4111111111111111.0" not in text_of(run)


@pytest.mark.parametrize(
    "line",
    [
        '{"text":"Grace Lee","text":"Hello."}',
        '{"text":"Hello.","note":{"a":"Grace Lee","b":{"c":1,"c":2}}}',
        '{"messages":[{"role":"user","content":"Grace Lee","content":"Hello."}]}',
    ],
)
def test_a_record_with_a_repeated_key_is_held(written: Callable[..., Any], line: str) -> None:
    good = '{"messages":[]}' if "messages" in line else '{"text":"Hello."}'
    run = written(line, good)
    assert [row["error"] for row in run.quarantine()] == ["RepeatedKey"]
    assert text_of(run) == good + "\n"
    for path, data in run.files().items():
        assert b"Grace" not in data, path


def test_a_definition_with_a_repeated_key_is_searched_whole(written: Callable[..., Any]) -> None:
    tools = json.dumps(
        '[{"name":"f","name":"g","description":"Ask grace.lee@example.com","description":"d"}]'
    )
    line = '{"conversations":[{"from":"human","value":"Hello."}],"tools":%s}'
    run = written(line % tools, line % '"[]"')
    assert [row["error"] for row in run.quarantine()] == ["LabelLooksPersonal"]
