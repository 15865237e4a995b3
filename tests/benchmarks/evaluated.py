"""Shared by benchmarks: gold, and its figures by the command."""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.transforms.evaluating.counting import Counts
from tacenda.transforms.evaluating.metrics import percentile_interval, resampled_sums

UNSEEN = ("presidio-research", "uner-ewt", "uner-en-pud", "uner-sv-pud")
"""Dev files of corpora that have no train file. UNER also made two that have one."""


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of JSON lines, packed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def evaluated(gold: Sequence[Path], *words: Any) -> Any:
    """The figures of `tacenda evaluate`."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "tacenda", "evaluate", "--input", *gold, *words, "--json", figures]
        done = subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise SystemExit(f"tacenda evaluate: exit {done.returncode}")
        return json.loads(figures.read_text("utf-8"))


def share(one: Any) -> str:
    """A share with its interval, as ``.968 [.965, .971]``."""
    value = one["value"]
    if value is None:
        return "–"
    told = [value, *(one["interval"] or ())]
    short = [f"{x:.3f}".replace("0.", ".", 1) if x < 1 else "1.00" for x in told]
    return short[0] if len(short) == 1 else f"{short[0]} [{short[1]}, {short[2]}]"


def ratio(counts: Counts, hits: int, of: int) -> str:
    """One column's share of another, with a bootstrap interval over the rows, which are conversations."""
    sums = np.concatenate([counts.sum(axis=0)[np.newaxis], resampled_sums(counts, 1000, 0)])
    if not sums[0, of]:
        return "–"
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = sums[:, hits] / sums[:, of]
    return share({"value": float(shares[0]), "interval": percentile_interval(shares[1:])})


def table(columns: str, rows: list[list[str]], left: int = 1) -> dict[str, Any]:
    """A table of ``docs/evidence``, with the names of its columns between commas and so many of them of words."""
    names = columns.split(", ")
    return {"columns": names, "align": "l" * left + "r" * (len(names) - left), "rows": rows}
