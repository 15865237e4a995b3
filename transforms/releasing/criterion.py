"""The criterion of release: what is required, states and grounds of a verdict, and the sentences for them.

Two figures decide, and both come from people or complete gold: in every context the mean of the risk scores
plus their standard deviation is below the threshold (Gardiner et al., CALD-pseudo 2024, equation 2), and over
the corpus the share of conversations in which a direct identifier is readable is, at 95 %, at most so much.
What detectors suspect never decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

RULE = 3
"""The number of this rule in manifests; by that of number 2, people could override figures with a reason."""

ReleaseOn = Literal["review", "no_review"]
PEOPLE: tuple[Literal["human", "gold"], ...] = ("human", "gold")
"""The sources that decide, most trusted first. A release rests on one of them; or on ``no_review``, a config
that says in words why nobody has to read."""

_MOST_NAMED = 20
"""Maximum number of contexts that reasons list by name."""

_MOST_READERS = 5
"""Maximum number of people that a sentence lists by name."""


class State(str, Enum):
    """The outcome of a run; an inspection and scores of given conversations release nothing."""

    RELEASED = "released"
    UNREVIEWED = "unreviewed"
    HELD = "held"
    INSPECTED = "inspected"
    SCORED = "scored"


class Ground(NamedTuple):
    """A ground of the verdict, as a sentence; ``weakens``: the release would not be as likely without it."""

    what: str
    weakens: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """The requirements for a release.

    ``threshold`` is that of mean + std in every context, ``direct_identifiers_at_most`` the largest share of
    conversations with a readable direct identifier. Of a review, every context needs ``least_conversations``,
    or all that it has. If more than ``largest_quarantined_share`` of the rows are in quarantine, the run is
    held. ``because`` is the reason for settings that weaken the gate.
    """

    threshold: float = 5
    direct_identifiers_at_most: float = 0.02
    release_on: ReleaseOn = "review"
    least_conversations: int = 5
    largest_quarantined_share: float = 0.05
    because: str | None = None


DEFAULT_GATE = Gate()


def sentence(key: str, /, **values: Any) -> str:
    """A sentence of ``sentences.yaml`` with its values."""
    return _sentences()[key].format(**values)


@built_once
def _sentences() -> dict[str, str]:
    return dict(data_file(__package__, "sentences.yaml"))


def next_steps(verdict: Mapping[str, Any]) -> list[str]:
    """The next steps for a corpus that nobody has read; none if it is released. OUT stands for its folder."""
    steps = {
        "released": (),
        "unreviewed": ("draw", "release"),
        "held": ("correct", "do_not_train")
        if verdict["problems"]
        else ("extend", "draw", "release", "do_not_train"),
    }
    return [sentence(step) for step in steps[verdict["state"]]]


def at_most(told: Sequence[str], of: str) -> Iterator[str]:
    """The first of some sentences, and how many more there are."""
    yield from told[:_MOST_NAMED]
    if len(told) > _MOST_NAMED:
        yield sentence("more", n=len(told) - _MOST_NAMED, of=of)


def readers_in_words(readers: Mapping[str, int]) -> str:
    """Who read how many conversations; empty if nobody read any."""
    named = sorted((-count, name) for name, count in readers.items() if name)
    told = [f"{name} ({-count})" for count, name in named[:_MOST_READERS]]
    if more := len(named) - len(told):
        told.append(f"{more} more")
    if unnamed := readers.get("", 0):
        told.append(f"unnamed people ({unnamed})")
    return listed(told) if told else ""


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> listed(["a", "b", "c"]), listed([])
    ('a, b and c', 'nothing')
    """
    *others, last = names or ["nothing"]
    return f"{', '.join(others)}{' and ' if others else ''}{last}"
