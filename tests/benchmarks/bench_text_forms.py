"""The same gold in other forms: as speech recognition and chats write it, and as long conversations.

    python -m tests.benchmarks.bench_text_forms DATA_FOLDER

Of each file: as it is; in small letters; in small letters and without punctuation; in capitals; conversations joined, one
after the other, to 10,000 characters or more; and these in one turn. Of two: names with spaces between their letters,
names with digits for letters, and all text without the vowels within words. The spans are the same in every form, so a difference is due to the form alone. Writes
the tables of ``docs/evidence/accuracy.json``.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.benchmarks.evaluated import evaluated, records, share, table
from tests.benchmarks.figures import keep_tables, options

FILES = ("multidogo", "sgd", "star", "presidio-research", "uner-ewt", "swedish-ner", "calls", "letters")
"""Development files, and some of ``unseen``."""
SPELLED = ("multidogo", "presidio-research")
LONG = 10_000
"""Characters of a long conversation."""

_PUNCTUATION = re.compile(r"[.,!?;:\"“”()\[\]…]+(?=\s|$)|(?<!\S)[\"“”(\[]+")
"""What speech recognition without punctuation leaves out; signs within a number or an address stay."""

_LEET = str.maketrans("aeioAEIO", "43104310")

Record = dict[str, Any]
Write = Callable[[str], Sequence[str]]
"""What stands for each letter of a text."""
Form = Callable[[Iterable[Record]], Iterable[Record]]


def _cased(case: Callable[[str], str]) -> Write:
    """Letters whose other form has another length, as ß, keep theirs."""
    return lambda text: [case(letter) if len(case(letter)) == 1 else letter for letter in text]


def _unpunctuated(text: str) -> Sequence[str]:
    signs = {k for sign in _PUNCTUATION.finditer(text) for k in range(*sign.span())}
    return ["" if k in signs else letter for k, letter in enumerate(_cased(str.lower)(text))]


def _spaced(text: str) -> Sequence[str]:
    return [letter + " " * (i + 1 < len(text)) for i, letter in enumerate(text)]


def _leet(text: str) -> Sequence[str]:
    return [one.translate(_LEET) if i and text[i - 1].isalpha() else one for i, one in enumerate(text)]


def _vowelless(text: str) -> Sequence[str]:
    inside = re.compile(r"(?<=[^\W\d_])[aeiou](?=[^\W\d_])", re.IGNORECASE)
    vowels = {match.start() for match in inside.finditer(text)}
    return ["" if i in vowels else letter for i, letter in enumerate(text)]


def written(write: Write, label: str | None = None) -> Form:
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
        for turn in record["turns"]:
            spans = [{k: span[k] for k in ("start", "end", "label")} for span in turn["spans"]]
            turns.append({"text": turn["text"], "spans": spans})
        if sum(len(turn["text"]) for turn in turns) >= LONG:
            yield {**first, "turns": turns}
            turns, first = [], None
    if first:
        yield {**first, "turns": turns}


def in_one_turn(records: Iterable[Record]) -> Iterator[Record]:
    """Those joined, each as one turn."""
    for record in joined(records):
        turns = record["turns"]
        starts = accumulate((len(turn["text"]) + 1 for turn in turns), initial=0)
        spans = [
            {**span, "start": span["start"] + at, "end": span["end"] + at}
            for turn, at in zip(turns, starts, strict=False)
            for span in turn["spans"]
        ]
        yield {**record, "turns": [{"text": "\n".join(turn["text"] for turn in turns), "spans": spans}]}


FORMS: dict[str, Form] = {
    "as it is": lambda records: records,
    "small letters": written(_cased(str.lower)),
    "and no punctuation": written(_unpunctuated),
    "capitals": written(_cased(str.upper)),
    "joined": joined,
    "in one turn": in_one_turn,
}
SPELLINGS: dict[str, Form] = {
    "as it is": FORMS["as it is"],
    "spaced names": written(_spaced, "PERSON_NAME"),
    "digits in names": written(_leet, "PERSON_NAME"),
    "no vowels": written(_vowelless),
}


def main() -> None:
    """Evaluate and write the tables."""
    parser = options(__doc__)
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    tables = {
        title: table(
            f"file, spans, {', '.join(forms)}",
            [[name, *_shares([*records(_path(data, name))], forms)] for name in names],
        )
        for title, names, forms in (
            ("speech and long conversations", FILES, FORMS),
            ("speech and long conversations 2", SPELLED, SPELLINGS),
        )
    }
    keep_tables("accuracy", tables)


def _path(data: Path, name: str) -> Path:
    unseen = Path(__file__).parent / "unseen" / f"{name}.jsonl"
    return unseen if unseen.exists() else data / f"{name}.dev.jsonl.gz"


def _shares(gold: Sequence[Record], forms: Mapping[str, Form]) -> list[str]:
    """The number of spans, and for each form recall and the share of conversations that leak."""
    spans, shares = "", []
    for rewritten in forms.values():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "gold.jsonl"
            path.write_text("".join(json.dumps(one) + "\n" for one in rewritten(gold)), "utf-8")
            total = evaluated([path], "--bootstrap", 200)["total"]
        spans = spans or f"{total['recall']['of']:,}"
        leak = f" ({100 * total['conversation_leak_rate']['value']:.1f} %)"
        # A conversation that is many has more leaks.
        several = rewritten in (joined, in_one_turn)
        shares.append(share(total["recall"]) + ("" if several else leak))
    return [spans, *shares]


if __name__ == "__main__":
    main()
