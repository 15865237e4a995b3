"""What presidio-evaluator says of the default detectors, on its makers' development file.

    python -m tests.benchmarks.bench_presidio_evaluator DATA_FOLDER [--config FILE] [--rows FILE...]

needs `pip install presidio-evaluator==0.3.2` beside Tacenda. Its SpanEvaluator compares spans of any type by the
intersection of their characters over the union, at thresholds of .5, .75 and .9, as precision, recall and F2; spans are
made of words, without the words that it skips, and neighbours of one type are merged.

The file was made of templates. Its documents are divided into two halves that share no wording: what is left of a
document without its values is its wording, and documents with a run of four words in common are in one half. Rules are
tried out on the first half; the second is looked at less often, and by nobody's name.

*Overlap* is the share of documents with a run of six words of wording that the training text has, too: the templates in
`transforms/generating/training`, and the conversations of `--rows`, train files in the data folder by default.
"""

import argparse
import gzip
import hashlib
import importlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

from tests.benchmarks.evaluated import Found, inspected
from tests.benchmarks.wording import overlapping, runs, training_rows, wording

PINNED = "0.3.2"
THRESHOLDS = (0.5, 0.75, 0.9)
FILE = "presidio-research.dev.jsonl.gz"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SHARED = 4

# What a span is called where types are compared: the evaluator's names on the left.
TYPES = {
    "PERSON": ("PERSON_NAME", "FIRST_NAME", "LAST_NAME"),
    "LOCATION": ("LOCATION", "STREET_ADDRESS", "ZIP_CODE", "US_STATE", "UK_POSTCODE", "CANADA_POSTAL_CODE"),
    "ORGANIZATION": ("ORGANIZATION_NAME",),
    "DATE_TIME": ("DATE", "DATE_OF_BIRTH", "TIME"),
    "TITLE": ("TITLE", "PROFESSION"),
    "URL": ("URL", "DOMAIN_NAME"),
}
_NAMES = {own: name for name, several in TYPES.items() for own in several}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--config", type=Path, help="what is looked for; default: dates, times, titles, too")
    parser.add_argument(
        "--rows", type=Path, nargs="*", help="training conversations; default: all train files"
    )
    chosen = parser.parse_args()
    gold = chosen.data / FILE
    documents = [json.loads(line) for line in gzip.decompress(gold.read_bytes()).decode().splitlines()]
    found = inspected(gold, chosen.config or "look_for: {also: [DATE, TIME, TITLE]}\n")
    wordings = [wording(document) for document in documents]
    halves = _halves(wordings)
    overlaps = overlapping(wordings, training_rows(chosen.data) if chosen.rows is None else chosen.rows)
    heads = "".join(f"{f'IoU {t:g}: P':>12}{'R':>7}{'F2':>7}" for t in THRESHOLDS)
    print(f"{'':14}{'documents':>9}{'overlap':>9}{heads}")
    for title, half in (("first half", 0), ("second half", 1), ("both", None)):
        chosen_here = [half in (None, of) for of in halves]
        part = list(compress(documents, chosen_here))
        seen = sum(compress(overlaps, chosen_here))
        row = "".join(
            f"{p:>12.3f}{r:>7.3f}{f:>7.3f}" for p, r, f in (_scores(part, found, t) for t in THRESHOLDS)
        )
        print(f"{title:14}{len(part):>9,}{seen / len(part):>9.2f}{row}")


def _scores(documents: Sequence[Any], found: Found, threshold: float) -> tuple[float, float, float]:
    """Precision, recall and F2 of spans of any type."""
    evaluation = importlib.import_module("presidio_evaluator.evaluation")
    if (version := importlib.import_module("importlib.metadata").version("presidio-evaluator")) != PINNED:
        raise SystemExit(f"presidio-evaluator {version}: the figures are those of {PINNED}; install that")
    frame = importlib.import_module("pandas").DataFrame(list(_rows(documents, found)))
    result = evaluation.SpanEvaluator(iou_threshold=threshold).calculate_score_on_df(frame, level="pii")
    return result.pii_precision, result.pii_recall, result.pii_f


def _rows(documents: Sequence[Any], found: Found) -> Iterator[dict[str, Any]]:
    for number, document in enumerate(documents):
        (turn,) = document["turns"]
        gold = [(span["start"], span["end"], span["label"]) for span in turn["spans"]]
        own = [finding[1:] for finding in sorted(found.get(document["id"], ()))]
        for token in _TOKEN.finditer(turn["text"]):
            yield {
                "sentence_id": number,
                "token": token[0],
                "start_indices": token.start(),
                "annotation": _type_at(gold, token.start(), token.end()),
                "prediction": _type_at(own, token.start(), token.end()),
            }


def _type_at(spans: Iterable[tuple[int, int, str]], start: int, end: int) -> str:
    for first, last, name in spans:
        if first < end and start < last:
            return _NAMES.get(name, name)
    return "O"


def _halves(wordings: Sequence[Sequence[str | None]]) -> list[int]:
    """Which half each document is in; a wording too short for a run goes by all its words."""
    group = list(range(len(wordings)))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    first: dict[tuple[str, ...], int] = {}
    for i, words in enumerate(wordings):
        whole = tuple(word for word in words if word is not None)
        for run in sorted(runs(words, _SHARED)) or [whole]:
            group[root(i)] = root(first.setdefault(run, i))
    names: dict[int, str] = {}
    for i, words in enumerate(wordings):
        told = " ".join(word or "*" for word in words)
        names[root(i)] = min(names.get(root(i), told), told)
    return [hashlib.sha256(names[root(i)].encode()).digest()[0] % 2 for i in range(len(wordings))]


if __name__ == "__main__":
    main()
