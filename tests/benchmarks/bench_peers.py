"""Recall and precision of other detectors with their models, beside the chain, on development files.

    python -m tests.benchmarks.bench_peers DATA PEER PYTHON FOLDER [--files NAME …]

PEER is ``presidio`` or ``rampart``, PYTHON an interpreter that has it, FOLDER its model; see ``peers``. A gold span
is found if findings of any type cover its letters and digits; precision counts letters and digits of findings of
the types that both detectors know, in files whose gold is complete for them. English files: both peers read it.
Writes a table of ``docs/evidence/accuracy.json``.
"""

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacenda import Anonymizer
from tests.benchmarks.evaluated import ratio, records, table
from tests.benchmarks.figures import keep_tables, options

FILES = (
    *("presidio-research", "uner-ewt", "uner-en-pud", "wnut17", "gum", "multidogo", "plain-prose"),
    "plain-docs",
)

TYPES = {
    "PERSON_NAME": "PERSON", "FIRST_NAME": "PERSON", "LAST_NAME": "PERSON", "GIVEN_NAME": "PERSON",
    "SURNAME": "PERSON", "LOCATION": "PLACE", "STREET_ADDRESS": "PLACE", "ZIP_CODE": "PLACE", "CITY": "PLACE",
    "STATE": "PLACE", "COUNTRY": "PLACE", "US_STATE": "PLACE", "STREET_NAME": "PLACE", "BUILDING_NUMBER": "PLACE",
    "SECONDARY_ADDRESS": "PLACE", "EMAIL_ADDRESS": "EMAIL", "PHONE_NUMBER": "PHONE", "CREDIT_CARD": "CARD",
    "CREDIT_CARD_NUMBER": "CARD", "IBAN_CODE": "IBAN", "IP_ADDRESS": "IP", "US_SSN": "SSN",
    "US_SOCIAL_SECURITY_NUMBER": "SSN", "EMAIL": "EMAIL", "SSN": "SSN", "PERSON": "PERSON",
}  # fmt: skip
"""What is compared: the labels of the gold and the types of all detectors. Others are none of either."""

Spans = Mapping[tuple[str, int], Sequence[tuple[int, int, str]]]


def main() -> None:
    """Measure and write the table."""
    parser = options(__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("peer", choices=("presidio", "rampart"))
    parser.add_argument("python", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", nargs="+", default=FILES)
    chosen = parser.parse_args()
    rows, anonymizer = [], Anonymizer()
    for name in chosen.files:
        gold = [*records(chosen.data / f"{name}.dev.jsonl.gz")]
        theirs = _theirs(gold, chosen.python, chosen.peer, chosen.folder)
        ours: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
        for record, result in zip(gold, anonymizer.inspect(iter(gold)), strict=True):
            for one in getattr(result, "findings", ()):
                ours.setdefault((str(record["id"]), one.turn), []).append((one.start, one.end, one.info_type))
        (spans, *of_theirs), (_, *of_ours) = (scored(gold, found) for found in (theirs, ours))
        shares = (" / ".join(both) for both in zip(of_theirs, of_ours, strict=True))
        rows.append([name, f"{spans:,}", *shares])
    keep_tables("accuracy", {f"beside {chosen.peer}": table("file, spans, recall, precision", rows)})


def scored(gold_records: Iterable[Mapping[str, Any]], found: Spans) -> tuple[int, str, str]:
    """Spans of the gold, and shares of them and of the found letters and digits that are right."""
    rows = []
    for record in gold_records:
        spans = hit = right = judged = 0
        complete = record["gold"] == "complete" or set(map(TYPES.get, record.get("complete_for") or ()))
        for number, turn in enumerate(record["turns"]):
            text, gold = turn["text"], bytearray(len(turn["text"]))
            covered = bytearray(len(text))
            own = found.get((str(record["id"]), number), ())
            for start, end, _ in own:
                covered[start:end] = b"\1" * (end - start)
            for span in turn["spans"]:
                place = range(span["start"], span["end"])
                gold[span["start"] : span["end"]] = b"\1" * len(place)
                if span["label"] in TYPES:
                    spans += 1
                    hit += all(covered[at] for at in place if text[at].isalnum())
            for start, end, kind in own:
                if kind in TYPES and (complete is True or TYPES[kind] in complete):
                    letters = [at for at in range(start, end) if text[at].isalnum()]
                    judged += len(letters)
                    right += sum(gold[at] for at in letters)
        rows.append((spans, hit, judged, right))
    counts = np.array(rows, np.int64)
    return int(counts[:, 0].sum()), ratio(counts, 1, 0), ratio(counts, 3, 2)


def _theirs(read: Sequence[Mapping[str, Any]], python: Path, peer: str, folder: Path) -> Spans:
    places = [(str(r["id"]), i) for r in read for i in range(len(r["turns"]))]
    texts = [turn["text"] for record in read for turn in record["turns"]]
    command = [str(python), str(Path(__file__).with_name("peers.py")), peer, str(folder)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return dict(zip(places, json.loads(done.stdout.splitlines()[-1]), strict=True))


if __name__ == "__main__":
    main()
