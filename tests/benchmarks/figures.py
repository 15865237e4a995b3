"""Measured figures: a benchmark writes them to ``docs/figures/NAME.json``, and pages show them as tables.

    python -m tests.benchmarks.figures

writes every table anew from its file. A table stands between ``<!-- figures NAME -->`` and ``<!-- end -->``, and
nobody edits it by hand: a test compares the two. ``<!-- figures NAME: what; what -->`` shows these rows alone, and
``what, unit`` those of them in that unit. The pages of ``docs/evidence`` have marks alone, and get their tables on the
site, also those of ``<!-- table FILE: NAME -->`` from the JSON beside them.
"""

import argparse
import json
import os
import platform
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.rounds import Spread

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "figures"
EVIDENCE = ROOT / "docs" / "evidence"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "infra" / "SCALING.md"]
_TABLE = re.compile(r"(<!-- figures ([\w-]+)(?:: ([^>]+))? -->\n)(.*?)(<!-- end -->)", re.S)
_OTHER = re.compile(r"<!-- table ([\w-]+): ([^>]+) -->")


@dataclass(frozen=True)
class Figure:
    """A row: ``what`` was measured ``on`` which text, and its ratio to a baseline of the same rounds."""

    what: str
    on: str
    unit: str
    value: Spread
    beside: str = ""
    ratio: Spread | None = None


def options(doc: str | None, rounds: int | None = None) -> argparse.ArgumentParser:
    """The options of a benchmark; one that measures in rounds has their number, and may keep its figures."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if rounds is not None:
        parser.add_argument("--rounds", type=int, default=rounds)
        parser.add_argument(
            "--figures", metavar="NAME", help="write docs/figures/NAME.json and the tables with it"
        )
    return parser


def report(figures: Sequence[Figure], rounds: int, name: str | None) -> None:
    """Print the figures, and keep them if a name is given."""
    record = {
        "command": shlex.join(["python", "-m", _module(), *map(_without_folder, sys.argv[1:])]),
        "machine": machine(),
        "rounds": rounds,
        "rows": [asdict(figure) for figure in figures],
    }
    print(table(record))
    if name:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
        render()


def machine() -> str:
    """Processor, cores and Python."""
    return f"{_processor()}, {len(os.sched_getaffinity(0))} cores, Python {platform.python_version()}"


def load(name: str) -> Any:
    """The record with that name."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def rendered(page: str) -> str:
    """A page's text with every table from its record; one without a record is unchanged."""

    def anew(match: re.Match[str]) -> str:
        begin, name, rows, now, end = match.groups()
        if not (FOLDER / f"{name}.json").exists():
            return begin + now + end
        return begin + table(load(name), rows.split("; ") if rows else None) + end

    return _TABLE.sub(anew, page)


def with_evidence(page: str) -> str:
    """A page's text with every table, also those of ``docs/evidence``."""

    def filled(match: re.Match[str]) -> str:
        told = json.loads((EVIDENCE / f"{match[1]}.json").read_text("utf-8"))[match[2]]
        rules = ["---:" if one == "r" else "---" for one in told["align"]]
        return "\n".join(f"| {' | '.join(row)} |" for row in (told["columns"], rules, *told["rows"]))

    return _OTHER.sub(filled, rendered(page))


def keep_tables(name: str, tables: Mapping[str, Any]) -> None:
    """Write tables of ``docs/evidence/NAME.json``, a row a line, and leave its others as they are."""
    place = EVIDENCE / f"{name}.json"
    written = []
    for title, told in {**json.loads(place.read_text("utf-8")), **tables}.items():
        rows = ",\n".join(f"   {json.dumps(row, ensure_ascii=False)}" for row in told["rows"])
        said = {key: json.dumps(value, ensure_ascii=False) for key, value in told.items()}
        fields = [f'  "{key}": {value}' for key, value in {**said, "rows": f"[\n{rows}\n  ]"}.items()]
        written.append(f" {json.dumps(title, ensure_ascii=False)}: {{\n" + ",\n".join(fields) + "\n }")
    place.write_text("{\n" + ",\n".join(written) + "\n}\n", "utf-8")


def shown(page: str) -> list[str]:
    """The names of the records on a page."""
    return [match[2] for match in _TABLE.finditer(page)]


def render() -> None:
    """Write all tables again."""
    for page in PAGES:
        text = page.read_text("utf-8")
        if (new := rendered(text)) != text:
            page.write_text(new, "utf-8")


def table(record: Any, whats: Sequence[str] | None = None) -> str:
    """A record as Markdown, or only the rows of ``whats``: median, minimum and maximum of the rounds."""
    lines = ["| what | on | median | least to most | beside, in the same rounds |", "|---|---|---:|---:|---|"]
    for row in record["rows"]:
        if whats is not None and not {row["what"], f"{row['what']}, {row['unit']}"} & {*whats}:
            continue
        value, unit = row["value"], row["unit"]
        beside = f"{_spread(row['ratio'])} × {row['beside']}" if row["ratio"] else row["beside"]
        span = f"{_number(value['least'])} to {_number(value['most'])}"
        lines.append(
            f"| {row['what']} | {row['on']} | {_number(value['median'])} {unit} | {span} | {beside} |"
        )
    source = f"`{record['command']}`, {record['rounds']} rounds, {record['machine']}."
    return "\n".join([*lines, "", source, ""])


def _spread(value: Any) -> str:
    least, most = _number(value["least"]), _number(value["most"])
    return f"{_number(value['median'])} ({least} to {most})"


def _number(value: float) -> str:
    """Three digits, the precision of figures from such a machine."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _without_folder(word: str) -> str:
    """The name of a file without its folder."""
    return Path(word).name if Path(word).exists() else word


def _module() -> str:
    main = sys.modules["__main__"]
    return main.__spec__.name if main.__spec__ else Path(main.__file__ or "").stem


def _processor() -> str:
    """Its name with family and model: clouds give several generations one name, and networks run apart on them."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").partition("\n\n")[0].splitlines()
    told = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "model name" not in told:
        return platform.machine()
    return f"{told['model name']} (family {told.get('cpu family')}, model {told.get('model')})"


if __name__ == "__main__":
    render()
