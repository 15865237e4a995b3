"""What is lost without share-alike training data: the independent detector, trained again without those makers.

    python -m tests.benchmarks.bench_share_alike DATA_FOLDER GOLD…

Whole-span recall of any type and the share of found letters and digits that the gold marks, of the shipped detector and of
one trained alike without the makers of training files under a share-alike licence (`models/training/sources.yaml`); by
gold files of these makers and of others. The gold of some files is partial, so the second figure serves to compare.
"""

import argparse
import gzip
import json
from collections.abc import Collection
from pathlib import Path

import numpy as np

from tacenda.models.independent.detector import IndependentDetector
from tacenda.models.training.independent import maker_of, trained
from tacenda.models.training.sources import sources
from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.text.column import TextColumn


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("gold", type=Path, nargs="+")
    chosen = parser.parse_args()
    listed = sources().items()
    makers = {maker_of(name) for name, one in listed if "BY-SA" in one.licence and "training" in one.uses}
    detectors = IndependentDetector(), IndependentDetector(trained(chosen.data, makers))
    counts = {path: [_counts(path, detector) for detector in detectors] for path in chosen.gold}
    print(f"{'files':<24}{'spans':>8}{'recall: with':>14}{'without':>9}{'marked: with':>14}{'without':>9}")
    _show("all", counts.values())
    _show("of these makers", [own for path, own in counts.items() if maker_of(path.name) in makers])
    _show("of others", [own for path, own in counts.items() if maker_of(path.name) not in makers])
    for path, own in counts.items():
        _show(path.name.partition(".")[0], [own])


def _counts(path: Path, detector: IndependentDetector) -> list[int]:
    """Spans covered, spans, letters and digits found in gold, and found."""
    turns = [
        turn
        for line in gzip.decompress(path.read_bytes()).decode().splitlines()
        for turn in json.loads(line)["turns"]
    ]
    counts = np.zeros(4, np.int64)
    for turn, findings in zip(turns, detector.find(TextColumn([t["text"] for t in turns])), strict=True):
        readable = np.fromiter(map(str.isalnum, turn["text"]), np.bool_, len(turn["text"]))
        found, gold = np.zeros_like(readable), np.zeros_like(readable)
        for finding in findings:
            found[finding.start : finding.end] = True
        for span in turn["spans"]:
            gold[span["start"] : span["end"]] = True
            if gold_labels().kind(span["label"]) == "core":
                own = slice(span["start"], span["end"])
                counts[:2] += [bool(np.all(found[own] | ~readable[own])), 1]
        found &= readable
        counts[2:] += [np.count_nonzero(found & gold), np.count_nonzero(found)]
    return counts.tolist()


def _show(title: str, several: Collection[list[list[int]]]) -> None:
    if several:
        shipped, other = (np.sum(side, axis=0).tolist() for side in zip(*several, strict=True))
        shares = [side[i] / max(side[i + 1], 1) for i in (0, 2) for side in (shipped, other)]
        row = "".join(f"{share:>{width}.3f}" for share, width in zip(shares, (14, 9, 14, 9), strict=True))
        print(f"{title:<24}{shipped[1]:>8,}{row}", flush=True)


if __name__ == "__main__":
    main()
