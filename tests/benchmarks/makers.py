"""Text by maker, with gold: development files, text that other people wrote for a test, and generated text.

The makers that judge whether a pass stays are those that nothing was trained on and from whose text no rule was
written: a pass learnt from a maker's sentences helps on that maker's text, which says nothing.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tacenda.transforms.generating.sample.dialogue import conversations as sample_calls
from tests import additions
from tests.benchmarks.evaluated import UNSEEN, records
from tests.benchmarks.findings_hash import first_conversations

COVERED = frozenset({"en", "es", "sv", "da", "nb", "nn", "no", "fi"})
"""The languages whose corpora are released."""

_HERE = Path(__file__).parent / "unseen"
_CALLS, _SEED = 600, 29
_TURN = 3_000
_SPOKEN = 800
_MODULES = (
    *("argparse", "calendar", "csv", "difflib", "getpass", "imaplib", "mailbox", "optparse", "shelve"),
    "zipfile",
)

OriginOf = Callable[[str, int, int, int], str | None]
"""The origin of the name in a conversation, turn and range, if it is known."""


class Maker(NamedTuple):
    """Conversations of one maker.

    ``judges``: it judges passes. ``impersonal``: next to nothing in its text is personal data, so that its precision
    is the share of other letters that stay readable. ``several_turns``: its conversations have them, so that repeated mentions are
    measured.
    """

    name: str
    records: Iterable[dict[str, Any]]
    judges: bool = False
    impersonal: bool = False
    several_turns: bool = False
    origin_of: OriginOf | None = None


def makers(data: Path | None, characters: int) -> list[Maker]:
    """All makers; those of development files only with the folder ``data``, to ``characters`` of each file."""
    found = []
    for path in sorted(data.glob("*.dev.jsonl.gz")) if data is not None else ():
        name, read = path.name.split(".")[0], list(first_conversations(path, characters))
        if sum(record["lang"] in COVERED for record in read) * 2 > len(read):
            several = sum(len(record["turns"]) > 1 for record in read) * 2 > len(read)
            plain = name.startswith("plain-")
            found.append(Maker(name, read, name in UNSEEN, plain, several))
    for name in ("names", "calls", "letters", "genres"):
        read = list(records(_HERE / f"{name}.jsonl"))
        # The rules were written in view of what was missed in the others.
        found.append(Maker(f"unseen {name}", read, name == "names", several_turns=name == "calls"))
    calls = list(sample_calls(_SEED, 0, _CALLS))
    found.append(Maker("sample calls", calls, True, False, True, _of_sample(calls)))
    return [*found, Maker("speech", list(_speech()), judges=True), *_with_additions(), *_impersonal()]


def _of_sample(calls: Sequence[dict[str, Any]]) -> OriginOf:
    """By the lists that names of sample calls are drawn from, if all words of a name are in those of one origin."""
    lists = files("tacenda.transforms.generating.sample").joinpath("data/names.yaml").read_text("utf-8")
    origins: defaultdict[str, set[str]] = defaultdict(set)
    for origin, by_kind in yaml.safe_load(lists)["origins"].items():
        for words in by_kind.values():
            for word in words.replace(",", " ").split() if isinstance(words, str) else ():
                origins[word.lower()].add(origin)
    texts = {call["conversation_id"]: [turn["text"] for turn in call["turns"]] for call in calls}

    def origin_of(conversation: str, turn: int, start: int, end: int) -> str | None:
        words = texts[conversation][turn][start:end].split()
        common = set.intersection(*(origins[word.strip(".,").lower()] for word in words))
        return common.pop() if len(common) == 1 else None

    return origin_of


def _speech() -> Iterator[dict[str, Any]]:
    """Numbers, names and addresses said aloud, by the words of ``speech.yaml``."""
    known = yaml.safe_load(Path(__file__).with_name("speech.yaml").read_text("utf-8"))
    for i in range(_SPOKEN):
        draw = random.Random(f"speech {i}")
        language = known["languages"][draw.choice(list(known["languages"]))]
        kind = draw.choice(list(language["said"]))
        before, behind = draw.choice(language["said"][kind]).split("{0}")
        value = _said(draw, kind, language, known)
        span = {"start": len(before), "end": len(before + value), "label": known["labels"][kind]}
        turn = {"speaker": None, "text": before + value + behind, "spans": [span]}
        yield {"conversation_id": f"speech {i}", "gold": "complete", "turns": [turn]}


def _said(draw: random.Random, kind: str, language: dict[str, Any], known: dict[str, Any]) -> str:
    digits = language["digits"]
    if kind == "age":
        ten = draw.choice(language["tens"])
        return f"{ten} {digits[draw.randrange(1, 10)]}" if "doubled" in language else ten
    name = draw.choice(known["names"])
    if kind == "spelled":
        return draw.choice((" ", "-")).join(name)
    if kind == "mail":
        return f"{name} {language['at']} {draw.choice(known['hosts'])} {language['dot']} com"
    words: list[str] = []
    for digit in draw.choices(digits, k=draw.randrange(8, 12) if kind == "phone" else 6):
        if words[-1:] == [digit] and "doubled" in language:
            words[-1:] = [language["doubled"], digit]
        else:
            words.append(language.get("others", {}).get(digit, digit) if draw.random() < 0.5 else digit)
    return " ".join(words)


def _with_additions() -> list[Maker]:
    """Names of many origins beside harmless additions, each conversation with another one."""
    given = additions.conversations(1200)
    ways = list(additions.additions().values())
    made = [
        additions.with_addition([one], [ways[i % len(ways)][i // len(ways) % len(ways[i % len(ways)])]])[0]
        for i, one in enumerate(given)
    ]
    origins = {(str(i), name.turn): name.origin.lower() for i, one in enumerate(given) for name in one.names}

    def origin_of(conversation: str, turn: int, _start: int, _end: int) -> str | None:
        return origins.get((conversation, turn))

    records = additions.records(made, gold=True)
    return [Maker("additions", records, judges=True, several_turns=True, origin_of=origin_of)]


def _impersonal() -> list[Maker]:
    """Code and documentation that come with Python."""
    topics = import_module("pydoc_data.topics").topics
    modules = [
        Path(spec.origin).read_text("utf-8") for name in _MODULES if (spec := find_spec(name)) and spec.origin
    ]
    sources = {"code of Python": modules, "topics of Python": [topics[name] for name in sorted(topics)][::4]}
    return [
        Maker(
            name,
            [
                {"conversation_id": f"{n} {at}", "turns": [{"speaker": None, "text": text[at : at + _TURN]}]}
                for n, text in enumerate(texts)
                for at in range(0, len(text), _TURN)
            ],
            judges=True,
            impersonal=True,
        )
        for name, texts in sources.items()
    ]
