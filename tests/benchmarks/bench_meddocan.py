"""MEDDOCAN's second task, sensitive spans, on its development file.

    python -m tests.benchmarks.bench_meddocan meddocan.dev.jsonl.gz

Spans of any type, with exactly the limits of the gold (*strict*), and after spans with nothing but punctuation and white
space between them are merged on both sides (*merged*), as the task's own script counts (Marimon et al., IberLEF 2019).
Every span of the gold counts, kin and other remarks included, so dates, sex, kin and professions are looked for. Training
text is that of the train files beside the gold, and our templates.
"""

import argparse
import gzip
import json
from collections.abc import Iterable
from pathlib import Path

from tests.benchmarks.evaluated import inspected
from tests.benchmarks.wording import overlapping, training_rows, wording

ROWS = (
    ("default", ""),
    ("+ dates, sex", "look_for: {also: [DATE, GENDER]}\n"),
    ("+ kin, professions", "look_for: {also: [DATE, GENDER, FAMILY_RELATION, PROFESSION]}\n"),
)

Spans = set[tuple[int, int]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold", type=Path)
    gold = parser.parse_args().gold
    documents = [json.loads(line) for line in gzip.decompress(gold.read_bytes()).decode().splitlines()]
    print(f"{'':22}{'strict: P':>11}{'R':>7}{'F1':>7}{'merged: P':>11}{'R':>7}{'F1':>7}")
    overlaps = overlapping([wording(document) for document in documents], training_rows(gold.parent))
    print(
        f"{sum(overlaps) / len(overlaps):.2f} of the documents share six words in a row with the training text"
    )
    for title, config in ROWS:
        found = inspected(gold, config)
        strict = merged = (0, 0, 0)
        for document in documents:
            (turn,) = document["turns"]
            marked = {(span["start"], span["end"]) for span in turn["spans"]}
            own = {(start, end) for _, start, end, _ in found.get(document["id"], ())}
            strict = _added(strict, marked, own)
            merged = _added(merged, _merged(turn["text"], marked), _merged(turn["text"], own))
        print(f"{title:22}{_shares(strict)}{_shares(merged)}")


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and not any(map(str.isalnum, text[merged[-1][1] : start])):
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return set(merged)


def _added(counts: tuple[int, int, int], marked: Spans, found: Spans) -> tuple[int, int, int]:
    return counts[0] + len(marked & found), counts[1] + len(found), counts[2] + len(marked)


def _shares(counts: tuple[int, int, int]) -> str:
    right, found, marked = counts
    precision, recall = right / max(found, 1), right / max(marked, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"{precision:>11.3f}{recall:>7.3f}{f1:>7.3f}"


if __name__ == "__main__":
    main()
