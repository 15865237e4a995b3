"""Shared by benchmarks: figures and findings by the command."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

UNSEEN = ("presidio-research", "uner-ewt", "uner-en-pud", "uner-sv-pud")
"""Dev files of corpora that have no train file. UNER also made two that have one."""


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


def table(columns: str, rows: list[list[str]], left: int = 1) -> dict[str, Any]:
    """A table of ``docs/evidence``, with the names of its columns between commas and so many of them of words."""
    names = columns.split(", ")
    return {"columns": names, "align": "l" * left + "r" * (len(names) - left), "rows": rows}
