"""The verdict of a run: what is required, what people or gold read, and what follows from it.

Two figures decide, and both come from people or complete gold: in every context the mean of the risk scores
plus their standard deviation is below the threshold (Gardiner et al., CALD-pseudo 2024, equation 2), and over
the corpus the share of conversations in which a direct identifier is readable is, at 95 %, at most so much.
What detectors suspect never decides.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

from tacenda.transforms.scoring.bounds import Reading

RULE = 2
"""The number of this rule in manifests; those without one are of the rule of mean and deviation alone."""

ReleaseOn = Literal["review", "no_review"]
Evidence = Literal["human", "gold", "no_review", "by_hand"]
"""What a release rests on; ``no_review``: a config that says in words why nobody has to read, ``by_hand``: a
person who gives a reason."""


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
    held. ``because`` is the reason for settings that weaken the gate; ``release_anyway``, for a release
    against it.
    """

    threshold: float = 5
    direct_identifiers_at_most: float = 0.02
    release_on: ReleaseOn = "review"
    least_conversations: int = 5
    largest_quarantined_share: float = 0.05
    because: str | None = None
    release_anyway: str | None = None


DEFAULT_GATE = Gate()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its grounds, each as a sentence.

    ``held_by`` has the reasons why it is held; ``lacks`` is what it needs for a release. ``evidence`` is that
    of the release, None without any. ``problems`` are the reasons in ``held_by`` that no review can mend;
    ``failures``, those that are figures. ``reading`` is what was read.
    """

    state: State
    gate: Gate
    evidence: Evidence | None
    held_by: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    rests_on: tuple[Ground, ...] = ()
    next_steps: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    reading: Reading | None = None

    def to_json(self) -> dict[str, Any]:
        """The marker's content, also part of the manifest."""
        told: dict[str, Any] = {
            "rule": RULE,
            "state": self.state.value,
            "released": self.state is State.RELEASED,
            "threshold": self.gate.threshold,
            "direct_identifiers_at_most": self.gate.direct_identifiers_at_most,
            "evidence": self.evidence,
            "figures": None if self.reading is None else self.reading.to_json(),
            "held_by": list(self.held_by),
            "problems": list(self.problems),
            "failures": list(self.failures),
            "lacks": list(self.lacks),
            "rests_on": [ground._asdict() for ground in self.rests_on],
            "next": list(self.next_steps),
        }
        if self.gate.because is not None:
            told["because"] = self.gate.because
        if self.evidence == "by_hand":
            told["released_anyway"] = self.gate.release_anyway
        return told
