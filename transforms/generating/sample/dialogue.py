"""Dialogue: play a scenario with a cast of invented people, transcribed by one voice.

Corpus: sample conversations with gold spans, each a pure function of seed and index.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.sample.inventory import DATA
from tacenda.transforms.generating.sample.person import (
    ATTRIBUTES,
    FACTS,
    Fact,
    Person,
    fact,
    fresh,
    organization,
)
from tacenda.transforms.generating.sample.voice import PARTS, Voice, without_doubled_stops
from tacenda.transforms.generating.templates import Piece, Pool, Slot, Template, assemble, fill, parse
from tacenda.transforms.text.characters import slug

CONTEXTS = ("customer_support_1", "customer_support_2", "meetings", "sales_calls", "one_to_one_calls")
CALL_WIDE = ("company", "rival", "offering", "site")
"""Facts without an owner that last for the whole conversation."""


def template(text: str, pools: Container[str]) -> Template:
    """Parse a template of a scenario.

    ``{owner.attribute}`` is something of a person, ``{kind}`` a fresh fact, ``{kind1}`` a fact kept for the
    scene; the parts are those of ``PARTS``.

    Raises:
        ValueError: a gap names something that does not exist.
    """

    def knows(gap: Slot | Pool) -> bool:
        if isinstance(gap, Pool):
            return gap.name in pools
        known = gap.name in ATTRIBUTES if gap.owner else _kind(gap.name) in FACTS or gap.name in CALL_WIDE
        return known and (not gap.part or gap.part in PARTS)

    return parse(text, knows)


def _kind(name: str) -> str:
    """The kind of a fact without the number under which a scene keeps it: ``date1`` is a ``date``."""
    return name.rstrip("0123456789")


@cache
def scenario(context: str) -> dict[str, Any]:
    """The scenario of a context of ``CONTEXTS``, as in its file, which explains its settings.

    The shared pools and scenes are added to its own, and templates are parsed: a sentence of a pool, and a line
    of a scene together with the role that says it.

    Raises:
        ValueError: a template refers to something that does not exist.
    """
    shared, own = (DATA.document(f"scenarios/{name}.yaml") for name in ("shared", context))
    pools = {**shared["pools"], **own["pools"]}

    def line(text: str) -> tuple[str, Template]:
        role, _, said = text.partition(": ")
        return role, template(said, pools)

    def parsed(node: Any, parse_text: Callable[[str], Any]) -> Any:
        if isinstance(node, str):
            return parse_text(node)
        if isinstance(node, dict):
            return {name: parsed(child, parse_text) for name, child in node.items()}
        return [parsed(child, parse_text) for child in node]

    return {
        **own,
        "pools": parsed(pools, lambda text: template(text, pools)),
        "scenes": parsed({**shared["scenes"], **own["scenes"]}, line),
    }


KIN = frozenset(("spouse", "kid", "parent"))
"""People mentioned who usually share the caller's family name."""
SCENE_ROLES = ("x", "y")
"""People mentioned in one scene only."""
ROOM_TO_CLOSE = 10
"""Turns reserved for the ending, so that no conversation breaks off."""
STRIDES = (1, 7, 11, 13, 17, 19)


