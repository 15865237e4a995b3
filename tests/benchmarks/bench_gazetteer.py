"""CPU seconds and memory of the gazetteers: to load, and over text made to be slow, beside half of that text.

    python -m tests.benchmarks.bench_gazetteer

How much of a job they take stands in ``bench_job``.
"""

import time
from collections.abc import Iterable

import psutil

from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.text.column import TextColumn

_HOSTILE = {
    "one capitalised word": lambda size: "A" + "b" * (size - 1),
    "one word in capitals": lambda size: "A" * size,
    "accented letters": lambda size: "Ä" * size,
    "Mr Mr Mr …": lambda size: "Mr " * (size // 3),
    "one name over and over": lambda size: "Maria " * (size // 6),
    "one name in small letters": lambda size: "maria " * (size // 6),
    "a name a sentence": lambda size: "Maria Gonzalez. " * (size // 16),
    "names joined by hyphens": lambda size: "Maria-" * (size // 6),
    "a city over and over": lambda size: "new york " * (size // 9),
    "particles": lambda size: "Maria de la " * (size // 12),
    "other words every time": lambda size: " ".join(f"Na{i:x}" for i in range(size // 8)),
    "Swedish compounds": lambda size: "och det är " * 20 + "Xyklubbenbolaget sa. " * (size // 21),
    "signs": lambda size: "." * size,
}


def main() -> None:
    GazetteerDetector(InspectSettings(()))
    process = psutil.Process()
    before, start = process.memory_info().rss, time.process_time()
    detector = GazetteerDetector(InspectSettings(("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")))
    detector.find(TextColumn(["Maria"]))
    seconds, grown = time.process_time() - start, process.memory_info().rss - before
    print(f"load {seconds:.2f} s, {grown / 1e6:.0f} MB more, at most {_peak():.0f} MB in all")
    for label, text in _HOSTILE.items():
        half, whole = (_seconds(detector, [([text(size)], [0, 1])]) for size in (5_000_000, 10_000_000))
        print(f"{label}: 10 MB in {whole:.1f} s, half of it in {half:.1f} s")
    print(f"at most {_peak():.0f} MB in all")


def _seconds(detector: GazetteerDetector, columns: Iterable[tuple[list[str], list[int]]]) -> float:
    start = time.process_time()
    for texts, first_cell in columns:
        detector.find(TextColumn(texts, first_cell))
    return time.process_time() - start


def _peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
