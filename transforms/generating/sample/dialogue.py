"""Dialogue: play a scenario with a cast of invented people, transcribed by one voice."""

from typing import NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import SPACE, Piece
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.sample.facts import FACTS, Fact, fact, organization
from tacenda.transforms.generating.sample.person import Person
from tacenda.transforms.generating.sample.scenario import Beat, Scenario, Version, unnumbered
from tacenda.transforms.generating.sample.voice import Voice
from tacenda.transforms.generating.templates import Slot, Template, fill
from tacenda.transforms.text.characters import slug

KIN = frozenset(("spouse", "kid", "parent"))
"""People mentioned who usually share the caller's family name."""
SCENE_ROLES = ("x", "y")
"""People mentioned in one scene only."""
ROOM_TO_CLOSE = 10
"""Turns reserved for the ending, so that no conversation breaks off."""
STRIDES = (1, 7, 11, 13, 17, 19)


class Turn(NamedTuple):
    """A speaker and an utterance, in pieces."""

    speaker: str
    pieces: list[Piece]


class Dialogue:
    """One conversation under construction."""

    def __init__(self, scenario: Scenario, draw: Draw) -> None:
        self.draw = draw
        self.scenario = scenario
        self.voice = Voice(draw)
        self.turns: list[Turn] = []
        self._people = 0
        self._cast: dict[str, Person] = {}
        self._scene_cast: dict[str, Person] = {}
        self._kept: dict[str, Fact] = {}
        self._call_wide: dict[str, Fact] = {}
        self._rotations: dict[str, tuple[int, int]] = {}
        self._labels = self._speakers()
        self._room = draw.between(scenario.least_turns, scenario.most_turns) - ROOM_TO_CLOSE

    def play(self) -> list[Turn]:
        """All turns of the conversation, from greeting to goodbye."""
        for beat in self.scenario.plan:
            if beat.core or self._has_room():
                self._play_beat(beat)
        return self.turns

    def _has_room(self) -> bool:
        return len(self.turns) <= self._room

    def _speakers(self) -> dict[str, str]:
        """Map roles to speaker labels; casts the participants."""
        draw, scenario = self.draw, self.scenario
        count = draw.between(*scenario.participants)
        roles = ["A", "C"] if count == 2 else ["H", *(f"P{n}" for n in range(2, count + 1))]
        self._others = roles[1:]
        for role in roles:
            self._cast[role] = self._person()
        if draw.chance(scenario.named):
            full = draw.chance(0.4)
            return {role: self._cast[role].fact("full" if full else "first").text for role in roles}
        labels = draw.pick(scenario.role_labels)
        return {role: labels.get(role) or labels["P"].format(n=role[1:]) for role in roles}

    def _person(self, last: str | None = None) -> Person:
        self._people += 1
        return Person(self.draw, self._people, last)

    def _play_beat(self, beat: Beat) -> None:
        draw = self.draw
        if beat.chance < 1 and not draw.chance(beat.chance):
            return
        count = min(draw.between(beat.least, beat.most), len(beat.scene))
        remaining = list(beat.scene)
        for _ in range(count):
            self._play_version(remaining.pop(draw.below(len(remaining))))
            if not self._has_room():
                return

    def _play_version(self, version: Version) -> None:
        draw = self.draw
        self._scene_cast = {}
        self._kept = {}
        if len(self._others) > 1:
            remaining = list(self._others)
            self._numbered = {n: remaining.pop(draw.below(len(remaining))) for n in ("1", "2", "3")}
        else:
            self._numbered = {}
        for step in version:
            line = step[0] if len(step) == 1 else draw.pick(step)
            role = self._numbered.get(line.role, line.role)
            self._take_turn(role, self.voice.utter(fill(line.template, self)))

    def _take_turn(self, role: str, said: list[Piece]) -> None:
        speaker = self._labels[role]
        if self.turns and self.turns[-1].speaker == speaker and self.draw.random() < self.scenario.merges:
            self.turns[-1].pieces.append(SPACE)
            self.turns[-1].pieces.extend(said)
        else:
            self.turns.append(Turn(speaker, said))

    def value(self, slot: Slot) -> tuple[Piece]:
        """A fact as this conversation says it."""
        return (self.voice.say(self._fact(slot), slot.part),)

    def sentence(self, pool: str) -> Template:
        """The next sentence of a pool; none is repeated before all were used once."""
        sentences = self.scenario.pools[pool]
        size = len(sentences)
        position, stride = self._rotations.get(pool) or (
            self.draw.below(size),
            self.draw.pick([n for n in STRIDES if size % n or n == 1]),
        )
        self._rotations[pool] = ((position + stride) % size, stride)
        return sentences[position]

    def _fact(self, slot: Slot) -> Fact:
        if slot.owner:
            return self._somebody(slot.owner).fact(slot.name)
        kind = unnumbered(slot.name)
        make = FACTS.get(kind)
        if make is None:
            known = self._call_wide.get(slot.name)
            if known is None:
                known = self._call_wide[slot.name] = self._lasting(slot.name)
            return known
        if kind == slot.name:
            return make(self.draw)
        kept = self._kept.get(slot.name)
        if kept is None:
            kept = self._kept[slot.name] = make(self.draw)
        return kept

    def _lasting(self, name: str) -> Fact:
        if name in ("company", "rival"):
            return fact("words", "ORGANIZATION_NAME", organization(self.draw))
        if name == "offering":
            return fact("words", "PRODUCT", self.draw.pick(inventory.invented_products()))
        company = self._fact(Slot("", "company", ""))
        return fact("url", "URL", f"{slug(company.text)}.example.com")

    def _somebody(self, owner: str) -> Person:
        owner = self._numbered.get(owner, owner)
        cast = self._scene_cast if owner in SCENE_ROLES else self._cast
        person = cast.get(owner)
        if person is None:
            principal = self._cast.get("C")
            shares = owner in KIN and principal is not None and self.draw.chance(0.7)
            person = cast[owner] = self._person(principal.last if shares and principal else None)
        return person
