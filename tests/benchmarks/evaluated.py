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

HEADINGS = f"{'spans':>7}{'recall':>8}{'precision':>11}{'leak':>7}"


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
