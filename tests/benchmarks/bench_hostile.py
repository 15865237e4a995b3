"""The slope of time over length on hostile input: for every built-in infoType, and for whole detectors.

    python -m tests.benchmarks.bench_hostile [--detectors] [--rows 15] [INFO_TYPE …]

1 is linear, 2 quadratic. Each text is one cell without a line break, and is made as long as it takes to be
measured; the slope is that of log time over log length between an eighth of it and the whole. What reads two
million characters in 20 milliseconds has none. CPU seconds, the best of some rounds. A slope over the bound is
measured again, with more rounds, before it counts.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

PIECES = {
    "dots": "a." * 1000 + "." * 4000,
    "digits": "0123456789" * 10,
    "one digit": "7",
    "no space": "abcdefghij",
    "capitals": "ABCDEFGHIJ",
    "near matches": "4111-1111-1111-111 212-555-014 GB29 NWBK 6016 1331 9268 1 ",
    "nested": "a@b.c-d@e." * 3 + "my name is my name is ",
    "colons": "1:2:3:4:5:6:7:",
    "spelled": "a-b-c-1-2 d e f 3 ",
    "streets": "12 Long Road Street 12 Calle de la ",
}
"""What is repeated to the length wanted, for every infoType."""

WORDS = {
    "names": "Anna Maria de la Anna ",
    "lower case": "anna maria de la anna ",
    "titles": "Mr. Dr. Mrs. von der ",
    "numbers": "one hundred twenty one thousand double oh five ",
    "letters": "m as in mike a r k ",
    "addresses": "anna dot lee at mail dot com at dot ",
    "tokens": "[PERSON_NAME_1] [URL_",
    "wide": "１２３ é\u0301 שלום 😀 ",
}
"""What is hostile to detectors that read words."""

LINEAR = 1.1
FAST = 100e6
"""Characters a second at the longest length from which on nothing but the memory's own speed is measured."""

LONG = {"no space": 10_000_000}
"""Lengths in place of ``_LONGEST``."""

_MEASURABLE_S = 0.02
_SHORTEST, _LONGEST = 1 << 14, 1 << 21
_FOLD = 8


class Row(NamedTuple):
    """One measurement; ``speed`` in MB/s at the full length, ``slope`` 0 where that is ``FAST``."""

    slope: float
    text: str
    length: int
    speed: float


def slopes(detector: Detector, pieces: Mapping[str, str]) -> Iterator[Row]:
    """The slope for each hostile text."""
    for name, piece in pieces.items():
        longest = LONG.get(name, _LONGEST)
        row = measured(detector, name, piece, longest, 2)
        if row.slope > LINEAR:
            row = min(row, measured(detector, name, piece, longest, 7))
        yield row


def measured(detector: Detector, name: str, piece: str, longest: int, rounds: int) -> Row:
    """The slope on one text, up to a length."""
    length = _SHORTEST
    while length < longest and _seconds(detector, text_of(piece, length), 1) < _MEASURABLE_S:
        length = min(length * _FOLD, longest)
    long = _seconds(detector, text_of(piece, length), rounds)
    if length / long > FAST:
        return Row(0.0, name, length, length / long / 1e6)
    length = min(length * 2, longest)
    short = _seconds(detector, text_of(piece, length // _FOLD), rounds + 1)
    long = _seconds(detector, text_of(piece, length), rounds)
    return Row(math.log(long / short) / math.log(_FOLD), name, length, length / long / 1e6)


@lru_cache(maxsize=64)
def text_of(piece: str, length: int) -> str:
    """A piece repeated and cut to a length."""
    return (piece * (length // len(piece) + 1))[:length]


def _seconds(detector: Detector, text: str, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        detector.find(TextColumn([text]))
        best = min(best, time.process_time() - start)
    return best


def info_type_detector(name: str) -> RulesDetector:
    """A detector of one infoType at any likelihood."""
    return RulesDetector(InspectSettings((name,)), Likelihood.VERY_UNLIKELY)


def whole_detectors() -> dict[str, Callable[[], Detector]]:
    """The detectors of a run at their lowest likelihood, as for the second look."""
    settings = InspectSettings(default_info_types())
    least = Likelihood.VERY_UNLIKELY
    return {
        "rules": lambda: RulesDetector(settings, least),
        "gazetteer": lambda: GazetteerDetector(settings, least),
        "spoken": lambda: SpokenDetector(RulesDetector(settings, least), settings, least),
    }


def main() -> None:
    """Measure and print the worst."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("info_types", nargs="*", help="all built-in ones without")
    parser.add_argument("--detectors", action="store_true", help="whole detectors only")
    parser.add_argument("--rows", type=int, default=15, help="how many of the worst to print")
    arguments = parser.parse_args()
    rows: list[tuple[Row, str]] = []
    begin = time.process_time()
    if not arguments.detectors:
        for name in arguments.info_types or list(catalogue()):
            rows += [(row, name) for row in slopes(info_type_detector(name), PIECES)]
    if not arguments.info_types:
        for name, make in whole_detectors().items():
            detector = make()
            detector.find(TextColumn(["warm up"]))
            rows += [(row, f"{name} (whole)") for row in slopes(detector, {**PIECES, **WORDS})]
    rows.sort(reverse=True)
    print(f"{'':44} {'slope':>6}  {'on':14} {'characters':>11} {'MB/s':>8}")
    for row, name in rows[: arguments.rows]:
        print(f"{name:44} {row.slope:6.2f}  {row.text:14} {row.length:11,} {row.speed:8.1f}")
    fast = sum(row.slope == 0 for row, _ in rows)
    over = sum(row.slope > LINEAR for row, _ in rows)
    slowest = min(rows, key=lambda pair: pair[0].speed)
    print(
        f"{len(rows):,} measurements, {fast:,} of them at over {FAST / 1e6:.0f} MB/s, {over} over {LINEAR}; slowest {slowest[1]} on {slowest[0].text}: ",
        end="",
    )
    print(f"{slowest[0].speed:.2f} MB/s; {time.process_time() - begin:.0f} s")


if __name__ == "__main__":
    main()
