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
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.evaluated import tacenda

PINNED = "0.3.2"
THRESHOLDS = (0.5, 0.75, 0.9)
FILE = "presidio-research.dev.jsonl.gz"
TEMPLATES = Path(__file__).parents[2] / "transforms" / "generating" / "training" / "data" / "templates"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"\{[^{}]*\}")
_SHARED, _OVERLAPPING = 4, 6

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
    with tempfile.TemporaryDirectory() as folder:
        found = _found(gold, Path(folder), chosen.config)
    halves = _halves([_wording(document) for document in documents])
    rows = sorted(chosen.data.glob("*.train.jsonl.gz")) if chosen.rows is None else chosen.rows
    known = _runs_of_training(rows)
    heads = "".join(f"{f'IoU {t:g}: P':>12}{'R':>7}{'F2':>7}" for t in THRESHOLDS)
    print(f"{'':14}{'documents':>9}{'overlap':>9}{heads}")
    for title, half in (("first half", 0), ("second half", 1), ("both", None)):
        part = [d for d, of in zip(documents, halves, strict=True) if half in (None, of)]
        seen = sum(not known.isdisjoint(_runs(_wording(d), _OVERLAPPING)) for d in part)
        row = "".join(
            f"{p:>12.3f}{r:>7.3f}{f:>7.3f}" for p, r, f in (_scores(part, found, t) for t in THRESHOLDS)
        )
        print(f"{title:14}{len(part):>9,}{seen / len(part):>9.2f}{row}")


def _found(gold: Path, folder: Path, config: Path | None) -> dict[str, list[tuple[int, int, str]]]:
    """The findings of each document."""
    if config is None:
        config = folder / "config.yaml"
        config.write_text("look_for: {also: [DATE, TIME, TITLE]}\n", "utf-8")
    tacenda(["inspect", "--input", gold, "--output", folder / "out", "--config", config])
    found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for path in sorted((folder / "out" / "findings-jsonl").glob("*.jsonl*")):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for line in data.decode().splitlines():
            one = json.loads(line)
            found[one["conversation_id"]].append((one["start"], one["end"], one["info_type"]))
    return found


def _scores(
    documents: Sequence[Any], found: dict[str, list[tuple[int, int, str]]], threshold: float
) -> tuple[float, float, float]:
    """Precision, recall and F2 of spans of any type."""
    evaluation = importlib.import_module("presidio_evaluator.evaluation")
    if (version := importlib.import_module("importlib.metadata").version("presidio-evaluator")) != PINNED:
        raise SystemExit(f"presidio-evaluator {version}: the figures are those of {PINNED}; install that")
    frame = importlib.import_module("pandas").DataFrame(list(_rows(documents, found)))
    result = evaluation.SpanEvaluator(iou_threshold=threshold).calculate_score_on_df(frame, level="pii")
    return result.pii_precision, result.pii_recall, result.pii_f


def _rows(documents: Sequence[Any], found: dict[str, list[tuple[int, int, str]]]) -> Iterator[dict[str, Any]]:
    for number, document in enumerate(documents):
        (turn,) = document["turns"]
        gold = [(span["start"], span["end"], span["label"]) for span in turn["spans"]]
        for token in _TOKEN.finditer(turn["text"]):
            yield {
                "sentence_id": number,
                "token": token[0],
                "start_indices": token.start(),
                "annotation": _type_at(gold, token.start(), token.end()),
                "prediction": _type_at(found[document["id"]], token.start(), token.end()),
            }


def _type_at(spans: Iterable[tuple[int, int, str]], start: int, end: int) -> str:
    for first, last, name in spans:
        if first < end and start < last:
            return _NAMES.get(name, name)
    return "O"


def _wording(document: Any) -> list[str | None]:
    """The words of a document in lower case; None in place of each value."""
    (turn,) = document["turns"]
    words: list[str | None] = []
    place = 0
    for span in sorted(turn["spans"], key=lambda span: int(span["start"])):
        words += [*_words(turn["text"][place : span["start"]]), None]
        place = span["end"]
    return [*words, *_words(turn["text"][place:])]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _runs(words: Sequence[str | None], length: int) -> set[tuple[str, ...]]:
    """The runs of so many words with no value between them."""
    found = set()
    for i in range(len(words) - length + 1):
        run = tuple(word for word in words[i : i + length] if word is not None)
        if len(run) == length:
            found.add(run)
    return found


def _halves(wordings: Sequence[Sequence[str | None]]) -> list[int]:
    """Which half each document is in; a wording too short for a run goes by all its words."""
    group = list(range(len(wordings)))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    first: dict[tuple[str, ...], int] = {}
    for i, wording in enumerate(wordings):
        whole = tuple(word for word in wording if word is not None)
        for run in sorted(_runs(wording, _SHARED)) or [whole]:
            group[root(i)] = root(first.setdefault(run, i))
    names: dict[int, str] = {}
    for i, wording in enumerate(wordings):
        told = " ".join(word or "*" for word in wording)
        names[root(i)] = min(names.get(root(i), told), told)
    return [hashlib.sha256(names[root(i)].encode()).digest()[0] % 2 for i in range(len(wordings))]


def _runs_of_training(rows: Iterable[Path]) -> set[tuple[str, ...]]:
    runs: set[tuple[str, ...]] = set()
    for path in sorted(TEMPLATES.rglob("*.yaml")):
        for piece in _VALUE.split(path.read_text("utf-8")):
            runs |= _runs(_words(piece), _OVERLAPPING)
    for path in rows:
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            for turn in json.loads(line)["turns"]:
                runs |= _runs(_words(turn["text"]), _OVERLAPPING)
    return runs


if __name__ == "__main__":
    main()
