"""Harmless additions: what text that names nobody changes in the findings beside it.

``additions.yaml`` has the words: names of many origins, sentences, and what is put beside them. A network reads
what stands beside a turn, too, and may change its mind; so it runs alone as well, which tells what it loses by
itself from what all that follows it loses.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tacenda.config import Config
from tacenda.models.detection import detect_all
from tacenda.pipelines.chain.build import build_chain
from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.conversations import Intake
from tacenda.pipelines.chain.detecting import column_of
from tacenda.settings import settings_of
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tests.fakes.remembered import Remembered

_AT_ONCE = 200
_TURNS = 3
_SPOKEN = 3


class Name(NamedTuple):
    """A name in a turn: code points of its text, and where people have such names."""

    turn: int
    start: int
    end: int
    origin: str


class Conversation(NamedTuple):
    """Turns, and the names in them; ``places``: where each turn now is, by turn and first character."""

    turns: tuple[str, ...]
    names: tuple[Name, ...]
    places: tuple[tuple[int, int], ...]


class Sides(NamedTuple):
    """What an addition puts before a turn, and behind it."""

    before: str
    behind: str


@cache
def words() -> dict[str, Any]:
    return yaml.safe_load(Path(__file__).with_name("additions.yaml").read_text("utf-8"))


def conversations(number: int) -> list[Conversation]:
    """Conversations of three turns with a name each, drawn by a seed; the origins take turns."""
    origins, said = words()["origins"], words()["sentences"]
    # English most often, as other languages have fewer sentences.
    languages = [language for language, sentences in said.items() for _ in sentences]
    made = []
    for i in range(number):
        draw = random.Random(f"conversation {i}")
        sentences = draw.sample(said[draw.choice(languages)], _TURNS)
        turns, names = [], []
        for turn, sentence in enumerate(sentences):
            origin = list(origins)[(i * _TURNS + turn) % len(origins)]
            first, last = origins[origin]
            name = draw.choice(first)
            if "{full}" in sentence:
                name += " " + draw.choice(last)
            start = sentence.index("{")
            said_so = sentence.format(full=name, first=name)
            # As speech recognition writes it: every fourth conversation has no capitals and no signs.
            turns.append(said_so.lower().rstrip(".?") if i % 4 == _SPOKEN else said_so)
            names.append(Name(turn, start, start + len(name), origin))
        made.append(Conversation(tuple(turns), tuple(names), tuple((turn, 0) for turn in range(_TURNS))))
    return made


def additions() -> dict[str, list[Sides]]:
    """Each addition by its name: before, behind and around a turn; a frame only around."""
    made = {}
    for name, given in words()["additions"].items():
        text, between = given, "\n\n"
        if isinstance(given, dict):
            if "repeat" in given:
                many = (given["text"].replace("{n}", f"{n:02}") for n in range(given["repeat"]))
                text = given.get("before", "") + "".join(many) + given.get("behind", "")
            else:
                ((kind, text),) = given.items()
                between = {"line": "\n", "same": " "}[kind]
        before, behind = text + between, between + text
        made[name] = [Sides(before, ""), Sides("", behind), Sides(before, behind)]
    return made | {name: [Sides(*sides)] for name, sides in words()["frames"].items()}


def with_addition(given: Sequence[Conversation], ways: Sequence[Sides]) -> list[Conversation]:
    made = []
    for i, one in enumerate(given):
        sides, everywhere = ways[i % len(ways)], i // len(ways) % 2
        chosen = range(len(one.turns)) if everywhere else (i % len(one.turns),)
        turns, places = list(one.turns), list(one.places)
        for turn in chosen:
            turns[turn] = sides.before + turns[turn] + sides.behind
            places[turn] = turn, len(sides.before)
        made.append(one._replace(turns=tuple(turns), places=tuple(places)))
    return made


def in_one_turn(given: Sequence[Conversation]) -> list[Conversation]:
    """Conversations whose turns are lines of one."""
    made = []
    for one in given:
        starts = [0, *accumulate(len(turn) + 1 for turn in one.turns[:-1])]
        places = tuple((0, start) for start in starts)
        made.append(one._replace(turns=("\n".join(one.turns),), places=places))
    return made


Found = list[list[list[Finding]]]
"""Findings by conversation and turn, as ranges of the turn."""


class Search:
    """The default detectors and all that follows them, as ``inspect`` runs them, and the network alone."""

    def __init__(self) -> None:
        settings, reading, labels = settings_of(Config(), "inspect")
        self._intake = Intake(reading, labels)
        # A few words beside a turn may be in another language, for which a conversation would be put aside.
        chain = build_chain(replace(settings, languages=None))
        assert isinstance(chain, Chain)
        *others, network = chain.detectors
        self._network = Remembered(network)
        self.chain = replace(chain, detectors=[*others, self._network])

    def find(self, given: Sequence[dict[str, Any]]) -> tuple[Found, Found]:
        in_the_end: Found = []
        by_network: Found = []
        for batch in self.batches(given):
            outcome = self.chain.run(batch)
            assert len(outcome.batch) == len(batch), "no conversation is rejected"
            in_the_end += _by_turn(batch, outcome.findings)
            column = column_of(batch.texts, batch.parts, batch.first_cell)
            (found,) = detect_all([self._network], column)
            by_network += _by_turn(batch, found.findings)
            self._network.looks.clear()
        return in_the_end, by_network

    def batches(self, given: Sequence[dict[str, Any]]) -> Iterator[ConversationBatch]:
        """Records as the chain reads them."""
        for first in range(0, len(given), _AT_ONCE):
            for some in self._intake.items(given[first : first + _AT_ONCE]):
                yield from (portion.batch for portion in some.portions)


def _by_turn(batch: ConversationBatch, findings: Sequence[Sequence[Finding]]) -> Found:
    whole, found, _ = in_whole_cells(batch, findings)
    return [found[whole.first_cell[i] : whole.first_cell[i + 1]] for i in range(len(whole))]


@dataclass
class Change:
    """What was changed, in counts of conversations, and of names by origin.

    ``lost`` names were found before; ``by_network``: of these, those that the network alone found and lost.
    """

    conversations: int = 0
    names: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    by_network: Counter[str] = field(default_factory=Counter)

    def share(self, *origins: str) -> float:
        """The share of names that are lost, and not by the network; of all origins or some."""
        chosen = origins or tuple(self.names)
        return sum(self.lost[one] - self.by_network[one] for one in chosen) / sum(
            self.names[one] for one in chosen
        )

    def add(self, other: "Change") -> None:
        """Add the counts of another addition."""
        for of in fields(self):
            setattr(self, of.name, getattr(self, of.name) + getattr(other, of.name))


class Trial:
    """Conversations as they are, to be compared with the same ones with additions."""

    def __init__(self, search: Search, given: Sequence[Conversation]) -> None:
        self._search = search
        self._given = given
        self._before = search.find(records(given))

    def change(self, made: Sequence[Conversation]) -> Change:
        """Compare the findings in the turns as they are and as they were ``made``."""
        change = Change(len(made))
        now = self._search.find(records(made))
        for old, new, found, by_network, found_now, by_network_now in zip(
            self._given, made, *self._before, *now, strict=True
        ):
            for name in old.names:
                was, is_now = _is_found(name, old, found), _is_found(name, new, found_now)
                by_itself = _is_found(name, old, by_network) and not _is_found(name, new, by_network_now)
                change.names[name.origin] += 1
                change.found[name.origin] += was
                change.lost[name.origin] += was and not is_now
                change.by_network[name.origin] += was and not is_now and by_itself
        return change


def records(given: Sequence[Conversation], *, gold: bool = False) -> list[dict[str, Any]]:
    """Conversations as records; with ``gold``, their names are spans."""
    made = []
    for i, one in enumerate(given):
        turns: list[dict[str, Any]] = [{"speaker": None, "text": text} for text in one.turns]
        for name in one.names if gold else ():
            turn, start = one.places[name.turn]
            span = {"start": start + name.start, "end": start + name.end, "label": "PERSON_NAME"}
            turns[turn].setdefault("spans", []).append(span)
        made.append({"conversation_id": str(i), "turns": turns})
    return made


def _is_found(name: Name, new: Conversation, found: Sequence[Sequence[Finding]]) -> bool:
    """Whether every letter of a name is in some finding."""
    turn, start = new.places[name.turn]
    covered = {k for finding in found[turn] for k in range(finding.start, finding.end)}
    return covered.issuperset(range(start + name.start, start + name.end))
