"""The whole of ``tacenda anonymize``, start included: two processes beside one, and Beam beside a plain loop.

    python -m tests.benchmarks.bench_anonymize [--conversations 9000] [--rounds 3] [--corpora DIR]
    python -m tests.benchmarks.bench_anonymize --light [--conversations 10000]

Without ``--light``: the default job over the same sample calls as one file of JSON lines, the same compressed, and
Parquet of one row group; the clock on the wall, since that is what a second process is for; bytes are those of turns' text. With it: next to no
detection, so that a runner's own cost shows; CPU seconds of all processes.
"""

import gzip
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import orjson
import pyarrow.json
import pyarrow.parquet as pq

from tests.benchmarks.figures import Figure, options, report
from tests.benchmarks.rounds import Spread, Usage, alternate, ratio, speed, usage

TACENDA = (sys.executable, "-m", "tacenda")
LIGHT = ("--detector", "gazetteer", "--config", Path(__file__).with_name("light.yaml"))
RUNNERS = {
    "a plain loop": ("--workers", 1),
    "two processes": ("--workers", 2),
    "Beam's FnApiRunner": ("--runner=FnApiRunner",),
}


def main() -> None:
    parser = options(__doc__, rounds=3)
    parser.add_argument("--conversations", type=int)
    parser.add_argument(
        "--corpora", type=Path, help="keep the corpora there, or take those of an earlier run"
    )
    parser.add_argument("--light", action="store_true", help="next to no detection")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpora = arguments.corpora or Path(folder)
        if arguments.light:
            corpus = _sample(corpora, arguments.conversations or 10_000)
            figures = _runners(corpus, Path(folder), arguments.rounds)
        else:
            corpus = _sample(corpora, arguments.conversations or 9_000)
            figures = _workers(corpus, Path(folder), arguments.rounds)
    report(figures, arguments.rounds, arguments.figures)


def _workers(corpus: Path, folder: Path, rounds: int) -> list[Figure]:
    kilobytes = _text_bytes(corpus) / 1e3
    figures = []
    for kind, name in (
        ("JSON lines", "calls.jsonl"),
        ("JSON lines, gzip", "calls.jsonl.gz"),
        ("Parquet, one row group", "calls.parquet"),
    ):
        words = ("--config", corpus / "config.yaml", "--workers")
        stages = {str(n): _job(corpus / name, folder / "out", *words, n) for n in (1, 2)}
        used = alternate(stages, rounds)
        one, two = ([usage.wall_s for usage in used[n]] for n in ("1", "2"))
        on = f"{kind}, {kilobytes / 1e3:.1f} MB of text"
        figures += [
            Figure("one process", on, "KB/s wall", speed(kilobytes, one)),
            Figure("two processes", on, "KB/s wall", speed(kilobytes, two), "one process", ratio(one, two)),
            Figure("one process", on, "MB of memory", Spread.of([usage.peak_mb for usage in used["1"]])),
        ]
    return figures


def _runners(corpus: Path, folder: Path, rounds: int) -> list[Figure]:
    megabytes = _text_bytes(corpus) / 1e6
    stages = {
        name: _job(corpus / "calls.parquet", folder / "out", *LIGHT, *words)
        for name, words in RUNNERS.items()
    }
    used = alternate(stages, rounds)
    cpu = {name: [usage.cpu_s for usage in several] for name, several in used.items()}
    on = f"{megabytes:.1f} MB of text, sample calls"
    loop = cpu["a plain loop"]
    return [
        Figure(name, on, "MB/s", speed(megabytes, taken), "a plain loop", ratio(loop, taken))
        for name, taken in cpu.items()
    ]


def _text_bytes(corpus: Path) -> int:
    with (corpus / "calls.jsonl").open("rb") as lines:
        return sum(len(turn["text"].encode()) for line in lines for turn in orjson.loads(line)["turns"])


def _job(source: Path, output: Path, *words: object) -> Callable[[], Usage]:
    def run() -> Usage:
        shutil.rmtree(output, ignore_errors=True)
        return usage([*TACENDA, "anonymize", "--input", source, "--output", output, *words])

    return run


def _sample(corpora: Path, count: int) -> Path:
    """Sample calls and their config, one file of each kind."""
    folder = corpora / f"calls-{count}"
    if not (folder / "calls.parquet").exists():
        usage([*TACENDA, "sample", "--conversations", count, "--output", folder])
        parts = sorted((folder / "conversations").iterdir())
        lines = b"".join(path.read_bytes() for path in parts)
        (folder / "calls.jsonl").write_bytes(lines)
        (folder / "calls.jsonl.gz").write_bytes(gzip.compress(lines, mtime=0))
        table = pyarrow.json.read_json(folder / "calls.jsonl")
        pq.write_table(table, folder / "calls.parquet", row_group_size=len(table))
    return folder


if __name__ == "__main__":
    main()
