"""Recall by the length of a conversation, and by the place in it.

    python -m tests.benchmarks.bench_length DATA_FOLDER [NAME …] [--length CHARACTERS …]

The development conversations as they are, and joined to longer ones, with their turns and in one turn each. Every row has
the same spans, so a difference is due to length alone. Then recall in each fifth of a conversation, by characters.
"""

import argparse
import gzip
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tacenda.transforms.evaluating.gold_labels import gold_labels
from tests.benchmarks.bench_text_forms import NAMES, Record, in_one_turn, joined
from tests.benchmarks.evaluated import tacenda

FIFTHS = 5
LENGTHS = (10_000, 30_000, 100_000)

Place = tuple[str, int, int, int]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--length", type=int, nargs="+", default=LENGTHS, metavar="CHARACTERS")
    chosen = parser.parse_args()
    records: list[Record] = []
    for name in chosen.names:
        lines = gzip.decompress((chosen.data / f"{name}.dev.jsonl.gz").read_bytes()).decode().splitlines()
        records += map(json.loads, lines)
    heads = "".join(f"{f'fifth {i + 1}':>10}" for i in range(FIFTHS))
    print(f"{'characters':<12}{'in':<8}{'conversations':>14}{'spans':>8}{'recall':>8}{heads}")
    _show("as it is", "turns", records)
    for length in chosen.length:
        _show(f"{length:,}", "turns", list(joined(records, length)))
        _show(f"{length:,}", "one", list(in_one_turn(records, length)))


def _show(length: str, form: str, records: list[Record]) -> None:
    spans, readable = [0] * FIFTHS, [0] * FIFTHS
    left = _left(records)
    for record in records:
        whole = sum(len(turn["text"]) for turn in record["turns"])
        before = 0
        for number, turn in enumerate(record["turns"]):
            for span in turn["spans"]:
                if gold_labels().kind(span["label"]) == "core":
                    fifth = min(FIFTHS * (before + span["start"]) // whole, FIFTHS - 1)
                    spans[fifth] += 1
                    readable[fifth] += (record["id"], number, span["start"], span["end"]) in left
            before += len(turn["text"])
    recalls = "".join(f"{1 - n / of:>10.3f}" for n, of in zip(readable, spans, strict=True))
    recall = 1 - sum(readable) / sum(spans)
    print(f"{length:<12}{form:<8}{len(records):>14,}{sum(spans):>8,}{recall:>8.3f}{recalls}", flush=True)


def _left(records: Iterable[Record]) -> set[Place]:
    """The gold spans of which something stays readable."""
    with tempfile.TemporaryDirectory() as folder:
        gold, errors = Path(folder) / "gold.jsonl", Path(folder) / "errors.jsonl"
        gold.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        tacenda(["evaluate", "--input", gold, "--bootstrap", 0, "--errors", errors])
        told = map(json.loads, errors.read_text("utf-8").splitlines())
        return {
            (one["conversation_id"], one["turn"], one["start"], one["end"])
            for one in told
            if one["error"] in ("missed", "partial")
        }


if __name__ == "__main__":
    main()
