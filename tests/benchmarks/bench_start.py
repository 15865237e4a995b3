"""The cost of starting a command: CPU time and memory of whole processes on one conversation.

    python -m tests.benchmarks.bench_start [--rounds 5] [--figures NAME]

Beside each stands the import of the three libraries that no run can do without. Bytecode and the machine's cache
are warm as on the second use of an installed package, but for the row that says otherwise.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.figures import Figure, options, report
from tests.benchmarks.rounds import Spread, Usage, alternate, usage

LIBRARIES = "import of numpy, pyarrow and onnxruntime"
TALK = (
    ("Agent", "Thank you for calling Northwind, this is Sarah Lindqvist. How can I help you today?"),
    ("Customer", "Hi Sarah, my name is James O'Connor and my card was declined."),
    ("Agent", "I'm sorry to hear that. Can you give me the phone number on the account?"),
    ("Customer", "Sure, it's four one five, five five five, oh one three two."),
    ("Agent", "And an email address?"),
    ("Customer", "james.oconnor at gmail dot com"),
    ("Customer", "I live at 42 Maple Street, Springfield, Illinois 62704. The card is 4111 1111 1111 1111."),
    ("Customer", "My date of birth is March 3rd 1984 by the way."),
)


def main() -> None:
    """Run from the command line."""
    parser = options(__doc__, rounds=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        used = _measure(arguments.rounds, Path(folder))
    libraries = used.pop(LIBRARIES)
    figures = [Figure(LIBRARIES, "", "s of CPU", Spread.of([one.cpu_s for one in libraries]))]
    for what, taken in used.items():
        times = [one.cpu_s / base.cpu_s for one, base in zip(taken, libraries, strict=True)]
        figures.append(
            Figure(
                what, "", "s of CPU", Spread.of([one.cpu_s for one in taken]), "the import", Spread.of(times)
            )
        )
    figures += [
        Figure(what, "", "MB at most", Spread.of([one.peak_mb for one in taken]))
        for what, taken in ((LIBRARIES, libraries), *used.items())
    ]
    report(figures, arguments.rounds, arguments.figures)


def _measure(rounds: int, folder: Path) -> dict[str, list[Usage]]:
    """What each command costs, run in turn."""
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    source = folder / "in.jsonl"
    turns = [{"speaker": speaker, "text": text} for speaker, text in TALK]
    source.write_text(json.dumps({"conversation_id": "c", "turns": turns}) + "\n")
    tacenda = (sys.executable, "-m", "tacenda")
    anonymize = (*tacenda, "anonymize", "--input", source, "--output", folder / "out", "--overwrite")
    stages: dict[str, Callable[[], Usage]] = {
        LIBRARIES: lambda: usage((sys.executable, "-c", "import numpy, pyarrow, onnxruntime")),
        "`tacenda --help`": lambda: usage((*tacenda, "--help")),
        "`tacenda --version`": lambda: usage((*tacenda, "--version")),
        "`tacenda config infotypes`": lambda: usage((*tacenda, "config", "infotypes")),
        "`tacenda anonymize`, one conversation": lambda: usage(anonymize),
        "the same, nothing compiled on this machine": lambda: _cold(anonymize),
        "the same on Beam": lambda: usage((*anonymize, "--runner=FnApiRunner")),
    }
    os.environ["TACENDA_CACHE"] = str(folder / "warm")
    return alternate(stages, rounds)


def _cold(command: tuple[object, ...]) -> Usage:
    warm = os.environ["TACENDA_CACHE"]
    with tempfile.TemporaryDirectory() as empty:
        os.environ["TACENDA_CACHE"] = empty
        try:
            return usage(command)
        finally:
            os.environ["TACENDA_CACHE"] = warm


if __name__ == "__main__":
    main()
