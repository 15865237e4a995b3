"""How much of a gold file's wording the training text has, too: shared by benchmarks of other people's scorers.

The wording of a document is what is left of it without its values.
"""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

TEMPLATES = Path(__file__).parents[2] / "transforms" / "generating" / "training" / "data" / "templates"
OVERLAPPING = 6
"""Words in a row that count as the same wording."""

_WORD = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"\{[^{}]*\}")

Wording = list[str | None]
Run = tuple[str, ...]


def wording(document: Any) -> Wording:
    """The words of a document in lower case; None in place of each value, and between turns."""
    words: Wording = []
    for number, turn in enumerate(document["turns"]):
        words += [None] if number else []
        place = 0
        for span in sorted(turn["spans"], key=lambda span: int(span["start"])):
            words += [*_words(turn["text"][place : span["start"]]), None]
            place = span["end"]
        words += _words(turn["text"][place:])
    return words


def runs(words: Sequence[str | None], length: int) -> set[Run]:
    """The runs of so many words with no value between them."""
    found = set()
    for i in range(len(words) - length + 1):
        run = tuple(word for word in words[i : i + length] if word is not None)
        if len(run) == length:
            found.add(run)
    return found


def overlapping(wordings: Sequence[Wording], rows: Sequence[Path]) -> list[bool]:
    """Whether each document shares a run with the templates of synthetic text, or the conversations of ``rows``."""
    of_documents = [runs(words, OVERLAPPING) for words in wordings]
    wanted = set().union(*of_documents)
    seen: set[Run] = set()
    for text in _training(rows):
        seen |= wanted & runs(_words(text), OVERLAPPING)
    return [not seen.isdisjoint(own) for own in of_documents]


def training_rows(data: Path) -> list[Path]:
    return sorted(data.glob("*.train.jsonl.gz"))


def _training(rows: Sequence[Path]) -> Iterator[str]:
    for path in sorted(TEMPLATES.rglob("*.yaml")):
        yield from _VALUE.split(path.read_text("utf-8"))
    for path in rows:
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            for turn in json.loads(line)["turns"]:
                yield turn["text"]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
