"""MB/s of rules, spoken forms and lists of names, beside Python's re over the same patterns, in the same rounds.

    python -m tests.benchmarks.bench_detecting [--rounds 5] [--peers-python PATH] [FILE.jsonl[.gz] …]

A file holds conversations ({"turns": [{"text": …}]}) a line; without files, the generated sample is read. CPU
seconds of one core, in batches as the job makes them; Python's re and the peers read a part of the text. Presidio's
pattern recognisers, scrubadub and DataFog are measured once where --peers-python names an interpreter that has
them (a virtual environment of their own: they are no dependencies).
"""

import argparse
import gzip
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.benchmarks.figures import Figure, add_flag, report
from tests.benchmarks.rounds import alternate, cpu_seconds, ratio, speed

BATCH_CONVERSATIONS, BATCH_CHARS = 1000, 4_000_000
"""As ``reading.units.read_unit`` has them."""

PEER_CHARS = 300_000

Columns = list[tuple[list[str], list[int]]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", help="the generated sample without")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers-python", type=Path, metavar="PATH", help="an interpreter that has the peers")
    add_flag(parser)
    arguments = parser.parse_args()
    figures = []
    for path in arguments.files or [None]:
        on = Path(path).name.split(".")[0] if path else "sample calls"
        figures += _measure(_columns(_read(path)), on, arguments.rounds, arguments.peers_python)
    report(figures, arguments.rounds, arguments.figures)


def _measure(columns: Columns, on: str, rounds: int, peers: Path | None) -> list[Figure]:
    size = sum(len(text.encode()) for texts, _ in columns for text in texts)
    part = list(_part([text for texts, _ in columns for text in texts]))
    part_size = sum(len(text.encode()) for text in part)
    settings = parse_inspect_config({})
    rules = RulesDetector(settings, None)
    stages = {
        "rules, first look": partial(_find, rules, columns),
        "rules, second look": partial(_find, RulesDetector(settings, Likelihood.VERY_UNLIKELY), columns),
        "spoken forms": partial(_find, SpokenDetector(rules, settings), columns),
        "lists of names": partial(_find, GazetteerDetector(settings), columns),
        "Python's re": partial(_find_by_python, _python_patterns(), part),
    }
    seconds = alternate(stages, rounds, cpu_seconds)
    # A part was read; as if it had been all of it.
    baseline = [taken * size / part_size for taken in seconds.pop("Python's re")]
    figures = [
        Figure(name, on, "MB/s", speed(size / 1e6, taken), "Python's re", ratio(baseline, taken))
        for name, taken in seconds.items()
    ]
    figures.append(Figure("Python's re, the same patterns", on, "MB/s", speed(size / 1e6, baseline)))
    for name, taken in _by_peers(peers, part) if peers else ():
        figures.append(Figure(name, on, "MB/s", speed(part_size / 1e6, [taken])))
    return figures


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


def _find(detector: Detector, columns: Columns) -> None:
    with gc_paused():
        for texts, first_cell in columns:
            detector.find(TextColumn(texts, first_cell))


def _part(texts: Sequence[str]) -> Iterator[str]:
    size = 0
    for text in texts:
        yield text
        size += len(text)
        if size > PEER_CHARS:
            return


def _python_patterns() -> list[re.Pattern[str]]:
    patterns = []
    for name in default_info_types():
        for pattern in catalogue()[name].patterns:
            try:
                patterns.append(re.compile(_in_python(pattern.regex)))
            except re.error:
                continue
    return patterns


def _find_by_python(patterns: Sequence[re.Pattern[str]], texts: Sequence[str]) -> None:
    for text in texts:
        for regex in patterns:
            list(regex.finditer(text))


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
    """The pattern in Python's dialect, close enough for a comparison of speed."""
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


if __name__ == "__main__":
    main()
