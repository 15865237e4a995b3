"""CPU seconds and memory of the gazetteers: to load, over conversations, over text made to be slow.

    python -m tests.benchmarks.bench_gazetteer [FILE.jsonl[.gz] …]

A file holds conversations ({"turns": [{"text": …}]}) a line; the generated sample is always measured. CPU seconds
of one core, the best of three.
"""

import argparse
import time
from collections.abc import Iterable

import psutil

from transforms.detecting.gazetteers.detector import GazetteerDetector
from transforms.detecting.settings import InspectSettings

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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    files = parser.parse_args().files
    GazetteerDetector(InspectSettings(()))
    process = psutil.Process()
    before, start = process.memory_info().rss, time.process_time()
    detector = GazetteerDetector(InspectSettings(("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")))
    detector.find(["Maria"], [0, 1])
    seconds, grown = time.process_time() - start, process.memory_info().rss - before
    print(f"load {seconds:.2f} s, {grown / 1e6:.0f} MB more, at most {_peak():.0f} MB in all")
    # Not before: it loads all the rules.
    from tests.benchmarks.bench_detecting import _columns, _read

    for path in (None, *files):
        columns = _columns(list(_read(path)))
        size = sum(len(text.encode()) for texts, _ in columns for text in texts)
        best = min(_seconds(detector, columns) for _ in range(3))
        print(f"{path or 'generated sample'}: {size / 1e6:.1f} MB, {size / best / 1e6:.1f} MB/s")
    for label, text in _HOSTILE.items():
        half, whole = (_seconds(detector, [([text(size)], [0, 1])]) for size in (5_000_000, 10_000_000))
        print(f"{label}: 10 MB in {whole:.1f} s, half of it in {half:.1f} s")
    print(f"at most {_peak():.0f} MB in all")


def _seconds(detector: GazetteerDetector, columns: Iterable[tuple[list[str], list[int]]]) -> float:
    start = time.process_time()
    for texts, first_cell in columns:
        detector.find(texts, first_cell)
    return time.process_time() - start


def _peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
