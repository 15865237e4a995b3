"""MB/s of detection by rules, beside Python's re over the same patterns and beside other detectors, in one run.

    python -m tests.benchmarks.bench_detecting [--peers-python PATH] [FILE.jsonl[.gz] …]

A file holds conversations ({"turns": [{"text": …}]}) a line; without files, the generated sample is read. CPU
seconds of one core, the best of three, in batches as the job makes them. Presidio's pattern recognisers,
scrubadub and DataFog are measured on a part of the same text where --peers-python names an interpreter that has
them (a virtual environment of their own: they are no dependencies).
"""

import argparse
import gzip
import json
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipelines.collecting import collector_at_rest
from transforms.detecting.automaton import filtering
from transforms.detecting.catalogue import catalogue, default_info_types
from transforms.detecting.inspect_config import parse_inspect_config
from transforms.detecting.rules import RulesDetector
from transforms.detecting.spoken import SpokenDetector
from transforms.generating.corpus import conversations
from transforms.schema.likelihood import Likelihood

BATCH_CONVERSATIONS, BATCH_CHARS = 1000, 4_000_000
"""As ``reading.units.read_unit`` has them."""

PEER_CHARS = 300_000

Columns = list[tuple[list[str], list[int]]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", help="the generated sample without")
    parser.add_argument("--peers-python", type=Path, metavar="PATH", help="an interpreter that has the peers")
    arguments = parser.parse_args()
    for path in arguments.files or [None]:
        columns = _columns(_read(path))
        size = sum(len(text.encode()) for texts, _ in columns for text in texts)
        print(f"{Path(path).name if path else 'generated sample'}: {size / 1e6:.1f} MB")
        for label, likelihood in (("first look", None), ("second look", Likelihood.VERY_UNLIKELY)):
            for engine, worth in (("automaton", 0), ("RE2 alone", None)):
                filtering.WORTH_BYTES = worth
                detector = RulesDetector(parse_inspect_config({}), likelihood)
                start = time.process_time()
                detector.find(["warm up"], [0, 1])
                warm_up = time.process_time() - start
                _show(f"{label}, {engine} ({warm_up:.1f} s to build)", size, _timed(detector, columns))
                if engine == "automaton" and likelihood is None:
                    spoken = SpokenDetector(detector, parse_inspect_config({}))
                    _show("spoken forms, with the rules over them", size, _timed(spoken, columns))
        part = list(_part([text for texts, _ in columns for text in texts]))
        part_size = sum(len(text.encode()) for text in part)
        _show(*_by_python(part, part_size))
        if arguments.peers_python:
            for name, seconds in _by_peers(arguments.peers_python, part):
                _show(name, part_size, seconds)


def _read(path: str | None) -> Iterator[list[str]]:
    if path is None:
        for conversation in conversations(1, 0, 1000):
            yield [turn["text"] for turn in conversation["turns"]]
        return
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as lines:
        for line in lines:
            yield [turn["text"] for turn in json.loads(line)["turns"]]


def _columns(read: Iterator[list[str]]) -> Columns:
    columns: Columns = []
    size = 0
    for turns in read:
        if not columns or len(columns[-1][1]) > BATCH_CONVERSATIONS or size > BATCH_CHARS:
            columns.append(([], [0]))
            size = 0
        texts, first_cell = columns[-1]
        texts.extend(turns)
        first_cell.append(len(texts))
        size += sum(map(len, turns))
    return columns


def _timed(detector: RulesDetector | SpokenDetector, columns: Columns) -> float:
    best = float("inf")
    with collector_at_rest():
        for _ in range(3):
            start = time.process_time()
            for texts, first_cell in columns:
                detector.find(texts, first_cell)
            best = min(best, time.process_time() - start)
    return best


def _part(texts: Sequence[str]) -> Iterator[str]:
    size = 0
    for text in texts:
        yield text
        size += len(text)
        if size > PEER_CHARS:
            return


def _by_python(texts: Sequence[str], size: int) -> tuple[str, int, float]:
    patterns = []
    for name in default_info_types():
        for pattern in catalogue()[name].patterns:
            try:
                patterns.append(re.compile(_in_python(pattern.regex)))
            except re.error:
                continue
    start = time.process_time()
    for text in texts:
        for regex in patterns:
            list(regex.finditer(text))
    return f"Python's re, {len(patterns)} patterns", size, time.process_time() - start


def _by_peers(python: Path, texts: Sequence[str]) -> Iterator[tuple[str, float]]:
    script = Path(__file__).with_name("peers.py")
    done = subprocess.run(
        [python, script],
        input=json.dumps(texts),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    for answer in map(json.loads, done.stdout.splitlines()):
        if "error" in answer:
            print(f"  {answer['name']}: not measured ({answer['error']})")
        else:
            yield answer["name"], answer["seconds"]


def _in_python(pattern: str) -> str:
    """Near enough in Python's dialect for a comparison of speed."""
    pattern = pattern.replace(r"[\pL]", r"[^\W\d_]")
    for ours, theirs in (
        (r"\pL", "a-zA-Z"),
        (r"\p{Lu}", "A-Z"),
        (r"\p{Ll}", "a-z"),
        (r"\p{Nd}", "0-9"),
        (r"\pN", "0-9"),
    ):
        pattern = pattern.replace(ours, theirs)
    return re.sub(r"\\x\{([0-9A-F]+)\}", lambda m: chr(int(m[1], 16)), pattern)


def _show(label: str, size: int, seconds: float) -> None:
    print(f"  {label:48} {size / seconds / 1e6:8.2f} MB/s")


if __name__ == "__main__":
    main()
