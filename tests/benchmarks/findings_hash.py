"""One SHA-256 over all findings of the development files and the demo: a refactoring leaves it as it is.

    python -m tests.benchmarks.findings_hash [--data FOLDER] [--demo] [--characters N] [--files]

Hashed are file, conversation, turn, part, start, end and infoType of each finding of ``inspect`` with the
defaults, in this order, and what was rejected. Of each ``*.dev.jsonl.gz`` the first conversations are read, to
``--characters``; the demo is what ``make demo`` generates. ``--files`` prints a hash a file, which says where a
change is. Nothing is written, and nothing of the text is printed.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from tacenda import Anonymizer, Rejection
from tacenda.transforms.generating.sample.dialogue import conversations
from tests.benchmarks.evaluated import records
from tests.benchmarks.figures import options

CHARACTERS = 100_000
"""Of a file: all of most, and everything in two minutes of one core."""

_DEMO, _SEED = 500, 1


def first_conversations(path: Path, characters: int) -> Iterator[dict[str, Any]]:
    """The records of a file up to the one that reaches a number of characters."""
    read = 0
    for record in records(path):
        yield record
        read += sum(len(turn["text"]) for turn in record["turns"])
        if read >= characters:
            return


def findings(anonymizer: Anonymizer, read: Iterable[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """A row a finding: conversation, turn, part, start, end, infoType; a rejection has its error instead."""
    for i, result in enumerate(anonymizer.inspect(iter(read))):
        if isinstance(result, Rejection):
            yield i, result.error
        else:
            for one in result.findings:
                yield i, one.turn, one.part or "", one.start, one.end, one.info_type


def digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """SHA-256 of rows, sorted, as lines of JSON."""
    return hashlib.sha256(b"\n".join(map(orjson.dumps, sorted(rows)))).hexdigest()


def main() -> None:
    """Print the hash of everything, and with ``--files`` first those of each file."""
    parser = options(__doc__)
    parser.add_argument("--data", type=Path, help="folder of *.dev.jsonl.gz")
    parser.add_argument("--demo", action="store_true", help="the demo; alone if there is no --data")
    parser.add_argument("--characters", type=int, default=CHARACTERS, help="to read of each file")
    parser.add_argument("--files", action="store_true", help="a hash a file as well")
    chosen = parser.parse_args()
    sources: list[tuple[str, Iterable[dict[str, Any]]]] = []
    if chosen.data is not None:
        paths = sorted(chosen.data.glob("*.dev.jsonl.gz"))
        if not paths:
            raise SystemExit(f"{chosen.data}: no *.dev.jsonl.gz file in it")
        sources += [(path.name, first_conversations(path, chosen.characters)) for path in paths]
    if chosen.demo or not sources:
        sources.append(("demo", conversations(_SEED, 0, _DEMO)))
    # Files in other languages are searched as well.
    anonymizer = Anonymizer({"languages": {"uncovered": "hold"}})
    hashes = []
    for name, read in sources:
        hashes.append((name, digest(findings(anonymizer, read))))
        if chosen.files:
            print(hashes[-1][1], name, flush=True)
    print(digest(hashes))


if __name__ == "__main__":
    main()
