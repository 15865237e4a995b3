"""Run every file of a data folder through ``inspect``, ``score`` and ``anonymize``, and write the results as a page.

    python -m tests.benchmarks.real_data DATA_FOLDER [--output docs/real-data.md]

The folder holds gold and unlabelled conversations as ``*.jsonl.gz`` and, beside them, ``score.py``, which measures
findings against gold spans. Nothing of the text is written: counts, rates and scores only.
"""

import argparse
import gzip
import io
import json
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

ROOT = Path(__file__).parents[2]
ASKED = ["--detector", "rules", "--detector", "gazetteer"]
"""Without the model: it learnt from the training files, and would take ten times as long."""


@dataclass
class Row:
    """The results for one file."""

    name: str
    megabytes: float
    conversations: int = 0
    quarantined: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    before: dict[str, Any] | None = None
    after: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    accuracy: dict[str, Any] | None = None


def measure(path: Path, folder: Path) -> Row:
    """Run the three commands on one file."""
    with gzip.open(path) as file:
        size = len(file.read())
    row = Row(path.name.removesuffix(".jsonl.gz"), size / 1e6)
    for command in ("inspect", "score", "anonymize"):
        output = folder / command
        # In this process, so that word lists are loaded once and not once a file.
        with redirect_stdout(io.StringIO()):
            asked = [] if command == "score" else ASKED
            code = cli_main(cli.run, [command, "--input", str(path), "--output", str(output), *asked])
        if code not in (0, 3):
            raise SystemExit(f"{command} {path.name}: exit {code}")
        manifest = json.loads((output / "manifest.json").read_text())
        assert manifest["rows"]["balanced"], path
        if command == "inspect":
            row.findings.update(manifest["totals"]["findings"])
            row.accuracy = accuracy(path, output)
        else:
            sources = json.loads((output / "statistics.json").read_text())["sources"]
            scored = [(s, figures) for s, figures in sources.items() if figures["total"]["count"]]
            if command == "score":
                row.before = scored[0][1]["total"] if scored else None
            else:
                row.conversations = manifest["totals"]["conversations"]
                row.quarantined = manifest["rows"]["quarantined"]
                for source, figures in scored:
                    for context, group in figures["contexts"].items():
                        row.after[context] = (source, group)
    return row


def accuracy(gold: Path, output: Path) -> dict[str, Any] | None:
    """The figures from the ``score.py`` beside the data; None if the file has no gold spans."""
    scorer = gold.parent / "score.py"
    if not scorer.exists():
        return None
    findings = output / "findings.jsonl"
    with findings.open("wb") as sink:
        for part in sorted((output / "findings").glob("*.jsonl")):
            sink.write(part.read_bytes())
    result = subprocess.run(
        [sys.executable, scorer, gold, findings, "--json"], capture_output=True, text=True, check=True
    )
    figures: dict[str, Any] = json.loads(result.stdout)
    return figures if figures["gold_spans"] else None


def number(value: float | None, digits: int = 2) -> str:
    """A figure, or a dash for None."""
    return "–" if value is None else f"{value:.{digits}f}"


def document(rows: list[Row]) -> str:
    """The tables as Markdown."""
    total = sum(row.megabytes for row in rows)
    lines = [
        "# Real conversations",
        "",
        "The results of `tacenda inspect`, `tacenda score` and `tacenda anonymize` on every file of the development data,",
        "unmodified, with rules and the shipped lists of names only (`--detector rules --detector gazetteer`).",
        "[Accuracy](accuracy.md) has what the model adds. `make real-data DATA=folder` writes this page; the same version",
        "gives the same figures on the same files.",
        "",
        f"{len(rows)} files, {total:.1f} MB of JSON lines, {sum(r.conversations for r in rows):,} conversations,",
        f"{sum(r.quarantined for r in rows):,} rows quarantined.",
        "",
        "## Results by file",
        "",
        "*Recall* is whole-span recall regardless of type, without dates and times; *precision* counts characters, and is",
        "given only if the gold is complete for some labels; *leak* is the share of conversations with personal data in",
        "which something stays readable. The rules were developed on the dev files, so these are development figures and",
        "promise nothing for other text. *Before* and *after* are the mean risk scores of the original text and of the",
        "output of `anonymize`, measured with the gold spans (source `model` if a file has no gold: a self-check).",
        "",
        "| file | conversations | quarantined | findings | recall | precision | leak | before | after |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        a = row.accuracy or {}
        scored = sum(g["count"] for _, g in row.after.values())
        after = sum(g["mean"] * g["count"] for _, g in row.after.values()) / scored if scored else None
        lines.append(
            f"| {row.name} | {row.conversations:,} | {row.quarantined:,} | {sum(row.findings.values()):,} "
            f"| {number(a.get('recall'), 3)} | {number(a.get('char_precision'), 3)} "
            f"| {number(a.get('conversation_leak_rate'), 3)} "
            f"| {number(row.before['mean'] if row.before else None)} | {number(after)} |"
        )
    lines += [
        "",
        "## Risk by context",
        "",
        "| file | context | source | count | mean | std | P95 | max | μ+σ | at or over 5 | verdict |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        for context, (source, g) in sorted(row.after.items()):
            lines.append(
                f"| {row.name} | {context} | {source} | {g['count']:,} | {number(g['mean'])} | {number(g['std'])} "
                f"| {number(g['p95'], 1)} | {g['max']} | {number(g['mu_plus_sigma'])} "
                f"| {100 * g['share_at_or_over_threshold']:.1f} % | {'met' if g['pass'] else 'not met'} |"
            )
    findings: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for row in rows:
        findings.update(row.findings)
        files.update(row.findings.keys())
    lines += ["", "## Findings by infoType", "", "| infoType | findings | files |", "|---|---:|---:|"]
    lines += [
        f"| {name} | {count:,} | {files[name]} |"
        for name, count in sorted(findings.items(), key=lambda item: (-item[1], item[0]))
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all files and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "real-data.md")
    arguments = parser.parse_args()
    paths = sorted(arguments.data.rglob("*.jsonl.gz"))
    if not paths:
        raise SystemExit(f"{arguments.data}: no *.jsonl.gz file in it")
    rows = []
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(path.resolve(), Path(folder)))
        print(f"{rows[-1].name}: {rows[-1].conversations} conversations", file=sys.stderr, flush=True)
    arguments.output.parent.mkdir(exist_ok=True)
    arguments.output.write_text(document(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
