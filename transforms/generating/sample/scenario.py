"""Scenario: what can happen in the conversations of one context, from ``data/scenarios``."""

from collections.abc import Container, Mapping
from functools import cache
from typing import NamedTuple

from tacenda.transforms.generating.sample.facts import FACTS
from tacenda.transforms.generating.sample.inventory import DATA
from tacenda.transforms.generating.sample.person import ATTRIBUTES
from tacenda.transforms.generating.sample.voice import PARTS
from tacenda.transforms.generating.templates import Pool, Slot, Template, parse

CONTEXTS = ("customer_support_1", "customer_support_2", "meetings", "sales_calls", "one_to_one_calls")
CALL_WIDE = ("company", "rival", "offering", "site")
"""Facts without an owner that last for the whole conversation."""


class Line(NamedTuple):
    """One utterance of one role."""

    role: str
    template: Template


Step = tuple[Line, ...]
"""Alternative wordings of one turn."""
Version = tuple[Step, ...]
"""One possible course of a scene."""


class Beat(NamedTuple):
    """A step of the plan: a scene that occurs ``least … most`` times, with the given probability.

    A ``core`` beat is played even if the conversation is already long enough.
    """

    scene: tuple[Version, ...]
    chance: float
    least: int
    most: int
    core: bool


class Scenario(NamedTuple):
    """Everything from which one context's conversations are made.

    ``named`` is the share of conversations whose speaker labels are real names; the others use one of
    ``role_labels``. ``participants`` is the range of their number. ``merges`` is the probability that two
    consecutive utterances of one speaker form one turn. The number of turns stays near one drawn from
    ``least_turns … most_turns``: no new scene begins once it is reached.
    """

    context: str
    plan: tuple[Beat, ...]
    pools: Mapping[str, tuple[Template, ...]]
    named: float
    role_labels: tuple[Mapping[str, str], ...]
    participants: tuple[int, int]
    merges: float
    least_turns: int
    most_turns: int


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
        kind = unnumbered(gap.name)
        known = gap.name in ATTRIBUTES if gap.owner else kind in FACTS or gap.name in CALL_WIDE
        return known and (not gap.part or gap.part in PARTS)

    return parse(text, knows)


def unnumbered(name: str) -> str:
    """The kind of a fact without the number under which a scene keeps it.

    >>> unnumbered("date1")
    'date'
    """
    return name.rstrip("0123456789")


def _line(text: str, pools: Container[str]) -> Line:
    role, _, rest = text.partition(": ")
    return Line(role, template(rest, pools))


def _step(step: str | list[str], pools: Container[str]) -> Step:
    return tuple(_line(text, pools) for text in ([step] if isinstance(step, str) else step))


@cache
def scenario(context: str) -> Scenario:
    """The scenario of a context of ``CONTEXTS``.

    Raises:
        ValueError: a template refers to something that does not exist.
    """
    shared = DATA.document("scenarios/shared.yaml")
    own = DATA.document(f"scenarios/{context}.yaml")
    sentences = {**shared["pools"], **own["pools"]}
    scenes = {
        name: tuple(tuple(_step(step, sentences) for step in version) for version in versions)
        for name, versions in {**shared["scenes"], **own["scenes"]}.items()
    }
    least, most = own.get("participants", (2, 2))
    return Scenario(
        context=context,
        plan=tuple(
            Beat(
                scenes[entry["scene"]],
                entry.get("chance", 1.0),
                entry.get("least", 1),
                entry.get("most", entry.get("least", 1)),
                entry.get("core", False),
            )
            for entry in own["plan"]
        ),
        pools={name: tuple(template(text, sentences) for text in texts) for name, texts in sentences.items()},
        named=own["speakers"]["named"],
        role_labels=tuple(own["speakers"]["roles"]),
        participants=(least, most),
        merges=own["merges"],
        least_turns=own["least_turns"],
        most_turns=own["most_turns"],
    )
