"""A run that grows tenfold, and again: CPU time for each conversation, and memory; then crooked corpora.

    python -m tests.benchmarks.bench_soak --work FOLDER [--most 10000000] [--detector rules] [--workers 1]
    python -m tests.benchmarks.bench_soak --work FOLDER --skew

Whole runs of ``tacenda anonymize`` over the first 10^4, 10^5 … and ``--most`` turns of one corpus of sample calls
without their gold spans, each of them different. What was made and measured is kept in FOLDER, and the same command
goes on where it stopped. The slope is that of the logarithm of CPU seconds, less those of a run over one conversation, over the
logarithm of conversations: 1 where each costs the same. Memory is the peak of each process of the run.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import psutil

from tacenda.transforms.generating.sample.dialogue import conversation
from tests.benchmarks.figures import Figure, add_flag, report
from tests.benchmarks.rounds import Spread

TURNS_A_FILE = 10_000
LEAST = 10_000
SEED = 19
LOOK_EVERY_S = 0.2


class Taken(NamedTuple):
    """What a run took: CPU seconds of all its processes, wall seconds, megabytes of each process at its peak."""

    cpu_s: float
    wall_s: float
    driver_mb: float
    worker_mb: float


class Corpus(NamedTuple):
    """Files of JSON lines, and what is in them."""

    files: list[str]
    conversations: int
    turns: int
    text_bytes: int


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="corpora, and what was measured")
    parser.add_argument("--most", type=int, default=10_000_000, help="turns")
    parser.add_argument(
        "--detector", action="append", default=[], help="as of anonymize; none: the default chain"
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--skew", action="store_true", help="crooked corpora instead of growing ones")
    add_flag(parser)
    arguments = parser.parse_args()
    options = [word for name in arguments.detector for word in ("--detector", name)]
    options += ["--workers", str(arguments.workers)]
    chain = " and ".join(arguments.detector) or "the default, with the model"
    if arguments.skew:
        figures = list(_crooked(arguments.work, options, chain))
    else:
        figures = list(_growing(arguments.work, arguments.most, options, chain))
    report(figures, 1, arguments.figures)


def _growing(work: Path, most: int, options: Sequence[str], chain: str) -> Iterator[Figure]:
    start = _measured(work, f"start {chain}", _one(work), options)
    sizes = [LEAST * 10**step for step in range(math.ceil(math.log10(most / LEAST)))]
    before: tuple[float, int] | None = None
    for turns in [*sizes, most]:
        corpus = grown(work, turns)
        taken = _measured(work, f"{turns} {chain}", corpus.files, options)
        on = f"{chain}: {corpus.turns:,} turns, {corpus.conversations:,} conversations, {corpus.text_bytes / 1e6:,.0f} MB"
        yield _single("CPU for 1,000 conversations", on, "s", 1e3 * taken.cpu_s / corpus.conversations)
        cost = taken.cpu_s - start.cpu_s
        if before is not None:
            slope = math.log(cost / before[0]) / math.log(corpus.conversations / before[1])
            yield _single("slope beside the row before", on, "", slope)
        before = cost, corpus.conversations
        yield _single("driver", on, "MB at most", taken.driver_mb)
        if taken.worker_mb:
            yield _single("largest worker", on, "MB at most", taken.worker_mb)


def _crooked(work: Path, options: Sequence[str], chain: str) -> Iterator[Figure]:
    for name, make in CROOKED.items():
        folder = work / name
        if not (folder / "made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "in").mkdir(parents=True)
            make(folder / "in")
            (folder / "made").touch()
        taken = _measured(work, f"{name} {chain}", [str(folder / "in")], options)
        on = f"{chain}: {name.replace('-', ' ')}"
        yield _single("CPU", on, "s", taken.cpu_s)
        yield _single("driver", on, "MB at most", taken.driver_mb)


def grown(work: Path, turns: int) -> Corpus:
    """The files with the first ``turns`` turns, made if they are not there yet."""
    folder = work / "grown"
    folder.mkdir(parents=True, exist_ok=True)
    files, count, total, size, begin = [], 0, 0, 0, 0
    for number in range(turns // TURNS_A_FILE):
        path = folder / f"calls-{number:05d}.jsonl"
        told = path.with_suffix(".made")
        if not told.exists():
            told.write_text(json.dumps(_write(path, begin)))
        made, begin, turns_made, text = json.loads(told.read_text())
        count, total, size = count + made, total + turns_made, size + text
        files.append(str(path))
    return Corpus(files, count, total, size)


def _write(path: Path, begin: int) -> tuple[int, int, int, int]:
    """Write a file from conversation ``begin`` on; conversations, the next one's number, turns, bytes of text."""
    turns, text, index = 0, 0, begin
    with path.open("wb") as file:
        while turns < TURNS_A_FILE:
            record = _plain(index)
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
            turns += len(record["turns"])
            text += sum(len(turn["text"].encode()) for turn in record["turns"])
            index += 1
    return index - begin, index, turns, text


