"""The same gold in other forms: as speech recognition and chats write it, and as long conversations.

    python -m tests.benchmarks.bench_text_forms DATA_FOLDER [NAME …] [--form FORM …] [--without-model] [--config FILE]

Of each development file: as it is; in small letters; in small letters and without punctuation; in capitals; conversations joined, one
after the other, to 10,000 characters or more; and these in one turn; names with spaces between their letters, names with
digits for letters, and all text without the vowels within words. The spans are the same in every form, so a difference
is due to the form alone. A leak is counted by conversation, which joined ones have more of in one. Counts and shares only;
nothing of the text is printed.
"""

import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.benchmarks.evaluated import HEADINGS, columns, evaluated
from tests.benchmarks.figures import options

NAMES = ("multidogo", "sgd", "star")
LONG = 10_000
"""Characters of a long conversation."""

_PUNCTUATION = re.compile(r"[.,!?;:\"“”()\[\]…]+(?=\s|$)|(?<!\S)[\"“”(\[]+")
"""What speech recognition without punctuation leaves out; signs within a number or an address stay."""

_SIGNS = {"a": "4", "e": "3", "i": "1", "o": "0", "u": "u"}
"""Vowels, and what stands for them in leet."""

Record = dict[str, Any]
Write = Callable[[str], Sequence[str]]
"""What stands for each letter of a text."""


def _cased(case: Callable[[str], str]) -> Write:
    """Letters whose other form has another length, as ß, keep theirs."""
    return lambda text: [case(letter) if len(case(letter)) == 1 else letter for letter in text]


def _unpunctuated(text: str) -> Sequence[str]:
    signs = {k for sign in _PUNCTUATION.finditer(text) for k in range(*sign.span())}
    return ["" if k in signs else letter for k, letter in enumerate(_cased(str.lower)(text))]


def _spaced(text: str) -> Sequence[str]:
    return [letter + " " * (i + 1 < len(text)) for i, letter in enumerate(text)]


def _leet(text: str) -> Sequence[str]:
    return [
        _SIGNS.get(one.lower(), one) if i and text[i - 1].isalpha() else one for i, one in enumerate(text)
    ]


def _vowelless(text: str) -> Sequence[str]:
    inside = re.compile(r"(?<=[^\W\d_])[aeiou](?=[^\W\d_])", re.IGNORECASE)
    vowels = {match.start() for match in inside.finditer(text)}
    return ["" if i in vowels else letter for i, letter in enumerate(text)]


def written(write: Write, label: str | None = None) -> Callable[[Iterable[Record]], Iterator[Record]]:
    """Conversations with the spans of a label, or all text for None, in another form."""

    def turn_of(turn: Record) -> Record:
        text, parts = turn["text"], list(turn["text"])
        spans = [(s["start"], s["end"]) for s in turn["spans"] if s["label"] == label]
        for start, end in spans if label else [(0, len(text))]:
            parts[start:end] = write(text[start:end])
        place = [0, *accumulate(map(len, parts))]
        moved = [{**s, "start": place[s["start"]], "end": place[s["end"]]} for s in turn["spans"]]
        return {**turn, "text": "".join(parts), "spans": [s for s in moved if s["start"] < s["end"]]}

    return lambda records: ({**one, "turns": [*map(turn_of, one["turns"])]} for one in records)


def joined(records: Iterable[Record]) -> Iterator[Record]:
    """Conversations one after the other, to at least ``LONG`` characters; the last may be shorter."""
    turns: list[Record] = []
    first: Record | None = None
    for record in records:
        first = first or record
        # Entities are numbered by conversation.
        turns += [
            {
                "text": turn["text"],
                "spans": [{k: span[k] for k in ("start", "end", "label")} for span in turn["spans"]],
            }
            for turn in record["turns"]
        ]
        if sum(len(turn["text"]) for turn in turns) >= LONG:
            yield {**first, "turns": turns}
            turns, first = [], None
    if first:
        yield {**first, "turns": turns}


def in_one_turn(records: Iterable[Record]) -> Iterator[Record]:
    for record in joined(records):
        text, spans = "", []
        for turn in record["turns"]:
            at = len(text)
            spans += [
                {**span, "start": span["start"] + at, "end": span["end"] + at} for span in turn["spans"]
            ]
            text += turn["text"] + "\n"
        yield {**record, "turns": [{"text": text, "spans": spans}]}


FORMS: dict[str, Callable[[Iterable[Record]], Iterable[Record]]] = {
    "as it is": lambda records: records,
    "small letters": written(_cased(str.lower)),
    "and no punctuation": written(_unpunctuated),
    "capitals": written(_cased(str.upper)),
    "joined": joined,
    "joined in one turn": in_one_turn,
    "spaced names": written(_spaced, "PERSON_NAME"),
    "leet names": written(_leet, "PERSON_NAME"),
    "no vowels": written(_vowelless),
}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--form", nargs="*", default=list(FORMS), choices=FORMS)
    parser.add_argument("--without-model", action="store_true")
    arguments = parser.parse_args()
    words = ["--detector", "rules", "--detector", "gazetteer"] if arguments.without_model else []
    words += ["--config", arguments.config] if arguments.config else []
    print(f"{'file':<18}{'form':<20}{HEADINGS}")
    for name in arguments.names:
        with gzip.open(arguments.data / f"{name}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        for form in arguments.form:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "gold.jsonl"
                path.write_text("".join(json.dumps(one) + "\n" for one in FORMS[form](records)), "utf-8")
                figures = evaluated(path, *words, "--bootstrap", 0)
            print(f"{name:<18}{form:<20}{columns(figures['total'])}", flush=True)


if __name__ == "__main__":
    main()
