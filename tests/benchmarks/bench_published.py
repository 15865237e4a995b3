"""Published figures of other systems, each with ours on the nearest development data.

    python -m tests.benchmarks.bench_published DATA_FOLDER

Their test data cannot be had or is held out, so no row compares two systems on one text. Ours are the default detectors
and what a row looks for besides. *words* counts words of any class; *mentions* needs the limits and the class of the gold;
*touched* is of mentions that a finding of their class touches, and the findings that touch one. What the gold marks as no
personal data of its own (quantities, currencies) counts for nobody. *Overlap* is the share of documents with six words in
a row that the training text has, too.
"""

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tacenda.transforms.evaluating.gold_reading import gold_labels
from tests.benchmarks.evaluated import Found, inspected
from tests.benchmarks.wording import overlapping, training_rows, wording

UNSEEN = Path(__file__).parent / "unseen"
OTHERS = ("letters", "genres", "calls")
_WORD = re.compile(r"\w+")
_UNCOUNTED = frozenset(("MISC", "PRODUCT"))

Counts = tuple[int, int, int, int]
"""Gold found, gold, findings right, findings."""


class Row(NamedTuple):
    """Records of files with a field of a value, and the infoTypes looked for beyond the default."""

    published: str
    measures: tuple[str, ...]
    files: tuple[str, ...]
    field: str = ""
    value: str = ""
    also: str = "DATE"

    def records(self, data: Path) -> list[dict[str, Any]]:
        return [
            one for name in self.files for one in _read(name, data) if one.get(self.field, "") == self.value
        ]


COURT = "DATE, TIME, NATIONALITY, ETHNIC_GROUP, TITLE"
ROWS = (
    Row("ECHR-es, reinterpreted: F1 .80", ("mentions", "touched"), ("echr-es",), also=COURT),
    Row("ECHR-es, projected: F1 .73", ("mentions", "touched"), ("echr-es-projected",), also=COURT),
    Row("KB-BERT, patients' chats: F1 .969, .955", ("words",), OTHERS, "lang", "sv"),
    Row("KB-BERT on Swedish essays: F1 .803", ("words",), ("swedish-ner",)),
    Row("Longformer on essays: F5 .936", ("words", "mentions"), ("genres",), "context", "essays"),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    chosen = [row.records(data) for row in ROWS]
    every = [record for records in chosen for record in records]
    overlaps = iter(overlapping(list(map(wording, every)), training_rows(data)))
    print(
        f"{'published':<40}{'ours on':<20}{'documents':>9}{'overlap':>9}  {'':9}{'gold':>6}{'P':>6}{'R':>6}{'F1':>6}{'F5':>6}"
    )
    for row, records in zip(ROWS, chosen, strict=True):
        shared = sum(next(overlaps) for _ in records) / len(records)
        found = _found(row, records)
        for measure in row.measures:
            counts = tuple(map(sum, zip(*(MEASURES[measure](one, found) for one in records), strict=True)))
            told = "".join(f"{share:>6.3f}" for share in _shares(counts))
            ours = row.value or row.files[0]
            print(
                f"{row.published:<40}{ours:<20}{len(records):>9,}{shared:>9.2f}  {measure:9}{counts[1]:>6,}{told}"
            )


def _read(name: str, data: Path) -> Iterator[dict[str, Any]]:
    path = UNSEEN / f"{name}.jsonl"
    packed = data / f"{name}.dev.jsonl.gz"
    text = path.read_bytes() if path.is_file() else gzip.decompress(packed.read_bytes())
    yield from map(json.loads, text.decode().splitlines())


def _found(row: Row, records: list[dict[str, Any]]) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        gold = Path(folder) / "gold.jsonl"
        gold.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        return inspected(gold, f"look_for: {{also: [{row.also}]}}\n")


def _words(record: Mapping[str, Any], found: Found) -> Counts:
    own = found.get(record["id"], set())
    hit = gold = said = 0
    for number, turn in enumerate(record["turns"]):
        marked = [(span["start"], span["end"], span["label"]) for span in turn["spans"]]
        hidden = [(start, end, "") for cell, start, end, _ in own if cell == number]
        for word in _WORD.finditer(turn["text"]):
            labels = _over(word.span(), marked)
            if labels and labels <= _UNCOUNTED:
                continue
            is_found = bool(_over(word.span(), hidden))
            hit += bool(labels) and is_found
            gold += bool(labels)
            said += is_found
    return hit, gold, hit, said


def _over(place: tuple[int, int], spans: list[tuple[int, int, str]]) -> set[str]:
    return {label for start, end, label in spans if start < place[1] and place[0] < end}


def _mentions(record: Mapping[str, Any], found: Found, touching: bool = False) -> Counts:
    own = [(*place, _class(info_type)) for *place, info_type in sorted(found.get(record["id"], ()))]
    every = [
        (number, span["start"], span["end"], _class(span["label"]))
        for number, turn in enumerate(record["turns"])
        for span in turn["spans"]
    ]
    gold = [one for one in every if one[3] not in _UNCOUNTED]
    left_out = [one for one in every if one[3] in _UNCOUNTED]
    own = [one for one in own if not any(_touch(one, other) for other in left_out)]

    def agree(one: Any, other: Any) -> bool:
        return one[3] == other[3] and (_touch(one, other) if touching else one == other)

    hit = sum(any(agree(one, other) for other in own) for one in gold)
    right = sum(any(agree(one, other) for other in gold) for one in own)
    return hit, len(gold), right, len(own)


def _touched(record: Mapping[str, Any], found: Found) -> Counts:
    return _mentions(record, found, touching=True)


MEASURES = {"words": _words, "mentions": _mentions, "touched": _touched}


def _touch(one: Any, other: Any) -> bool:
    return bool(one[0] == other[0] and one[1] < other[2] and other[1] < one[2])


@cache
def _class(label: str) -> str:
    return gold_labels().class_of(label)


def _shares(counts: Any) -> tuple[float, ...]:
    """Precision, recall, F1 and F5."""
    hit, gold, right, said = counts
    p, r = right / max(said, 1), hit / max(gold, 1)
    return p, r, *((1 + b * b) * p * r / max(b * b * p + r, 1e-9) for b in (1, 5))


if __name__ == "__main__":
    main()
