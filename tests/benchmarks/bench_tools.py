"""Conversations with tools: what is lost, what changes for nothing, what no longer parses, fits or compiles.

    python -m tests.benchmarks.bench_tools CHAT_FOLDER [--preset NAME …] [--kinds] [--figures NAME]

CHAT_FOLDER has ``*.jsonl.gz`` of the chat shape with ``tools``, and ``spans.json``: by file, line (from 0) and JSON
pointer of a text, the spans in it that are personal or don't-care. Two sets are generated beside them: calls whose
typed arguments are personal, and functions of the standard library in fences and in arguments. Of each set:

- rows lost: in quarantine;
- changed for nothing: rows with a finding that no gold span overlaps; ``--kinds`` counts their infoTypes;
- recall: gold spans, but dates and don't-care, whose every letter and digit is found;
- unparsable: arguments that were JSON and are not; unfitting: those that were valid by the tool's own parameters
  and are not; broken: functions that compiled and do not.

Counts and shares only; nothing of the text is printed.
"""

import argparse
import ast
import gzip
import inspect
import json
import random
import statistics
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.exceptions import UnknownType

from tacenda import Anonymizer, Rejection
from tacenda.transforms.shapes.json_text import is_json, places_of_values, walk_json
from tests.benchmarks import figures
from tests.benchmarks.rounds import Spread

Record = dict[str, Any]
Spans = dict[str, list[dict[str, Any]]]
CALLS, FUNCTIONS = "generated calls", "functions"
_OF_CALLS = 300
_SEED = 1
_NOT_ASKED = ("DATE", "TIME", "MISC")
"""Labels that are don't-care, or that no default looks for."""


def read_sets(folder: Path) -> Iterator[tuple[str, list[Record], dict[int, Spans]]]:
    """Name, rows and gold by row of each file; then of the generated sets."""
    gold = json.loads((folder / "spans.json").read_text("utf-8"))
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        yield path.name.partition(".")[0], rows, {int(k): spans for k, spans in gold[path.name].items()}
    draw = random.Random(_SEED)
    made = [generated_call(draw) for _ in range(_OF_CALLS)]
    yield CALLS, [row for row, _ in made], {i: spans for i, (_, spans) in enumerate(made)}
    yield FUNCTIONS, list(functions()), {}


def generated_call(draw: random.Random) -> tuple[Record, Spans]:
    """A call whose arguments are personal and typed by their schema, and its gold."""
    name = f"{draw.choice(('Nadine', 'Tobias', 'Ingrid', 'Rahul'))} {draw.choice(('Okafor', 'Lindqvist', 'Marchetti'))}"
    customer, phone = draw.randrange(10_000_000, 99_999_999), f"+1415555{draw.randrange(100, 200):04d}"
    email = f"{name.split()[0].lower()}.{draw.randrange(10, 99)}@mailbox.org"
    arguments = {"customer_id": customer, "phone": phone, "email": email, "name": name, "party_size": 4}
    said = f"I'm {name}, customer number {customer}. Write to {email} or call {phone}."
    told = json.dumps(arguments)
    personal = [str(customer), email, phone]

    def spans(text: str) -> list[dict[str, Any]]:
        return [
            {"start": text.index(one), "end": text.index(one) + len(one), "label": "GENERIC"}
            for one in (*personal, name)
        ]

    types: dict[str, Any] = {
        "customer_id": {"type": "integer", "minimum": 10_000_000, "maximum": 99_999_999},
        "phone": {"type": "string", "pattern": r"^\+1[0-9]{10}$"},
        "email": {"type": "string", "format": "email", "pattern": "@"},
        "name": {"type": "string", "maxLength": 40},
        "party_size": {"type": "integer", "minimum": 1},
    }
    tool = {
        "name": "book_table",
        "description": "Book a table.",
        "parameters": {"type": "object", "properties": types},
    }
    call = {
        "id": f"call_{draw.getrandbits(96):024x}",
        "type": "function",
        "function": {"name": "book_table", "arguments": told},
    }
    row = {
        "messages": [
            {"role": "user", "content": said},
            {"role": "assistant", "content": None, "tool_calls": [call]},
        ],
        "tools": [{"type": "function", "function": tool}],
    }
    return row, {
        "/messages/0/content": spans(said),
        "/messages/1/tool_calls/0/function/arguments": spans(told),
    }


def functions() -> Iterator[Record]:
    """Functions of the standard library, in a fence and as an argument."""
    import argparse as a
    import configparser as b
    import email.message as c
    import shutil as d
    import textwrap as e

    modules: Sequence[ModuleType] = (a, b, c, d, e, statistics, gzip, json, inspect)
    for module in modules:
        for one in vars(module).values():
            if not isinstance(one, FunctionType) or one.__module__ != module.__name__:
                continue
            code = textwrap.dedent(inspect.getsource(one))
            call = {"type": "function", "function": {"name": "run", "arguments": json.dumps({"code": code})}}
            yield {
                "messages": [
                    {"role": "user", "content": "Show it and run it."},
                    {"role": "assistant", "content": f"Here:\n```python\n{code}```", "tool_calls": [call]},
                ],
                "code": code,
            }


def pointer_of(row: Record, turn: int, part: str | None) -> str:
    """The JSON pointer of the text that a finding's part is in."""
    first, *rest = ("content",) if part is None else part.split(".")
    steps = ["content"] if first == "json" else [first, *rest]
    if steps[2:3] == ["arguments"]:
        steps.insert(2, "function")
    value, told = row["messages"][turn], ["", "messages", str(turn)]
    for step in [*steps, "text"]:
        if isinstance(value, str):
            break
        value = value[int(step)] if isinstance(value, list) else value[step]
        told.append(step)
    return "/".join(told)


