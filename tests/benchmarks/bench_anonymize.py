"""What Beam costs: ``anonymize`` Parquet to Parquet beside the same per-unit function in a loop and in a pool.

    python -m tests.benchmarks.bench_anonymize [--conversations 10000 100000] [--rounds 3] [--json FILE] [--corpora DIR] [--light]

All executors of a round run one after the other on the same corpus, so that a slow spell of the machine hits all
of them; figures are medians over rounds and ratios are medians of the rounds' own ratios. The clock runs from the
finished plan to the written verdict: start of worker processes included, start of the interpreter not.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pipelines import anonymize
from pipelines.executors.beam import run_on_beam
from pipelines.executors.loop import run_in_loop
from pipelines.executors.pool import run_in_pool
from pipelines.launch import prepare
from pipelines.output_folder import prepare_output

EXECUTORS = (("loop", 1), ("beam", 1), ("pool", 2), ("beam", 2))
UNIT_BYTES = 2 << 20
LIGHT = ["--detector", "gazetteer", "--config", str(Path(__file__).with_name("light.yaml"))]
"""Next to no detection: what is left is reading, scoring and writing, where a runner's own cost shows most."""


def run_once(executor: str, workers: int, corpus: Path, output: Path, light: bool) -> dict[str, Any]:
    """Run the job in this process (and its workers); returns seconds, sizes and the largest process's memory."""
    words = ["--input", f"{corpus}/conversations", "--output", str(output), "--unit-bytes", str(UNIT_BYTES)]
    words += LIGHT if light else ["--config", f"{corpus}/config.yaml"]
    arguments = anonymize.parser().parse_args(words)
    plan, job = prepare("anonymize", arguments)
    prepare_output(job, overwrite=True)
    begin = time.perf_counter()
    if executor == "loop":
        run_in_loop(plan, job)
    elif executor == "pool":
        run_in_pool(plan, job, workers)
    else:
        run_on_beam(plan, job, [], workers)
    seconds = time.perf_counter() - begin
    totals = json.loads((output / "manifest.json").read_text())["totals"]
    usage = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "seconds": seconds,
        "conversations": totals["conversations"],
        "megabytes": totals["characters"] / 1e6,
        "peak_mb": max(usage) / 1024,
    }


def measure(count: int, rounds: int, corpora: Path, output: Path, light: bool) -> list[dict[str, Any]]:
    """Rows of the table for one corpus size."""
    corpus = corpora / f"corpus-{count}"
    if not corpus.exists():
        _generate(count, corpus)
    runs: dict[tuple[str, int], list[dict[str, Any]]] = {executor: [] for executor in EXECUTORS}
    for _ in range(rounds):
        for executor, workers in EXECUTORS:
            command = [
                sys.executable,
                "-m",
                "tests.benchmarks.bench_anonymize",
                *["--light"] * light,
                "--once",
                executor,
                str(workers),
            ]
            done = subprocess.run(
                [*command, str(corpus), str(output)], check=True, capture_output=True, text=True
            )
            runs[executor, workers].append(json.loads(done.stdout))
            print(f"  {count:,} {executor} x{workers}: {done.stdout.strip()}", file=sys.stderr, flush=True)
    baseline = [run["seconds"] for run in runs["loop", 1]]
    rows = []
    for (executor, workers), several in runs.items():
        seconds = statistics.median(run["seconds"] for run in several)
        ratio = statistics.median(base / run["seconds"] for base, run in zip(baseline, several, strict=True))
        rows.append(
            {
                "conversations": count,
                "executor": executor,
                "workers": workers,
                "seconds": round(seconds, 2),
                "mb_per_s": round(several[0]["megabytes"] / seconds, 2),
                "conversations_per_s": round(several[0]["conversations"] / seconds),
                "speed_over_loop": round(ratio, 3),
                "peak_mb": round(max(run["peak_mb"] for run in several)),
            }
        )
    return rows


def _generate(count: int, corpus: Path) -> None:
    sample = [sys.executable, "-m", "pipelines.sample", "--conversations", str(count), "--format", "parquet"]
    subprocess.run([*sample, "--output", str(corpus)], check=True, stdout=subprocess.DEVNULL)


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as Markdown."""
    lines = [
        "| conversations | executor | processes | MB/s | conversations/s | speed over loop | peak memory |",
        "|---:|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        lines.append(
            f"| {row['conversations']:,} | {row['executor']} | {row['workers']} | {row['mb_per_s']:.2f} "
            f"| {row['conversations_per_s']:,} | {row['speed_over_loop']:.2f} | {row['peak_mb']} MB |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--light", action="store_true", help="next to no detection, so that Beam's cost shows"
    )
    parser.add_argument(
        "--corpora", type=Path, help="keep the corpora there, or take those of an earlier run"
    )
    parser.add_argument("--once", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.once:
        executor, workers, corpus, output = arguments.once
        print(json.dumps(run_once(executor, int(workers), Path(corpus), Path(output), arguments.light)))
        return
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for count in arguments.conversations:
            rows += measure(
                count,
                arguments.rounds,
                arguments.corpora or Path(folder),
                Path(folder) / "out",
                arguments.light,
            )
    print(table(rows))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
