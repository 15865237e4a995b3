"""The verdict beside gold: what the swap test finds again, and whom it holds.

    python -m tests.benchmarks.bench_verdict --data FOLDER [--files NAME…] [--conversations N] [--write]

Each development file is anonymised without its gold by the default command; then its gold says which names were
missed. ``--write`` keeps the table in ``docs/evidence/measurements.json``.
"""

import contextlib
import io
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.scoring.intervals import exact_interval
from tests.benchmarks.evaluated import records
from tests.benchmarks.figures import keep_tables, options

SWAPS = "what the swap test finds"
_NAME = "PERSON_NAME"


class Swaps(NamedTuple):
    """What a run on a file says of its names, and what gold says; names are entities."""

    file: str
    conversations: int
    put: int
    found: int
    replaced: int
    missed: int
    state: str
    why: tuple[str, ...]

    @property
    def predicted(self) -> float:
        """Names missed, by the swap test: those found times the odds of not being found again."""
        return self.replaced * (self.put - self.found) / self.found if self.found else float("nan")


def without_gold(record: Mapping[str, Any]) -> dict[str, Any]:
    """A conversation as a user has it; chats with tools have no gold."""
    if "turns" not in record:
        return dict(record)
    turns = [{key: value for key, value in turn.items() if key != "spans"} for turn in record["turns"]]
    return {"id": record["id"], "context": record.get("context") or "", "turns": turns}


def anonymized(rows: Sequence[Mapping[str, Any]], folder: Path, *more: str) -> Path:
    """The output folder of the default command."""
    source, out = folder / "part-0.jsonl", folder / "out"
    source.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    words = ["anonymize", "--input", str(source), "--output", str(out), "--workers", "1", *more]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = cli_main(cli.run, [*words, "--opaque", "conversation_id=its gold is looked up by it"])
    if code not in (0, 3):
        raise SystemExit(f"exit code {code}")
    return out


def measured(path: Path, most: int) -> Swaps:
    """Run one file, and compare what was replaced with its gold."""
    rows = list(islice(records(path), most))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = anonymized([without_gold(row) for row in rows], folder, "--standoff", str(folder / "places"))
        figures = json.loads((out / "statistics.json").read_text("utf-8"))
        verdict = json.loads((out / "manifest.json").read_text("utf-8"))["verdict"]
        hidden: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
        there = set()
        for part in (folder / "places").rglob("*.parquet"):
            for one in pq.read_table(part).to_pylist():
                if one["field"] == "text":
                    hidden[one["conversation_id"], one["turn"]].append((one["start"], one["end"]))
        for part in (out / "hashes").glob("*.parquet"):
            there.update(pq.read_table(part)["conversation_id"].to_pylist())
    groups = figures.get("swap_test", {}).get("groups", [])
    names = next((one for one in groups if (one["by"], one["name"]) == ("infoType", _NAME)), None)
    seen: dict[tuple[str, str], bool] = {}
    for row in rows:
        if row.get("id") in there and "turns" in row:
            for turn, said in enumerate(row["turns"]):
                for span in said["spans"]:
                    if span["label"] in (_NAME, "FIRST_NAME", "LAST_NAME"):
                        text = said["text"][span["start"] : span["end"]]
                        key = row["id"], " ".join(text.casefold().split())
                        covered = _covered(said["text"], span, hidden[row["id"], turn])
                        seen[key] = seen.get(key, False) or covered
    found = sum(seen.values())
    put, again = (names["swaps"], names["found"]) if names else (0, 0)
    state, why = verdict["state"], tuple(verdict.get("held_by", ()))
    return Swaps(path.name.split(".")[0], len(there), put, again, found, len(seen) - found, state, why)


def _covered(text: str, span: Mapping[str, int], places: Sequence[tuple[int, int]]) -> bool:
    """Whether all letters and digits of a span are replaced."""
    letters = [i for i in range(span["start"], span["end"]) if text[i].isalnum()]
    return all(any(start <= i < end for start, end in places) for i in letters)


def swap_table(several: Sequence[Swaps]) -> dict[str, Any]:
    """The rows of the page."""
    columns = ["file", "names put in", "found again", "95 %", "missed, predicted", "missed, by gold", "of"]
    return {
        "columns": [*columns, "verdict"],
        "align": "lrrlrrrl",
        "rows": [
            [
                one.file,
                f"{one.put:,}",
                f"{one.found / one.put:.3f}",
                "{:.3f} to {:.3f}".format(*exact_interval(one.found, one.put)),
                f"{one.predicted:.0f}",
                f"{one.missed:,}",
                f"{one.replaced + one.missed:,}",
                one.state,
            ]
            for one in several
            if one.put
        ],
    }


def _files(data: Path, names: Sequence[str]) -> Iterator[Path]:
    for path in [*sorted(data.glob("*.dev.jsonl.gz")), *sorted(data.glob("chat/*.jsonl.gz"))]:
        if not names or path.name.split(".")[0] in names:
            yield path


def main() -> None:
    """Measure, print, and keep."""
    parser = options(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--files", nargs="+", default=[])
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    several = []
    for path in _files(arguments.data, arguments.files):
        several.append(measured(path, arguments.conversations))
        print(several[-1], flush=True)
    tables = {SWAPS: swap_table(several)}
    print(json.dumps(tables, ensure_ascii=False, indent=1))
    if arguments.write:
        keep_tables("measurements", tables)


if __name__ == "__main__":
    main()