def value_at(row: Record, pointer: str) -> Any:
    """What a JSON pointer points to."""
    value: Any = row
    for step in pointer.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def range_in_text(row: Record, pointer: str, part: str | None, start: int, end: int) -> tuple[int, int]:
    """The range of a finding in the whole text that its value is in."""
    text = value_at(row, pointer)
    if part is None or not is_json(text):
        return start, end
    paths: list[str] = []

    def collect(path: str, value: str) -> str:
        paths.append(path)
        return value

    walk_json(text, "", collect)
    for path, places in zip(paths, places_of_values(text), strict=True):
        if part.endswith(path):
            return places[start], places[end]
    return start, end


def is_covered(text: str, span: dict[str, Any], ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether every letter and digit of a span lies under some range."""
    return all(
        not text[i].isalnum() or any(start <= i < end for start, end in ranges)
        for i in range(span["start"], span["end"])
    )


def calls(record: Record) -> Iterator[tuple[str, str]]:
    """Name and arguments of each call."""
    for message in record["messages"]:
        for call in message.get("tool_calls") or ():
            yield call["function"]["name"], call["function"].get("arguments") or ""


def parsed(text: str) -> Any:
    """JSON, or None."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def compiles(code: str) -> bool:
    """Whether it is Python."""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return False
    return True


def fits(schema: Draft202012Validator | None, value: Any) -> bool:
    """Whether a value is valid by a schema; none is by one with types of its own."""
    try:
        return schema is not None and schema.is_valid(value)
    except (SchemaError, UnknownType):
        return False


def breakages(before: Record, after: Record) -> Counter[str]:
    """What no longer parses, fits or compiles."""
    counts: Counter[str] = Counter()
    schemas = {
        tool["function"]["name"]: Draft202012Validator(tool["function"].get("parameters") or {})
        for tool in before.get("tools") or ()
        if "function" in tool
    }
    for (name, old), (_, new) in zip(calls(before), calls(after), strict=True):
        was, now = parsed(old), parsed(new)
        counts["arguments"] += 1
        counts["unparsable"] += was is not None and now is None
        if now is not None and fits(schemas.get(name), was):
            counts["unfitting"] += not fits(schemas[name], now)
        if "code" in before:
            counts["functions"] += 1
            fenced = after["messages"][1]["content"].partition("```python\n")[2].removesuffix("```")
            counts["broken"] += not (compiles(fenced) and compiles(now["code"]))
    return counts


def measured(
    anonymizer: Anonymizer, rows: Sequence[Record], gold: dict[int, Spans]
) -> tuple[Counter[str], Counter[str]]:
    """Counts of a set; and its findings that no gold span overlaps, by infoType."""
    counts, kinds = Counter(rows=len(rows)), Counter[str]()
    results = anonymizer.anonymize(iter(rows))
    for i, (row, result) in enumerate(zip(rows, results, strict=True)):
        if isinstance(result, Rejection):
            counts["lost"] += 1
            kinds[result.error] += 1
            continue
        own = gold.get(i, {})
        found: dict[str, list[tuple[int, int]]] = {}
        beside = set()
        for one in result.findings:
            pointer = pointer_of(row, one.turn, one.part)
            start, end = range_in_text(row, pointer, one.part, one.start, one.end)
            found.setdefault(pointer, []).append((start, end))
            if not any(s["start"] < end and start < s["end"] for s in own.get(pointer, ())):
                beside.add((pointer, start, one.info_type))
        kinds.update(info_type for _, _, info_type in beside)
        counts["for nothing"] += bool(beside)
        for pointer, spans in own.items():
            for span in spans:
                if span["label"] not in _NOT_ASKED:
                    counts["gold"] += 1
                    counts["found"] += is_covered(value_at(row, pointer), span, found.get(pointer, ()))
        counts += breakages(row, result.conversation)
    return counts, kinds


def main() -> None:
    """Measure each set with the defaults and with each preset."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--preset", nargs="*", default=["assistant"])
    parser.add_argument("--kinds", action="store_true", help="findings for nothing by infoType")
    figures.add_flag(parser)
    chosen = parser.parse_args()
    shown: list[figures.Figure] = []
    for preset in (None, *chosen.preset):
        config: dict[str, Any] = {"languages": {"uncovered": "hold"}}
        if preset is not None:
            config["look_for"] = {"presets": [preset]}
        anonymizer = Anonymizer(config)
        for name, rows, gold in read_sets(chosen.folder):
            counts, kinds = measured(anonymizer, rows, gold)
            if chosen.kinds:
                print(preset, name, dict(counts), kinds.most_common(12), flush=True)
            for what, part, whole in (
                ("rows lost", "lost", "rows"),
                ("rows changed for nothing", "for nothing", "rows"),
                ("gold found whole", "found", "gold"),
                ("arguments that no longer parse", "unparsable", "arguments"),
                ("arguments that no longer fit", "unfitting", "arguments"),
                ("functions that no longer compile", "broken", "functions"),
            ):
                if counts[whole]:
                    share = 100 * counts[part] / counts[whole]
                    on = f"{name}, {preset or 'defaults'}"
                    of = f"{counts[part]:,} of {counts[whole]:,}"
                    shown.append(figures.Figure(what, on, "%", Spread.of([share]), of))
    figures.report(shown, 1, chosen.figures)


if __name__ == "__main__":
    main()