def _plain(index: int) -> dict[str, Any]:
    """A sample call as it comes from a recorder, without gold."""
    record = conversation(SEED, index)
    turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in record["turns"]]
    return {"conversation_id": record["conversation_id"], "context": record["context"], "turns": turns}


def _one(work: Path) -> list[str]:
    work.mkdir(parents=True, exist_ok=True)
    path = work / "one.jsonl"
    path.write_bytes(orjson.dumps(_plain(0), option=orjson.OPT_APPEND_NEWLINE))
    return [str(path)]


def _long_conversation(folder: Path) -> None:
    turns: list[Any] = []
    index = 0
    while len(turns) < 200_000:
        turns += _plain(index)["turns"]
        index += 1
    record = {"conversation_id": "long", "context": "meetings", "turns": turns[:200_000]}
    (folder / "long.jsonl").write_bytes(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def _tiny_files(folder: Path) -> None:
    for index in range(50_000):
        record = _plain(index)
        record["turns"] = record["turns"][:2]
        (folder / f"{index:05d}.jsonl").write_bytes(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def _hot_context(folder: Path) -> None:
    with (folder / "hot.jsonl").open("wb") as file:
        for index in range(20_000):
            record = _plain(index)
            record["context"] = "meetings" if index % 1_000 else f"rare {index}"
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


CROOKED = {
    "one-conversation-of-200,000-turns": _long_conversation,
    "50,000-files-of-one-line": _tiny_files,
    "20,000-conversations,-all-but-20-in-one-context": _hot_context,
}


def _measured(work: Path, name: str, files: Sequence[str], options: Sequence[str]) -> Taken:
    """What a run takes; taken from the record if it was measured before."""
    record = work / "measured.json"
    known = json.loads(record.read_text()) if record.exists() else {}
    key = " ".join([name, *options])
    if key not in known:
        shutil.rmtree(work / "out", ignore_errors=True)
        command = [
            sys.executable,
            "-m",
            "tacenda",
            "anonymize",
            "--quiet",
            "--output",
            str(work / "out"),
            *options,
        ]
        known[key] = _followed([*command, "--input", *files])
        shutil.rmtree(work / "out", ignore_errors=True)
        record.write_text(json.dumps(known, indent=1))
    return Taken(*known[key])


def _followed(command: Sequence[str]) -> Taken:
    """Run a command and follow the memory of its processes.

    Raises:
        SystemExit: it failed; 3, a run that was held, is no failure.
    """
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peaks: dict[int, float] = {}
    while True:
        for pid in _family(process.pid):
            peaks[pid] = max(peaks.get(pid, 0.0), _peak_mb(pid))
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        time.sleep(LOOK_EVERY_S)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(command[:8])} …: exit {process.returncode}")
    driver = peaks.pop(process.pid, 0.0)
    wall = time.perf_counter() - begin
    return Taken(used.ru_utime + used.ru_stime, wall, driver, max(peaks.values(), default=0.0))


def _family(pid: int) -> list[int]:
    try:
        return [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]
    except psutil.NoSuchProcess:
        return []


def _peak_mb(pid: int) -> float:
    """Megabytes that a process had resident at its peak, as Linux tells; 0 if it has ended."""
    try:
        told = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next(
        (float(line.split()[1]) / 1024 for line in told.splitlines() if line.startswith("VmHWM")), 0.0
    )


def _single(what: str, on: str, unit: str, value: float) -> Figure:
    return Figure(what, on, unit, Spread.of([value]))


if __name__ == "__main__":
    main()
