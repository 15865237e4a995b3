"""Shared by benchmarks: figures and findings by the command."""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

UNSEEN = ("presidio-research", "uner-ewt", "uner-en-pud", "uner-sv-pud")
"""Dev files of corpora that have no train file. UNER also made two that have one."""

Found = dict[str, set[tuple[int, int, int, str]]]
"""The turn, start, end and infoType of the findings of each conversation, by its id."""

HEADINGS = f"{'spans':>7}{'recall':>8}{'precision':>11}{'leak':>7}"


def inspected(gold: Path) -> Found:
    """The findings of `tacenda inspect`."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out"
        tacenda(["inspect", "--input", gold, "--output", output])
        found: Found = {}
        for path in sorted((output / "findings-jsonl").glob("*")):
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            for one in map(json.loads, data.decode().splitlines()):
                place = one["turn"], one["start"], one["end"], one["info_type"]
                found.setdefault(one["conversation_id"], set()).add(place)
        return found


def evaluated(gold: Path, *words: Any) -> Any:
    """The figures of `tacenda evaluate`."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        tacenda(["evaluate", "--input", gold, *words, "--json", figures])
        return json.loads(figures.read_text("utf-8"))


def tacenda(words: Sequence[Any]) -> None:
    command = [sys.executable, "-m", "tacenda", *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise SystemExit(f"tacenda {words[0]}: exit {done.returncode}")


def columns(row: Any) -> str:
    """Spans, recall, precision and leak rate of one file or all, under ``HEADINGS``."""
    recall, precision, leak = (row[of] for of in ("recall", "char_precision", "conversation_leak_rate"))
    shares = "".join(
        f"{'–' if one['value'] is None else format(one['value'], '.3f'):>{width}}"
        for one, width in ((recall, 8), (precision, 11), (leak, 7))
    )
    return f"{recall['of']:>7,}{shares}"