class Dialogue:
    """One conversation under construction; ``turns`` are speakers and what they say, in pieces."""

    def __init__(self, scenario: dict[str, Any], draw: Draw) -> None:
        self.draw = draw
        self.scenario = scenario
        self.voice = Voice(draw)
        self.turns: list[tuple[str, list[Piece]]] = []
        self._people = 0
        self._scene_cast: dict[str, Person] = {}
        self._kept: dict[str, Fact] = {}
        self._call_wide: dict[str, Fact] = {}
        self._rotations: dict[str, tuple[int, int]] = {}
        self._labels = self._speakers()
        self._room = draw.between(scenario["least_turns"], scenario["most_turns"]) - ROOM_TO_CLOSE

    def play(self) -> list[tuple[str, list[Piece]]]:
        """All turns of the conversation, from greeting to goodbye."""
        draw = self.draw
        for beat in self.scenario["plan"]:
            chance, least = beat.get("chance", 1), beat.get("least", 1)
            if not (beat.get("core") or self._has_room()) or (chance < 1 and not draw.chance(chance)):
                continue
            versions = list(self.scenario["scenes"][beat["scene"]])
            times = draw.between(least, max(least, beat.get("most", 0)))
            for _ in range(min(times, len(versions))):
                self._play_version(versions.pop(draw.below(len(versions))))
                if not self._has_room():
                    break
        return self.turns

    def _has_room(self) -> bool:
        return len(self.turns) <= self._room

    def _speakers(self) -> dict[str, str]:
        """Map roles to speaker labels; casts the participants."""
        draw, speakers = self.draw, self.scenario["speakers"]
        count = draw.between(*self.scenario.get("participants", (2, 2)))
        roles = ["A", "C"] if count == 2 else ["H", *(f"P{n}" for n in range(2, count + 1))]
        self._others = roles[1:]
        self._cast = {role: self._person() for role in roles}
        if draw.chance(speakers["named"]):
            full = draw.chance(0.4)
            return {role: self._cast[role].fact("full" if full else "first").text for role in roles}
        labels = draw.pick(speakers["roles"])
        return {role: labels.get(role) or labels["P"].format(n=role[1:]) for role in roles}

    def _person(self, last: str | None = None) -> Person:
        self._people += 1
        return Person(self.draw, self._people, last)

    def _play_version(self, version: list[Any]) -> None:
        draw = self.draw
        self._scene_cast, self._kept, self._numbered = {}, {}, {}
        if len(self._others) > 1:
            remaining = list(self._others)
            self._numbered = {n: remaining.pop(draw.below(len(remaining))) for n in ("1", "2", "3")}
        for step in version:
            line: tuple[str, Template] = step if isinstance(step, tuple) else draw.pick(step)
            role, words = line
            speaker = self._labels[self._numbered.get(role, role)]
            said = self.voice.utter(fill(words, self))
            if self.turns and self.turns[-1][0] == speaker and draw.chance(self.scenario["merges"]):
                self.turns[-1][1].extend((Piece(" "), *said))
            else:
                self.turns.append((speaker, said))

    def value(self, gap: Slot | Pool) -> list[Piece]:
        """A fact as this conversation says it, or the next sentence of a pool."""
        if isinstance(gap, Pool):
            return fill(self._sentence(gap.name), self)
        return [self.voice.say(self._fact(gap), gap.part)]

    def _sentence(self, pool: str) -> Template:
        """The next sentence of a pool; none is repeated before all were used once."""
        sentences: list[Template] = self.scenario["pools"][pool]
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
        kind = _kind(slot.name)
        if slot.name in FACTS:
            return fresh(kind, self.draw)
        kept = self._kept if kind in FACTS else self._call_wide
        if slot.name not in kept:
            kept[slot.name] = fresh(kind, self.draw) if kind in FACTS else self._lasting(slot.name)
        return kept[slot.name]

    def _lasting(self, name: str) -> Fact:
        if name in ("company", "rival"):
            return fact("words", "ORGANIZATION_NAME", organization(self.draw))
        if name == "offering":
            return fact("words", "PRODUCT", self.draw.pick(inventory.products("invented")))
        company = self._fact(Slot("", "company", ""))
        return fact("url", "URL", f"{slug(company.text)}.example.com")

    def _somebody(self, owner: str) -> Person:
        owner = self._numbered.get(owner, owner)
        cast = self._scene_cast if owner in SCENE_ROLES else self._cast
        if owner not in cast:
            principal = self._cast.get("C") if owner in KIN else None
            shares = principal is not None and self.draw.chance(0.7)
            cast[owner] = self._person(principal.last if principal and shares else None)
        return cast[owner]


def conversation(seed: int, index: int) -> dict[str, Any]:
    """One conversation in the shape ``{conversation_id, context, gold, turns: [{speaker, text, spans}]}``.

    Spans are half-open ranges of code points with an infoType as ``label``; those of an entity with several
    mentions have the same ``entity``. The five contexts alternate by index. Equal arguments give equal
    conversations on every machine, so a corpus can be generated in any number of shards.
    """
    context = CONTEXTS[index % len(CONTEXTS)]
    dialogue = Dialogue(scenario(context), Draw("conversation", seed, index))
    turns: list[dict[str, Any]] = []
    mentions: list[tuple[dict[str, Any], str]] = []
    for speaker, pieces in dialogue.play():
        text, spans, identities = assemble(without_doubled_stops(pieces))
        mentions += zip(spans, identities, strict=True)
        turns.append({"speaker": speaker, "text": text, "spans": spans})
    counts = Counter(identity for _, identity in mentions)
    numbers: dict[str, str] = {}
    for span, identity in mentions:
        if counts[identity] > 1:
            span["entity"] = numbers.setdefault(identity, f"e{len(numbers) + 1}")
    name = f"sample-{seed}-{index:07d}"
    return {"conversation_id": name, "context": context, "gold": "complete", "turns": turns}


def conversations(seed: int, start: int, stop: int) -> Iterator[dict[str, Any]]:
    """Conversations ``start … stop - 1``, in order; independent of how a range is divided."""
    return (conversation(seed, index) for index in range(start, stop))


def _share(seed: int, kind: str, coverage: float, names: Iterable[str]) -> list[str]:
    """The names in the database; whether a name is included does not depend on the others."""
    return [name for name in sorted(set(names)) if Draw(kind, seed, name).chance(coverage)]


def person_dictionary(seed: int, coverage: float = 0.9) -> list[str]:
    """Given and family names, sorted: a share of all that the generator can produce."""
    names = (name for origin in inventory.origins() for name in (*origin.firsts, *origin.lasts))
    return _share(seed, "person", coverage, names)


def organization_dictionary(seed: int, coverage: float = 0.9) -> list[str]:
    """Names of organisations, sorted: a share of all that the generator can produce."""
    words = inventory.organization_words
    names = [
        *(name for kind in ("stems", "standing", "known", "banks", "shops") for name in words(kind)),
        *(f"{stem} {form}" for stem in words("stems") for form in words("forms")),
        *(
            f"{last} {form}"
            for origin in inventory.origins()
            for last in origin.lasts
            for form in words("family_forms")
        ),
    ]
    return _share(seed, "organization", coverage, names)


def common_words() -> list[str]:
    """Everyday words that are names in the dictionaries; for the config to exclude."""
    return list(DATA.document("common_words.yaml")["words"])
