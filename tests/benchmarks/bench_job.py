"""CPU seconds of the whole default job, stage by stage, beside the bare network on the same tokens.

    python -m tests.benchmarks.bench_job [--rounds 5] [--kilobytes 100] [--figures job | --check]

Each round is a fresh process with one thread. It anonymises a little of each input first, which is the start; then
each input, and after it runs the network again on the rows that the job gave it. Machines differ and are busy, so
what is kept and compared is the ratio of the two. ``--check`` fails where the median of the rounds is above that
of ``docs/figures/job.json`` by more than ``TOTAL`` on all inputs together, or ``STAGE`` on one of them or in a stage.

At each tick of the process' CPU clock, what passed counts for the innermost room that is running.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from tests.benchmarks.figures import ROOT, Figure, load, machine, options, report
from tests.benchmarks.job_inputs import INPUTS, conversations
from tests.benchmarks.rounds import Spread

TOTAL, STAGE = 1.05, 1.15
"""On a machine with ten busy processes on two cores, nine rounds of the whole job varied by 1.3 % (standard
deviation), one input by 1.3 to 5.6 %, stages by 2 to 9 % or, where they are small, 30."""
SMALL = 0.02
"""A stage may grow by this share of the job: the clock does not tell less apart."""

JOB, START = "whole job", "start"
NETWORK, ALL = "the bare network", "all inputs"
_WARM_UP_BYTES = 40_000
_TICK_S = 0.002

STAGES = {
    "network": "models/token_classifier/onnx_session.py",
    "model, around the network": "models/token_classifier",
    "rules and other detecting": "transforms/detecting",
    "lists of names": "transforms/detecting/names",
    "spoken forms": "transforms/detecting/spoken.py",
    "passes over findings": "transforms/detecting/passes",
    "linking": "transforms/linking",
    "replacing": "transforms/replacing",
    "second look and risk": "transforms/auditing transforms/scoring",
    "languages": "transforms/language",
    "reading, writing, report": "transforms/reading transforms/shapes transforms/writing transforms/releasing",
    "the rest": "",
}
"""Folders and files; the longest that fits counts."""
_SHARED = (
    "transforms/text",
    "transforms/schema",
    "transforms/storage/process_cache.py",
    "transforms/identifiers",
)
"""Counts for whoever calls it."""


def main() -> None:
    parser = options(__doc__, rounds=5)
    parser.add_argument("--kilobytes", type=int, default=100, help="of text, of each input")
    parser.add_argument(
        "--check", action="store_true", help="fail where it is slower than docs/figures/job.json"
    )
    parser.add_argument("--one-round", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one_round:
        json.dump(_round(arguments.kilobytes * 1000), sys.stdout)
        return
    rounds = [_in_a_process(arguments.kilobytes) for _ in range(arguments.rounds)]
    figures = _figures(rounds)
    report(figures, arguments.rounds, arguments.figures)
    if arguments.check and (table := load("job"))["machine"] != machine():
        # Another processor runs the network and Python at another ratio.
        print(f"NOT COMPARED: the table is of {table['machine']}; --figures job writes one of this machine")
    elif arguments.check and (slower := slower_than(table, figures)):
        raise SystemExit("\n".join(slower))


def _in_a_process(kilobytes: int) -> Any:
    command = [sys.executable, "-m", __spec__.name, "--one-round", "--kilobytes", str(kilobytes)]
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, cwd=ROOT, check=True, env=os.environ | one_thread)
    return json.loads(done.stdout.splitlines()[-1])


class Clock:
    """CPU seconds of this process by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def running(self) -> Iterator[None]:
        self._last = time.process_time()
        signal.signal(signal.SIGPROF, self._tick)
        signal.siginterrupt(signal.SIGPROF, False)
        signal.setitimer(signal.ITIMER_PROF, _TICK_S, _TICK_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._tick(signal.SIGPROF, None)

    def _tick(self, _signal: int, frame: FrameType | None) -> None:
        now = time.process_time()
        self.seconds[_stage(frame)] += now - self._last
        self._last = now


def _stage(frame: FrameType | None) -> str:
    while frame is not None:
        if (stage := _stage_of(frame.f_code.co_filename)) is not None:
            return stage
        frame = frame.f_back
    return "the rest"


@cache
def _stage_of(file: str) -> str | None:
    path = Path(file)
    if not path.is_relative_to(ROOT) or path.is_relative_to(ROOT / ".venv"):
        return None
    name = path.relative_to(ROOT).as_posix()
    if name.startswith(_SHARED):
        return None
    folders = ((folder, stage) for stage, several in STAGES.items() for folder in several.split() or [""])
    return max((len(folder), stage) for folder, stage in folders if name.startswith(folder))[1]


def _round(size: int) -> Any:
    """CPU seconds of each input by stage, of the network alone, and the numbers of bytes and findings."""
    from tacenda.models.token_classifier.onnx_session import OnnxSession
    from tacenda.pipelines.cli import run

    given: list[tuple[Any, ...]] = []
    scores = OnnxSession.scores

    def noted(session: OnnxSession, *rows: Any, **how: Any) -> Any:
        given.append((session, *rows, how))
        return scores(session, *rows, **how)

    def again() -> float:
        begin = time.process_time()
        for session, *rows, how in given:
            scores(session, *rows, **how)
        return time.process_time() - begin

    OnnxSession.scores = noted  # type: ignore[method-assign]
    measured: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        little = [one for kind in INPUTS for one in conversations(kind, 2, _WARM_UP_BYTES // len(INPUTS))]
        _anonymize(run, little, Path(folder))
        measured[START] = time.process_time()
        for kind in INPUTS:
            batch = list(conversations(kind, 1, size))
            given.clear()
            clock = Clock()
            with clock.running():
                findings = _anonymize(run, batch, Path(folder))
            text = sum(len(turn["text"].encode()) for one in batch for turn in one["turns"])
            network = (again() + again()) / 2
            measured[kind] = {
                "stages": clock.seconds,
                "network": network,
                "bytes": text,
                "findings": findings,
            }
    return measured


def _anonymize(run: Any, batch: Sequence[Any], folder: Path) -> int:
    """Anonymise as the command does; returns the number of findings."""
    source, output = folder / "in.jsonl", folder / "out"
    source.write_text("".join(json.dumps(one) + "\n" for one in batch), "utf-8")
    shutil.rmtree(output, ignore_errors=True)
    code = run(["anonymize", "--input", str(source), "--output", str(output), "--workers", "1", "--quiet"])
    assert code in (0, 3), code
    totals = json.loads((output / "manifest.json").read_text("utf-8"))["totals"]
    quarantined = sum(totals["quarantined"].values())  # text in a language that nobody covers
    assert totals["conversations"] + quarantined == len(batch), quarantined
    return sum(totals["findings"].values())


def _figures(rounds: Sequence[Any]) -> list[Figure]:
    figures = []
    everything = [dict.fromkeys(STAGES, 0.0) for _ in rounds]
    network = [0.0 for _ in rounds]
    for kind in INPUTS:
        own = [one[kind] for one in rounds]
        totals = [sum(one["stages"].values()) for one in own]
        alone = [one["network"] for one in own]
        figures.append(_figure(JOB, kind, own[0]["bytes"], totals, alone))
        each = Spread.of(
            [1e6 * (total - net) / own[0]["findings"] for total, net in zip(totals, alone, strict=True)]
        )
        figures.append(Figure("all but the network", kind, "µs a finding", each))
        for i, one in enumerate(own):
            network[i] += one["network"]
            for stage, seconds in one["stages"].items():
                everything[i][stage] += seconds
    size = sum(rounds[0][kind]["bytes"] for kind in INPUTS)
    figures.append(_figure(JOB, ALL, size, [sum(one.values()) for one in everything], network))
    for stage in STAGES:
        figures.append(_figure(stage, ALL, size, [one[stage] for one in everything], network))
    start = [one[START] for one in rounds]
    ratio = Spread.of([one / net for one, net in zip(start, network, strict=True)])
    return [*figures, Figure(START, "", "s of CPU", Spread.of(start), NETWORK, ratio)]


def _figure(what: str, on: str, size: int, seconds: Sequence[float], network: Sequence[float]) -> Figure:
    ratio = Spread.of([one / net for one, net in zip(seconds, network, strict=True)])
    return Figure(what, on, "s of CPU a MB", Spread.of([1e6 * one / size for one in seconds]), NETWORK, ratio)


def slower_than(table: Any, figures: Sequence[Figure]) -> list[str]:
    """A line for each figure that is above that of the table by more than the bound."""
    before: Mapping[tuple[str, str], float] = {
        (row["what"], row["on"]): row["ratio"]["median"] for row in table["rows"] if row["ratio"]
    }
    lines = []
    for figure in figures:
        if figure.ratio is None:
            continue
        then, now = before.get((figure.what, figure.on), 0.0), figure.ratio.median
        is_all = (figure.what, figure.on) == (JOB, ALL)
        most = then * TOTAL if is_all else max(then * STAGE, then + SMALL * before[JOB, ALL])
        if now > most:
            lines.append(
                f"slower: {figure.what} {figure.on}: {now:.3f} × {NETWORK}; the table has {then:.3f}, at most {most:.3f}"
            )
    return lines


if __name__ == "__main__":
    main()
