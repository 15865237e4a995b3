"""The same gold in other forms: as speech recognition and chats write it, and as long conversations.

    python -m tests.benchmarks.bench_text_forms DATA_FOLDER [NAME …] [--form FORM …] [--without-model] [--config FILE]

Of each development file: as it is; in small letters; in small letters and without punctuation; in capitals; conversations joined, one
after the other, to 10,000 characters or more; and these in one turn; names with spaces between their letters, names with
digits for letters, and all text without the vowels within words. The spans are the same in every form, so a difference
is due to the form alone. A leak is counted by conversation, which joined ones have more of in one. Counts and shares only;
nothing of the text is printed.
"""

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.benchmarks.evaluated import HEADINGS, columns, evaluated

NAMES = ("multidogo", "sgd", "star")
DETECTORS = ("rules", "gazetteer", "model")
LONG = 10_000
"""Characters of a long conversation."""

_PUNCTUATION = re.compile(r"[.,!?;:\"“”()\[\]…]+(?=\s|$)|(?<!\S)[\"“”(\[]+")
"""What speech recognition without punctuation leaves out; signs within a number or an address stay."""

_SIGNS = {"a": "4", "e": "3", "i": "1", "o": "0", "u": "u"}
"""Vowels, and what stands for them in leet."""

Record = dict[str, Any]


def in_small_letters(records: Iterable[Record]) -> Iterator[Record]:
    return _written(records, str.lower)


def in_capitals(records: Iterable[Record]) -> Iterator[Record]:
    return _written(records, str.upper)


def without_punctuation(records: Iterable[Record]) -> Iterator[Record]:
    for record in in_small_letters(records):
        yield {**record, "turns": [_unpunctuated(turn) for turn in record["turns"]]}


def joined(records: Iterable[Record], characters: int = LONG) -> Iterator[Record]:
    """Conversations one after the other, to at least as many characters; the last may be shorter."""
    several: list[Record] = []
    for record in records:
        several.append(record)
        if sum(len(turn["text"]) for one in several for turn in one["turns"]) >= characters:
            yield _one_of(several)
            several = []
    if several:
        yield _one_of(several)


def in_one_turn(records: Iterable[Record], characters: int = LONG) -> Iterator[Record]:
    for record in joined(records, characters):
        text, spans = "", []
        for turn in record["turns"]:
            spans += [
                {**span, "start": span["start"] + len(text), "end": span["end"] + len(text)}
                for span in turn["spans"]
            ]
            text += turn["text"] + "\n"
        yield {**record, "turns": [{"text": text, "spans": spans}]}


def with_spaced_names(records: Iterable[Record]) -> Iterator[Record]:
    """J o h n, two spaces between words."""
    for record in records:
        yield {**record, "turns": [_respelled(turn, _spaced, "PERSON_NAME") for turn in record["turns"]]}


def with_leet_names(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        yield {**record, "turns": [_respelled(turn, _leet, "PERSON_NAME") for turn in record["turns"]]}


def without_vowels(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        yield {**record, "turns": [_respelled(turn, _vowelless, None) for turn in record["turns"]]}


FORMS: dict[str, Callable[[Iterable[Record]], Iterable[Record]]] = {
    "as it is": lambda records: records,
    "small letters": in_small_letters,
    "and no punctuation": without_punctuation,
    "capitals": in_capitals,
    "joined": joined,
    "joined in one turn": in_one_turn,
    "spaced names": with_spaced_names,
    "leet names": with_leet_names,
    "no vowels": without_vowels,
}


def _spaced(text: str, i: int) -> str:
    return text[i] if i + 1 == len(text) else text[i] + " "


def _leet(text: str, i: int) -> str:
    return _SIGNS.get(text[i].lower(), text[i]) if i and text[i - 1].isalpha() else text[i]


def _vowelless(text: str, i: int) -> str:
    inside = i and i + 1 < len(text) and text[i - 1].isalpha() and text[i + 1].isalpha()
    return "" if inside and text[i].lower() in _SIGNS else text[i]


def _respelled(turn: Record, letter: Callable[[str, int], str], label: str | None) -> Record:
    """The spans with a label, or all text for None, with every letter replaced."""
    text, parts = turn["text"], list(turn["text"])
    spans = (
        [(0, len(text))]
        if label is None
        else [(s["start"], s["end"]) for s in turn["spans"] if s["label"] == label]
    )
    for start, end in spans:
        parts[start:end] = [letter(text[start:end], i) for i in range(end - start)]
    place = [0, *accumulate(map(len, parts))]
    return {
        **turn,
        "text": "".join(parts),
        "spans": [{**s, "start": place[s["start"]], "end": place[s["end"]]} for s in turn["spans"]],
    }


def _written(records: Iterable[Record], case: Callable[[str], str]) -> Iterator[Record]:
    """Letters whose other form has another length, as ß, keep theirs."""

    def other(letter: str) -> str:
        return written if len(written := case(letter)) == 1 else letter

    for record in records:
        turns = [{**turn, "text": "".join(map(other, turn["text"]))} for turn in record["turns"]]
        yield {**record, "turns": turns}


def _unpunctuated(turn: Record) -> Record:
    text = turn["text"]
    kept = bytearray(b"\1" * len(text))
    for sign in _PUNCTUATION.finditer(text):
        kept[sign.start() : sign.end()] = bytes(len(sign[0]))
    place = [0]
    for flag in kept:
        place.append(place[-1] + flag)
    spans = [{**s, "start": place[s["start"]], "end": place[s["end"]]} for s in turn["spans"]]
    return {
        **turn,
        "text": "".join(letter for letter, flag in zip(text, kept, strict=True) if flag),
        "spans": [span for span in spans if span["start"] < span["end"]],
    }


def _one_of(several: Sequence[Record]) -> Record:
    # Entities are numbered by conversation.
    turns = [
        {
            **{key: value for key, value in turn.items() if key != "speaker"},
            "spans": [{k: v for k, v in span.items() if k != "entity"} for span in turn["spans"]],
        }
        for one in several
        for turn in one["turns"]
    ]
    return {**several[0], "turns": turns}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--form", nargs="*", default=list(FORMS), choices=FORMS)
    parser.add_argument("--without-model", action="store_true")
    arguments = parser.parse_args()
    detectors = DETECTORS[:2] if arguments.without_model else DETECTORS
    print(f"{'file':<18}{'form':<20}{HEADINGS}")
    for name in arguments.names:
        with gzip.open(arguments.data / f"{name}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        for form in arguments.form:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "gold.jsonl"
                path.write_text(
                    "".join(json.dumps(one) + "\n" for one in FORMS[form](records)), encoding="utf-8"
                )
                figures = evaluated([path], detectors, None, Path(folder) / "figures.json", arguments.config)
            print(f"{name:<18}{form:<20}{columns(figures['total'])}", flush=True)


if __name__ == "__main__":
    main()
