"""The slope of time over length, for every built-in infoType on hostile input: 1 is linear.

    python -m tests.benchmarks.bench_hostile [INFO_TYPE …]

Lengths double from 250 kB to 1 MB in one cell without a line break. The slope is that of log time over log
length, from the shortest to the longest; CPU seconds, the best of three.
"""

import math
import sys
import time

from transforms.detecting.automaton import filtering
from transforms.detecting.catalogue import catalogue
from transforms.detecting.rules import RulesDetector
from transforms.detecting.settings import InspectSettings
from transforms.schema.likelihood import Likelihood

HOSTILE = {
    "dots": "a." * 1000 + "." * 2000,
    "digits": "0123456789" * 10,
    "no space": "abcdefghij",
    "near matches": "4111-1111-1111-111 212-555-014 GB29 NWBK 6016 1331 9268 1 ",
    "nested": "a@b.c-d@e." * 3 + "my name is my name is ",
    "colons": "1:2:3:4:5:6:7:",
    "spelled": "a-b-c-1-2 d e f 3 ",
}
LENGTHS = (250_000, 500_000, 1_000_000)


def main() -> None:
    names = sys.argv[1:] or list(catalogue())
    print(f"{'infoType':48} {'slope':>6}  worst on        {'MB/s':>7}")
    worst = 0.0
    for name in names:
        slope, text, speed = max(_slopes(name))
        worst = max(worst, slope)
        print(f"{name:48} {slope:6.2f}  {text:14} {speed:8.1f}", flush=True)
    print(f"worst slope {worst:.2f}")


def _slopes(name: str) -> list[tuple[float, str, float]]:
    filtering.WORTH_BYTES = 0
    detector = RulesDetector(InspectSettings((name,)), Likelihood.VERY_UNLIKELY)
    found = []
    for label, piece in HOSTILE.items():
        seconds = [_seconds(detector, (piece * (length // len(piece) + 1))[:length]) for length in LENGTHS]
        slope = math.log(seconds[-1] / seconds[0]) / math.log(LENGTHS[-1] / LENGTHS[0])
        found.append((slope, label, LENGTHS[-1] / seconds[-1] / 1e6))
    return found


def _seconds(detector: RulesDetector, text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        detector.find([text], [0, 1])
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()
