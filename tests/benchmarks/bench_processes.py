"""From how much text on a second process pays for its start: the constants of ``pipelines/executors/run.py``.

    python -m tests.benchmarks.bench_processes [--rounds 3] [--small 200] [--large 1000]

A job of T bytes takes one process s + T/v seconds, and two of them s + E/2 + T/2v, where E is the CPU time of both
beyond that of one. They are even at T = E·v. Both come from CPU seconds, which hold on a busy machine where the clock
does not: E from jobs of the same text in one and in two processes, v from jobs of little and of much text in one.
"""

import tempfile
from pathlib import Path

from tests.benchmarks.bench_anonymize import _job, _sample, _text_bytes
from tests.benchmarks.figures import Figure, options, report
from tests.benchmarks.rounds import Spread, alternate

CHAINS = {
    "rules and lists": ("--detector", "rules", "--detector", "gazetteer"),
    "the default, with the model": (),
}


def main() -> None:
    parser = options(__doc__, rounds=3)
    parser.add_argument("--small", type=int, default=200, help="conversations")
    parser.add_argument("--large", type=int, default=1000, help="conversations")
    arguments = parser.parse_args()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        small, large = (_sample(Path(folder), count) for count in (arguments.small, arguments.large))
        megabytes = (_text_bytes(large) - _text_bytes(small)) / 1e6
        for chain, words in CHAINS.items():
            cut = ("--unit-bytes", _text_bytes(small) // 4, *words)
            stages = {
                f"{name} {workers}": _job(
                    corpus / "calls.jsonl", Path(folder) / "out", "--workers", workers, *cut
                )
                for name, corpus, workers in (("small", small, 1), ("small", small, 2), ("large", large, 1))
            }
            used = alternate(stages, arguments.rounds)
            cpu = {name: [usage.cpu_s for usage in several] for name, several in used.items()}
            start = [two - one for one, two in zip(cpu["small 1"], cpu["small 2"], strict=True)]
            speed = [
                megabytes / (much - little)
                for little, much in zip(cpu["small 1"], cpu["large 1"], strict=True)
            ]
            even = [extra * v for extra, v in zip(start, speed, strict=True)]
            figures += [
                Figure("two processes beyond one", chain, "s of CPU", Spread.of(start)),
                Figure("one process", chain, "MB/s of CPU", Spread.of(speed)),
                Figure("even at", chain, "MB of text", Spread.of(even)),
            ]
    report(figures, arguments.rounds, arguments.figures)


if __name__ == "__main__":
    main()
