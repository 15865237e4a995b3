"""MB/s of detection, beside a loop of Python's re over the same patterns, in one run.

    python -m tests.benchmarks.bench_detecting [FILE.jsonl[.gz] …]

A file holds conversations ({"turns": [{"text": …}]}) a line; without files, the generated sample is read. CPU
seconds of one core. Presidio's recognisers, scrubadub and DataFog are measured too where they are installed.
"""

import gzip
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from transforms.detecting.automaton import filtering
from transforms.detecting.catalogue import catalogue, default_info_types
from transforms.detecting.inspect_config import parse_inspect_config
from transforms.detecting.rules import RulesDetector
from transforms.generating.corpus import conversations
from transforms.schema.likelihood import Likelihood

CELLS = 8000
PEER_BYTES = 300_000

Columns = list[tuple[list[str], list[int]]]


def main() -> None:
    for path in sys.argv[1:] or [None]:
        columns = _columns(list(_read(path)))
        size = sum(len(text.encode()) for texts, _ in columns for text in texts)
        print(f"{Path(path).name if path else 'generated sample'}: {size / 1e6:.1f} MB")
        for label, likelihood in (("first look", None), ("second look", Likelihood.VERY_UNLIKELY)):
            for engine, worth in (("automaton", 0), ("RE2 alone", 1 << 62)):
                filtering.WORTH_BYTES = worth
                detector = RulesDetector(parse_inspect_config({}), likelihood)
                start = time.process_time()
                detector.find(["warm up"], [0, 1])
                warm_up = time.process_time() - start
                _show(f"{label}, {engine} ({warm_up:.1f} s to build)", size, _timed(detector, columns))
        texts = [text for some, _ in columns for text in some]
        for name, find in _peers():
            part = list(_part(texts))
            start = time.process_time()
            for text in part:
                find(text)
            _show(name, sum(len(t.encode()) for t in part), time.process_time() - start)


def _read(path: str | None) -> Iterator[list[str]]:
    if path is None:
        for conversation in conversations(1, 0, 1000):
            yield [turn["text"] for turn in conversation["turns"]]
        return
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as lines:
        for line in lines:
            yield [turn["text"] for turn in json.loads(line)["turns"]]


def _columns(read: Sequence[list[str]]) -> Columns:
    columns: Columns = [([], [0])]
    for turns in read:
        texts, first_cell = columns[-1]
        texts.extend(turns)
        first_cell.append(len(texts))
        if len(texts) >= CELLS:
            columns.append(([], [0]))
    return columns


def _timed(detector: RulesDetector, columns: Columns) -> float:
    best = float("inf")
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
        if size > PEER_BYTES:
            return


def _peers() -> Iterator[tuple[str, Callable[[str], object]]]:
    patterns = []
    for name in default_info_types():
        for pattern in catalogue()[name].patterns:
            try:
                patterns.append(re.compile(_in_python(pattern.regex)))
            except re.error:
                continue
    yield f"Python's re, {len(patterns)} patterns", lambda text: [list(p.finditer(text)) for p in patterns]
    try:
        from presidio_analyzer.predefined_recognizers import (
            CreditCardRecognizer,
            EmailRecognizer,
            UrlRecognizer,
        )
    except ImportError:
        print("  Presidio: not installed")
    else:
        several = [CreditCardRecognizer(), EmailRecognizer(), UrlRecognizer()]
        yield (
            "Presidio, 3 pattern recognisers",
            lambda text: [r.analyze(text, r.supported_entities, None) for r in several],
        )
    try:
        import scrubadub
    except ImportError:
        print("  scrubadub: not installed")
    else:
        yield "scrubadub", scrubadub.Scrubber().clean
    try:
        from datafog import DataFog
    except ImportError:
        print("  DataFog: not installed")
    else:
        yield "DataFog", DataFog().detect


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
